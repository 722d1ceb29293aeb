"""pandas tables that are joined: keys without a partner, labels that are there twice, arguments of the wrong form."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers, called, keyword, owner_of
from reflex_ipython.propose.rules.statements import failing_cell


def _duplicates(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Labels that are there twice: the first of each, or numbered anew."""
    for call in scene.calls("reindex", "concat", "align", "asfreq", "resample"):
        owner = owner_of(call)
        if called(call) == "concat":
            parts = list(call.args[0].elts) if call.args and isinstance(call.args[0], (ast.List, ast.Tuple)) else []
            edits = [scene.after(one, ".reset_index(drop=True)") for one in parts]
            if edits:
                why = "Some rows have the same label; numbered anew they are joined by their places."
                yield scene.proposal(edits, why, "rows numbered anew", 0.6)
            first = [scene.put(one, _first_of_each(scene, one)) for one in parts]
            if first:
                why = "Some rows have the same label; the first of each is used."
                yield scene.proposal(first, why, "first of each label", 0.42)
        elif owner is not None:
            why = "Some rows have the same label; the first of each is used."
            yield scene.proposal([scene.put(owner, _first_of_each(scene, owner))], why, "first of each label", 0.55)
            edit = scene.put(owner, f"{scene.operand(owner)}.reset_index(drop=True)")
            yield scene.proposal(
                [edit], "Some rows have the same label; they are numbered anew.", "rows numbered anew", 0.46
            )


def _first_of_each(scene: Scene, node: ast.expr) -> str:
    text = scene.operand(node)
    return f"{text}[~{text}.index.duplicated()]"


