"""What the methods of tables are given: columns to sort by, a list to look in, shares instead of percent, an axis."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers, called, keyword, owner_of

_MOST = 4
_AXES = {"column": "columns", "col": "columns", "cols": "columns", "row": "index", "line": "index", "indexes": "index"}


def _shares(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`quantile(75)`: `quantile(0.75)`."""
    for call in scene.calls("quantile", "nanquantile", "describe", "qcut"):
        given = [*call.args, *(one.value for one in call.keywords if one.arg in ("q", "percentiles"))]
        parts = [part for one in given for part in (one.elts if isinstance(one, (ast.List, ast.Tuple)) else [one])]
        shares = {part: value for part in parts if (value := _number(part))}
        if shares and all(0 < value <= 100 for value in shares.values()) and max(shares.values()) > 1:
            edits = [scene.put(part, f"{value / 100:g}") for part, value in shares.items()]
            why = f"`{called(call)}` takes shares of one: {scene.text(next(iter(shares)))} percent are {edits[0].text}."
            yield scene.proposal(edits, why, "share of one", 0.92)


def _number(node: ast.expr) -> float:
    """The number that a literal is; 0 if it is none."""
    value = node.value if isinstance(node, ast.Constant) else 0
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else 0


def _list_to_look_in(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`column.isin("it")`: `column.isin(["it"])`."""
    for call in scene.calls("isin"):
        if len(call.args) == 1 and not isinstance(call.args[0], ast.Starred):
            text = scene.text(call.args[0])
            why = f"`isin` looks into a list of values; `{text}` is a single one."
            yield scene.proposal([scene.put(call.args[0], f"[{text}]")], why, "list of one", 0.93)


def _axis(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`axis="column"`: `axis="columns"`."""
    word = found["word"]
    meant = _AXES.get(word.lower().strip(), "columns" if word.lower().startswith("col") else "")
    for call in scene.cell.every(ast.Call):
        given = keyword(call, "axis")
        if meant and given is not None and isinstance(given.value, ast.Constant) and given.value.value == word:
            why = f"The axes of a table are called 'index' and 'columns'; {word!r} is none of them."
            yield scene.proposal([scene.put(given.value, f'"{meant}"')], why, "name of the axis", 0.95)


def _numbered_axis(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df.mean(axis=2)`: `axis=1` or `axis=0`; of a column there is but one."""
    for call in scene.cell.every(ast.Call):
        given = keyword(call, "axis")
        if given is None or scene.text(given.value) != found["number"]:
            continue
        if found["kind"] == "Series":
            why = "A column has one axis, 0."
            yield scene.proposal([scene.put(given.value, "0")], why, "number of the axis", 0.9)
            continue
        for number, prior, what in (("1", 0.5, "a value for each row"), ("0", 0.45, "a value for each column")):
            why = f"A table has the axes 0 and 1; what is worked out along {number} gives {what}."
            yield scene.proposal([scene.put(given.value, number)], why, "number of the axis", prior)


def _sorted_by(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df.sort_values()`: by which column is the user's to say; those of numbers come first."""
    for call in scene.calls("sort_values"):
        owner = owner_of(call)
        columns = scene.columns(owner) if owner is not None else {}
        if call.args or keyword(call, "by") is not None:
            continue
        numbers = [name for name, facts in columns.items() if re.match(r"\s*u?(?:int|float)", facts)]
        numbers = [*numbers[-1:], *numbers[:-1]]  # what was worked out last is what is looked at
        names = [*numbers, *(name for name in columns if name not in numbers)]
        start = scene.cell.span(call.func)[1]
        opening = scene.cell.source.index("(", start) + 1
        for place, name in enumerate(names[:_MOST]):
            text = f'"{name}"' if '"' not in name and "\\" not in name else repr(name)
            why = f"A table is sorted by columns that are named: {name!r} is one of {len(names)}."
            edit = SpanEdit(opening, opening, f"{text}, " if call.keywords else text)
            yield scene.proposal([edit], why, "column to sort by", 0.9 if len(names) == 1 else 0.45 - place / 20)


column_arguments: Rule = answers(
    "column_arguments",
    (r"percentiles should all be in the interval \[0, 1\]|Quantiles must be in the range \[0, 1\]", _shares),
    (
        r"only list-like (?:or dict-like )?objects are allowed to be passed to (?:DataFrame\.)?isin\(\)",
        _list_to_look_in,
    ),
    (r"No axis named (?P<word>[A-Za-z]\w*) for object type", _axis),
    (r"No axis named (?P<number>-?\d+) for object type (?P<kind>DataFrame|Series)", _numbered_axis),
    (r"sort_values\(\) missing 1 required positional argument: 'by'", _sorted_by),
)

RULES = (column_arguments,)
