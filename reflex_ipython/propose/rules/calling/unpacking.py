"""One list where several arguments are taken."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.article import a
from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.edits import candidate
from reflex_ipython.propose.rules.calling.lists_given import NOT_INTEGER
from reflex_ipython.propose.rules.calling.nodes import (
    failing_calls,
    is_plain,
    last_name,
    type_of,
)
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes

_MISSING = re.compile(
    r"missing (?:\d+ )?required (?:positional )?arguments?|expected at least \d+ arg|takes exactly \w+ arg"
)
_ITERABLE = frozenset({"list", "tuple", "ndarray", "Series", "dict_values", "set", "range"})


def list_as_arguments(failure: Failure) -> Iterator[Proposal]:
    """`distance(point)`: `distance(*point)`; `fit(options)`: `fit(**options)`; `rand((2, 3))`: `rand(2, 3)`."""
    cell, text = failing_cell(failure), failure.error.evalue
    if cell is None or failure.error.ename not in ("TypeError", "ValueError"):
        return
    missing, integer = _MISSING.search(text), NOT_INTEGER.search(text)
    shape = re.search(r"must be a positive integer, not [(\[]", text)
    paths = "expected str, bytes or os.PathLike object, not list" in text
    if not (missing or integer or shape or paths):
        return
    calls = failing_calls(failure, cell) if missing else _with_list(failure, cell)
    for call in calls if missing else ():
        yield from _starred(failure, cell, call)
    for call in calls:
        if len(call.args) != 1 or call.keywords or isinstance(call.args[0], ast.Starred):
            continue
        name, (argument,) = last_name(call.func), call.args
        if name == "range" or (paths and name != "join"):
            continue
        kind, start = type_of(failure, argument), cell.span(argument)[0]
        if isinstance(argument, (ast.Tuple, ast.List)) and argument.elts:
            first, last = cell.span(argument.elts[0])[0], cell.span(argument.elts[-1])[1]
            why = f"`{name}` takes its arguments one by one, not as {a(kind)}."
            edits = [SpanEdit(start, first, ""), SpanEdit(last, cell.span(argument)[1], "")]
            yield from candidate(cell, edits, why, "list as arguments", 0.9)
        elif kind == "dict":
            why = f"`{name}` takes its arguments by name: `**` takes them from the dict."
            yield from candidate(cell, [SpanEdit(start, start, "**")], why, "dict as arguments", 0.92)
        elif kind in _ITERABLE or (not kind and not isinstance(argument, ast.Constant)):
            why = f"`{name}` takes its arguments one by one: `*` takes them from `{cell.text(argument)}`."
            yield from candidate(cell, [SpanEdit(start, start, "*")], why, "list as arguments", 0.9 if kind else 0.6)


def _starred(failure: Failure, cell: Cell, call: ast.Call) -> Iterator[Proposal]:
    """Several arguments, of which the last or all are sequences: `line(x, params)`: `line(x, *params)`."""
    kinds = [type_of(failure, argument) for argument in call.args]
    if len(kinds) < 2 or call.keywords or not is_plain(call) or kinds[-1] not in _ITERABLE:
        return
    nodes = call.args if all(kind in _ITERABLE for kind in kinds) else call.args[-1:]
    starts = [cell.span(node)[0] for node in nodes]
    told = " and ".join(f"`{cell.text(node)}`" for node in nodes)
    why = f"`{last_name(call.func)}` takes its arguments one by one: `*` takes them from {told}."
    yield from candidate(cell, [SpanEdit(start, start, "*") for start in starts], why, "list as arguments", 0.85)


def _with_list(failure: Failure, cell: Cell) -> list[ast.Call]:
    return [node for node in failing_nodes(failure, cell) if isinstance(node, ast.Call)]