def _already_there(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """A column that is there already: the index is dropped, or given another name; the column is given the values."""
    name = found["name"]
    for call in scene.calls("reset_index"):
        why = f"There is a column `{name}` already; "
        edit = scene.argument(call, "drop=True")
        yield scene.proposal([edit], f"{why}the index is dropped.", "index dropped", 0.52)
        asked = scene.text(call.func)[: -len(".reset_index")]
        edit = scene.put(call, f'{asked}.reset_index(name="count")')
        counted = any(word in asked for word in ("count()", "size()", "value_counts()"))
        yield scene.proposal(
            [edit], f"{why}the values are called `count`.", "name of the values", 0.75 if counted else 0.35
        )
        if not counted:
            edit = scene.put(call, f'{asked}.rename_axis("{name}_index").reset_index()')
            yield scene.proposal([edit], f"{why}the index is called `{name}_index`.", "name of the index", 0.45)
    for call in scene.calls("insert"):
        owner = owner_of(call)
        statement = scene.statement()
        if owner is not None and len(call.args) >= 3 and isinstance(statement, ast.Expr):
            text = f"{scene.text(owner)}[{scene.text(call.args[1])}] = {scene.text(call.args[2])}"
            why = f"There is a column `{name}` already; it is given these values."
            yield scene.proposal([scene.put(statement, text)], why, "values of the column", 0.66)
            edit = scene.argument(call, "allow_duplicates=True")
            yield scene.proposal(
                [edit], f"There is a column `{name}` already; then there are two.", "two columns", 0.34
            )


def _ambiguous(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """A name of the index and of a column."""
    name = found["name"]
    for call in scene.calls("groupby", "sort_values", "merge"):
        owner = owner_of(call)
        if owner is None or scene.meaning(owner) == "pandas":
            continue
        text = scene.operand(owner)
        why = f"`{name}` is a column and the name of the index; "
        edit = scene.put(owner, f"{text}.rename_axis(None)")
        yield scene.proposal([edit], f"{why}without that name the column is meant.", "column of that name", 0.7)
        if called(call) == "groupby" and call.args:
            edit = scene.put(call.args[0], f'level="{name}"')
            yield scene.proposal([edit], f"{why}this is the index.", "index of that name", 0.33)


def _overlap(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`a.join(b)` of tables with a column in common: merged by it, or told apart."""
    listed = found["names"].partition(", dtype=")[0]  # the type of the labels is none of them
    names = re.findall(r"'([^']+)'", listed)
    for call in scene.calls("join"):
        owner, other = owner_of(call), call.args[0] if call.args else None
        if owner is None or other is None:
            continue
        given = keyword(call, "on")
        key = f'"{names[0]}"' if len(names) == 1 else str(names)
        named = all(_is_set(scene, side) for side in (owner, other))
        if given is None and names:
            why = f"Both tables have {', '.join(f'`{one}`' for one in names)}; `merge` joins the rows that agree in it."
            how = keyword(call, "how")
            text = f", how={scene.text(how.value)}" if how else ""
            edit = scene.put(call, f"{scene.operand(owner)}.merge({scene.text(other)}, on={key}{text})")
            yield scene.proposal(
                [edit],
                why,
                "joined by the common column",
                0.2 if named or not _shared(scene, owner, other, names) else 0.6,
            )
        why = f"Both tables have {', '.join(f'`{one}`' for one in names)}; a suffix tells them apart."
        edit = scene.argument(call, 'rsuffix="_right"')
        yield scene.proposal([edit], why, "suffix", 0.82 if named else 0.46)


def _shared(scene: Scene, left: ast.expr, right: ast.expr, names: list[str]) -> bool:
    """Whether the first values of a common column are alike, as those of a key are, or it is not known."""
    ours, theirs = (scene.columns(side) for side in (left, right))
    pairs = [(_values_of(ours.get(name, "")), _values_of(theirs.get(name, ""))) for name in names]
    return not ours or not theirs or all(bool(one & other) for one, other in pairs)


def _values_of(facts: str) -> set[str]:
    return set(facts.partition("; ")[2].split("; ")[0].split(", ")) - {""}


def _is_set(scene: Scene, table: ast.expr) -> bool:
    """Whether the rows of a table have labels that were given to them, rather than numbers: it is joined by those."""
    value = scene.value(table)
    index = value.text.split("\n")[1:2] if value is not None else []
    return bool(index) and index[0].startswith("index: ") and not re.search(r"RangeIndex of [\d,]+ \(0\b", index[0])


def _no_common(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`a.merge(b)` without a column in common: by two that differ in case only, or by the index."""
    for call in scene.calls("merge"):
        owner = owner_of(call)
        plain = owner is None or scene.meaning(owner) == "pandas"
        sides = list(call.args[:2]) if plain else [one for one in (owner, *call.args[:1]) if one is not None]
        if len(sides) != 2:
            continue
        left, right = (list(scene.columns(one)) for one in sides)
        pairs = [(one, other) for one in left for other in right if _fold(one) == _fold(other)]
        pairs = pairs or [(one, other) for one in left for other in right if _ends_alike(one, other)]
        for one, other in pairs[:3]:
            why = f"No column has the same name in both; `{one}` and `{other}` mean the same."
            edit = scene.argument(call, f'left_on="{one}", right_on="{other}"')
            yield scene.proposal([edit], why, "common column", 0.85 if len(pairs) == 1 else 0.48)
        why = "No column has the same name in both; the rows are joined by their labels."
        yield scene.proposal(
            [scene.argument(call, "left_index=True, right_index=True")], why, "joined by the index", 0.35
        )


def merge_key(failure: Failure) -> Iterator[Proposal]:
    """`a.merge(b, on="id")` where one of them calls it `user_id`."""
    cell = failing_cell(failure)
    if cell is None or failure.error.ename != "KeyError":
        return
    scene = Scene(failure, cell)
    for call in scene.calls("merge"):
        given, owner = keyword(call, "on"), owner_of(call)
        plain = owner is None or scene.meaning(owner) == "pandas"
        sides = list(call.args[:2]) if plain else [one for one in (owner, *call.args[:1]) if one is not None]
        if given is None or len(sides) != 2 or not isinstance(given.value, ast.Constant):
            continue
        key = str(given.value.value)
        left, right = (list(scene.columns(one)) for one in sides)
        if (key in left) == (key in right):
            continue
        others = [one for one in (right if key in left else left) if _fold(one) == _fold(key) or _ends_alike(one, key)]
        if not others:
            holder, without = (sides[0], sides[1]) if key in left else (sides[1], sides[0])
            others = _with_values_of(scene, holder, key, without)
        for other in others:
            pair = (key, other) if key in left else (other, key)
            edit = SpanEdit(*scene.cell.span(given), f'left_on="{pair[0]}", right_on="{pair[1]}"')
            why = f"Only one of the tables has `{key}`; in the other it is `{other}`."
            yield scene.proposal([edit], why, "common column", 0.88 if len(others) == 1 else 0.45)


def _with_values_of(scene: Scene, holder: ast.expr, key: str, other: ast.expr) -> list[str]:
    """The columns of the other table that share a text with the key, as far as their values are known."""
    known = set(scene.samples(ast.Subscript(holder, ast.Constant(key))))
    return [
        name for name in scene.columns(other) if known & set(scene.samples(ast.Subscript(other, ast.Constant(name))))
    ]


def _fold(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


def _ends_alike(one: str, other: str) -> bool:
    short, long = sorted((one.lower(), other.lower()), key=len)
    return len(short) >= 2 and (long.endswith(f"_{short}") or long.startswith(f"{short}_"))


def _concat(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for call in scene.calls("concat", "merge"):
        if called(call) == "concat" and len(call.args) >= 2:
            start, end = scene.cell.span(call.args[0])[0], scene.cell.span(call.args[-1])[1]
            edits = [SpanEdit(start, start, "["), SpanEdit(end, end, "]")]
            yield scene.proposal(edits, "`concat` takes what it joins as one list.", "list of tables", 0.96)
        elif called(call) == "concat" and len(call.args) == 1 and isinstance(call.args[0], ast.Name):
            edit = scene.put(call.args[0], f"[{call.args[0].id}]")
            yield scene.proposal([edit], "`concat` takes what it joins as a list.", "list of tables", 0.6)


def _merged_list(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for call in scene.calls("merge"):
        if len(call.args) == 1 and isinstance(call.args[0], (ast.List, ast.Tuple)) and len(call.args[0].elts) == 2:
            text = scene.text(call.args[0])
            edit = scene.put(call.args[0], text[1:-1])
            yield scene.proposal(
                [edit], "`merge` takes its two tables one by one, not as a list.", "tables one by one", 0.95
            )


merging: Rule = answers(
    "merging",
    (r"cannot reindex on an axis with duplicate labels|Reindexing only valid with uniquely valued", _duplicates),
    (r"cannot insert (?P<name>.+), already exists", _already_there),
    (r"'(?P<name>.+)' is both an index level and a column label", _ambiguous),
    (r"columns overlap but no suffix specified: (?P<names>.*)", _overlap),
    (r"No common columns to perform merge on", _no_common),
    (r"concat\(\) takes 1 positional argument|first argument must be an iterable of pandas objects", _concat),
    (r"merge\(\) missing 1 required positional argument: 'right'", _merged_list),
)  # fmt: skip

RULES = (
    merge_key,
    merging,
)
