"""pandas methods that are given what they do not take, and columns of another type than a method needs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.cleaning import is_number
from reflex_ipython.propose.rules.science.indexing import index_parts
from reflex_ipython.propose.rules.science.scene import Scene, answers, called, keyword, owner_of


def _setting_type(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df.loc[0, "a"] = 1.5` in a column of whole numbers: the column of another type first."""
    statement = scene.statement()
    if not isinstance(statement, (ast.Assign, ast.AugAssign)):
        return
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    if not isinstance(target, ast.Subscript):
        return
    kind = "float" if re.fullmatch(r"'?-?\d+\.\d+(?:e-?\d+)?'?|'?nan'?", found["value"]) else "object"
    parts = index_parts(target)
    table = target.value.value if isinstance(target.value, ast.Attribute) else target.value
    if isinstance(target.value, ast.Attribute) and target.value.attr in ("loc", "at") and len(parts) == 2:
        column = f"{scene.text(table)}[{scene.text(parts[1])}]"
    else:
        column = scene.text(table)
    above = scene.line_above(statement, f"{column} = {column}.astype({kind if kind == 'float' else 'object'})")
    why = f"`{column}` holds {found['kind']}, which can't hold {found['value']}; as {kind} it can."
    yield scene.proposal([above], why, "type of the column", 0.85)


