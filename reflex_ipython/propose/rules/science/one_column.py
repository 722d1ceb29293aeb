"""A table of one column where the column itself is meant: `df[["a"]].tolist()`, and functions that take a column."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers, called, keyword, owner_of
from reflex_ipython.propose.rules.statements import failing_cell

# What pandas' Series have and its DataFrames don't.
_OF_COLUMNS = frozenset(
    {"tolist", "to_list", "unique", "str", "dt", "cat", "between", "to_frame", "name", "item", "is_unique", "factorize"}
    | {"is_monotonic_increasing", "is_monotonic_decreasing", "argmax", "argmin", "argsort", "hasnans", "autocorr"}
    | {"searchsorted", "ravel", "repeat", "array", "dtype", "view", "nbytes"}
)


def one_column(failure: Failure) -> Iterator[Proposal]:
    """`df[["city"]].unique()`: `df["city"].unique()`."""
    lookup = failure.lookup
    if lookup is None or lookup.kind != "attribute" or lookup.wanted not in _OF_COLUMNS:
        return
    cell = failing_cell(failure)
    if cell is None or not lookup.owner_type.startswith("pandas.") or not lookup.owner_type.endswith("DataFrame"):
        return
    scene = Scene(failure, cell)
    asked = [node for node in scene.every(ast.Attribute) if node.attr == lookup.wanted]
    for node in asked:
        owner = node.value
        if label := _only(owner):
            why = f"`{scene.text(owner)}` is a table of one column; `{lookup.wanted}` is asked of the column itself."
            assert isinstance(owner, ast.Subscript)
            # A table of one column has no such attribute, and the column has: nothing else can be meant.
            yield scene.proposal([scene.put(owner.slice, scene.text(label))], why, "the column itself", 1.0)
        elif isinstance(owner, ast.Name) and len(columns := list(scene.columns(owner))) == 1:
            why = f"`{owner.id}` is a table of one column; `{lookup.wanted}` is asked of the column itself."
            yield scene.proposal([scene.after(owner, f"[{columns[0]!r}]")], why, "the column itself", 0.95)


def _only(node: ast.expr) -> ast.expr | None:
    """The one label of `df[["a"]]`."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.List) or len(node.slice.elts) != 1:
        return None
    label = node.slice.elts[0]
    return label if isinstance(label, (ast.Constant, ast.Name)) else None


def _mapped(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df["a"].apply({"yes": 1})`: `map` looks each value up."""
    for call in scene.calls("apply", "transform", "agg", "applymap"):
        owner, given = owner_of(call), call.args[0] if call.args else None
        if owner is None or given is None or len(call.args) > 1 or call.keywords or scene.is_table(owner):
            continue
        if isinstance(given, ast.Dict) or scene.type(given) in ("dict", "Series", "defaultdict"):
            assert isinstance(call.func, ast.Attribute)
            end = scene.cell.span(call.func)[1]
            why = f"`{called(call)}` calls functions; `map` looks each value up in `{scene.text(given)}`."
            yield scene.proposal([SpanEdit(end - len(call.func.attr), end, "map")], why, "values looked up", 0.93)


def _table_as_column(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df["a"] = df[["b", "c"]]`: one of them, their sum, or as many new columns."""
    statement = scene.statement()
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Subscript):
        return
    target, value = statement.targets[0], statement.value
    label, text = target.slice, scene.text(value)
    if not isinstance(label, ast.Constant) or not isinstance(label.value, str):
        return
    if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.List) and len(value.slice.elts) > 1:
        names = [str(one.value) for one in value.slice.elts if isinstance(one, ast.Constant)]
        new = "[" + ", ".join(f'"{label.value}_{name}"' for name in names) + "]"
        why = f"`{text}` has {len(names)} columns, and each needs a name of its own."
        yield scene.proposal([scene.put(label, new)], why, "a column for each", 0.46)
        numbers = all(scene.columns(value.value).get(name, "").startswith(("int", "float")) for name in names)
        if numbers:
            why = f"`{text}` has {len(names)} columns; one column can hold their {{}}."
            for word, prior in (("sum", 0.36), ("mean", 0.34)):
                edit = scene.put(value, f"{text}.{word}(axis=1)")
                yield scene.proposal([edit], why.format(word), f"{word} of the columns", prior)
        else:
            edit = scene.put(value, f'{text}.astype(str).agg(" ".join, axis=1)')
            why = f"`{text}` has {len(names)} columns; one column can hold their texts joined."
            yield scene.proposal([edit], why, "texts joined", 0.4)
    for call in scene.calls("split", "rsplit", "extract", "partition"):
        if keyword(call, "expand") and call is value:
            why = f"`{called(call)}` gives several columns here; the first is taken."
            yield scene.proposal([scene.after(value, "[0]")], why, "first part", 0.46)


def _several_columns(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df[["a", "b"]] = df["c"].str.split(" ")`: `expand=True` gives a column for each part."""
    statement = scene.statement()
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    if not isinstance(target, ast.Subscript) or not isinstance(target.slice, ast.List):
        return
    wanted = len(target.slice.elts)
    for call in scene.calls("split", "rsplit"):
        given = keyword(call, "expand")
        limit = keyword(call, "n")
        if given is None:
            why = f"`{called(call)}` gives one list a row; `expand=True` gives a column for each part."
            yield scene.proposal([scene.argument(call, "expand=True")], why, "a column for each part", 0.95)
        if limit is None and len(call.args) < 2:
            more = f"n={wanted - 1}" + (", expand=True" if given is None else "")
            why = f"Some texts have more than {wanted} parts; with `n={wanted - 1}` the last keeps the rest."
            yield scene.proposal([scene.argument(call, more)], why, "as many parts", 0.8)
    for call in scene.calls("apply"):
        if keyword(call, "result_type") is None and keyword(call, "axis") is not None:
            why = 'Each row gives several values; `result_type="expand"` makes columns of them.'
            edit = scene.argument(call, 'result_type="expand"')
            yield scene.proposal([edit], why, "a column for each value", 0.9)


columns: Rule = answers(
    "columns",
    (r"object is not callable|is not a valid function for 'Series' object|SpecificationError|nested renamer", _mapped),
    (r"Cannot set a DataFrame with multiple columns to the single column", _table_as_column),
    (r"Columns must be same length as key", _several_columns),
)  # fmt: skip

RULES = (one_column, columns)