def _category(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    value = found["value"]
    statement = scene.statement()
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    if isinstance(statement, ast.Assign) and isinstance(target, ast.Subscript):
        parts, owner = index_parts(target), target.value
        if isinstance(owner, ast.Attribute) and owner.attr in ("loc", "at"):
            owner = owner.value
            column = f"{scene.text(owner)}[{scene.text(parts[1])}]" if len(parts) == 2 else scene.text(owner)
        else:
            column = scene.text(
                owner.value if isinstance(owner, ast.Attribute) and owner.attr in ("iloc", "iat") else owner
            )
        new = f"{column} = {column}.cat.add_categories([{scene.text(statement.value)}])"
        why = f"{value!r} is none of the categories of `{column}`; it is made one first."
        yield scene.proposal([scene.line_above(statement, new)], why, "new category", 0.86)
        why = f"{value!r} is none of the categories of `{column}`; as objects any value can be."
        new = f"{column} = {column}.astype(object)"
        yield scene.proposal([scene.line_above(statement, new)], why, "objects", 0.38)
    for call in scene.calls("fillna", "replace", "where", "mask"):
        asked = owner_of(call)
        if asked is not None:
            text = scene.operand(asked)
            why = f"{value!r} is none of the categories; it is made one first."
            edit = scene.put(
                asked, f"{text}.cat.add_categories({(call.args and scene.text(call.args[0])) or repr(value)})"
            )
            yield scene.proposal([edit], why, "new category", 0.85)
            yield scene.proposal(
                [scene.put(asked, f"{text}.astype(object)")], "As objects any value can be.", "objects", 0.4
            )


def _no_dates(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df.resample("D")` without dates in the index: by the column that has them."""
    pd, imports = scene.module("pandas")
    for call in scene.calls("resample", "asfreq", "between_time", "at_time", "tz_localize"):
        owner = owner_of(call)
        if owner is None:
            continue
        text = scene.operand(owner)
        columns = scene.columns(owner)
        dated = [name for name, facts in columns.items() if facts.startswith("datetime64")]
        texts = [
            name for name, facts in columns.items() if re.search(r"date|time|day|month|^ds$|^ts$", name, re.IGNORECASE)
        ]
        if isinstance(owner, ast.Call) and called(owner) == "reset_index" and not owner.args:
            kept = owner_of(owner)
            if kept is not None:
                why = "`reset_index` takes the dates out of the index, which has to have them."
                yield scene.proposal([scene.put(owner, scene.text(kept))], why, "index of dates", 0.9)
        for name in dated:
            why = f"The index has no dates; column `{name}` has."
            if called(call) == "resample":
                yield scene.proposal([scene.argument(call, f'on="{name}"')], why, "column of the dates",
                                     0.86 if len(dated) == 1 else 0.48)  # fmt: skip
            yield scene.proposal([scene.put(owner, f'{text}.set_index("{name}")')], why, "column of the dates", 0.42)
        for name in texts if not dated else ():
            why = f"The index has no dates; column `{name}` has them as text."
            new = f'{text}.assign({name}={pd}.to_datetime({text}["{name}"])).set_index("{name}")'
            if name.isidentifier():
                yield scene.proposal([scene.put(owner, new), *imports], why, "column of the dates", 0.82)
        if not dated:
            new = f"{text}.set_index({pd}.to_datetime({text}.index))"
            why = "The labels of the rows are no dates yet; `to_datetime` makes dates of them."
            prior = 0.86 if not texts and "'Index'" in found.string else 0.4
            yield scene.proposal([scene.put(owner, new), *imports], why, "index of dates", prior)


def _renamed(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df.rename(columns=["x", "y"])`: new names for all are set as the axis."""
    for call in scene.calls("rename"):
        given = keyword(call, "columns")
        owner = owner_of(call)
        if given is not None and isinstance(given.value, (ast.List, ast.Name)) and owner is not None:
            text = f"{scene.operand(owner)}.set_axis({scene.text(given.value)}, axis=1)"
            why = "`rename` takes a dictionary of old and new names; `set_axis` a list of new names for all."
            yield scene.proposal([scene.put(call, text)], why, "names of all columns", 0.92)


def _ascending(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for call in scene.calls("sort_values"):
        given = keyword(call, "ascending")
        if given is not None and isinstance(given.value, ast.List) and len(given.value.elts) == 1:
            edit = scene.put(given.value, scene.text(given.value.elts[0]))
            yield scene.proposal([edit], "One value says it for all columns.", "one for all", 0.88)


def _rows_of_table(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`for i, row in df:`: its rows by `iterrows`."""
    for loop in scene.loops(failing=True):
        if not isinstance(loop.target, ast.Tuple) or len(loop.target.elts) != 2:
            continue
        if scene.is_table(loop.iter) or "method" in found.string:
            if isinstance(loop.iter, ast.Attribute) and "method" in found.string:
                why = f"`{scene.text(loop.iter)}` is the method itself; the brackets call it."
                yield scene.proposal([scene.after(loop.iter, "()")], why, "missing brackets", 0.95)
            elif scene.is_table(loop.iter):
                why = f"`{scene.text(loop.iter)}` gives the names of its columns; `iterrows` gives its rows."
                yield scene.proposal([scene.after(loop.iter, ".iterrows()")], why, "rows of the table", 0.88)
                why = (
                    f"`{scene.text(loop.iter)}` gives the names of its columns; `items` gives them with their columns."
                )
                yield scene.proposal([scene.after(loop.iter, ".items()")], why, "columns of the table", 0.4)


def _unhashable(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """A column of lists as keys."""
    kind = "tuple"
    counted = [
        node.value
        for node in scene.every(ast.Subscript)
        if (value := scene.value(node.value)) and re.search(r"^index: Index of [\d,]+ \(\[", value.text, re.M)
    ]
    calls = scene.calls("groupby", "unique", "nunique", "value_counts", "drop_duplicates", "duplicated", "merge")
    # What was counted may be refused as late as it is asked for one of the lists' items.
    earlier = [one for one in scene.cell.every(ast.Call) if counted and called(one) == "value_counts"]
    for call in calls or earlier:
        owner = owner_of(call)
        if owner is None:
            continue
        if called(call) in ("drop_duplicates", "duplicated") and scene.is_table(owner):
            table = scene.operand(owner)
            text = f"{table}.loc[{table}.astype(str).drop_duplicates().index]"
            why = "Some cells hold lists, which can't be compared at once; as texts they can."
            yield scene.proposal([scene.put(call, text)], why, "compared as text", 0.8)
        elif called(call) == "value_counts" and (not calls or scene.is_column(owner)):
            why = f"`{scene.text(owner)}` holds lists, which can't be counted; `explode` gives each item a row."
            edit = scene.after(owner, ".explode()")
            yield scene.proposal([edit], why, "an item a row", 0.86)
            why = f"`{scene.text(owner)}` holds lists, which can't be keys; tuples can."
            edit = scene.put(owner, f"{scene.operand(owner)}.apply({kind})")
            yield scene.proposal([edit], why, "tuples as keys", 0.6)
        elif called(call) != "groupby":
            why = f"`{scene.text(owner)}` holds lists, which can't be keys; tuples can."
            yield scene.proposal(
                [scene.put(owner, f"{scene.operand(owner)}.apply({kind})")], why, "tuples as keys", 0.85
            )
        elif call.args:
            why = f"`{scene.text(call.args[0])}` holds lists, which can't be keys; tuples can."
            edit = scene.put(call.args[0], f"{scene.operand(call.args[0])}.apply({kind})")
            yield scene.proposal([edit], why, "tuples as keys", 0.85)


def _holds_numbers(scene: Scene, column: ast.expr) -> bool:
    """Whether more than half of a column's texts are numbers."""
    samples = scene.samples(column)
    return sum(map(is_number, samples)) * 2 > len(samples)


def _plotted(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df["c"].plot()` of words: how often each is there."""
    for call in scene.calls("plot", "bar", "hist", "pie"):
        owner = owner_of(call)
        if isinstance(owner, ast.Attribute) and owner.attr == "plot":
            owner = owner.value
        if (
            owner is not None
            and scene.is_column(owner)
            and scene.dtype(owner) in ("str", "object")
            and not _holds_numbers(scene, owner)
        ):
            why = f"`{scene.text(owner)}` holds words; how often each is there can be drawn."
            edit = scene.put(owner, f"{scene.operand(owner)}.value_counts()")
            yield scene.proposal([edit], why, "number of each", 0.72)


frames: Rule = answers(
    "frames",
    (r"Invalid value (?P<value>.+) for dtype '?(?P<kind>\w+)'?", _setting_type),
    (r"on a Categorical with a new category \(?(?P<value>.+?)\)?, set the categories", _category),
    (r"Only valid with DatetimeIndex|Index must be DatetimeIndex", _no_dates),
    (r"'list' object is not callable", _renamed),
    (r"Length of ascending \(1\) != length of by", _ascending),
    (r"not enough values to unpack|too many values to unpack|'method' object is not iterable", _rows_of_table),
    (r"unhashable type: '(?:list|dict|numpy\.ndarray|set)'", _unhashable),
    (r"no numeric data to plot", _plotted),
)  # fmt: skip

RULES = (frames,)
