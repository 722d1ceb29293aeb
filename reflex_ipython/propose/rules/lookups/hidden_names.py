"""A builtin that the user's own value hides."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from reflex_ipython.base.article import a
from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.lookups.forms import where
from reflex_ipython.propose.rules.placement import import_edit
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes, variable_type

_NOT_CALLABLE = re.compile(r"'([\w.]+)' object is not callable")


def hidden_builtin(failure: Failure) -> Iterator[Proposal]:
    """`list(x)` after `list = [1]`: Python's own is asked for by `builtins.list`; the user's value stays.

    Sure where a cell before gave the name its value, and this one does nothing but call it.
    """
    match = _NOT_CALLABLE.match(failure.error.evalue) if failure.error.ename == "TypeError" else None
    cell = failing_cell(failure) if match is not None else None
    if cell is None or match is None:
        return
    failing = _calls(failure, cell)
    types = {name: variable_type(failure, name).removeprefix("builtins.") for name in map(_called, failing)}
    hidden = [name for name, kind in types.items() if kind in ("", match[1]) and name in failure.situation.names]
    for name in hidden:
        indexed = list(_index(cell, name, match[1], failing))
        yield from indexed
        sure = len(hidden) == 1 and not indexed and _only_called(cell, name)
        calls = [call for call in cell.every(ast.Call) if _called(call) == name]
        if name in cell.bound:
            yield from _renamed(cell, name, match[1], calls)
        yield from _asked_of_builtins(cell, name, match[1], calls, 1 if sure else 0.35 if name in cell.bound else 0.8)


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _only_called(cell: Cell, name: str) -> bool:
    """Whether the cell just calls the name: nothing of it would miss the user's value."""
    called = {node.func for node in cell.every(ast.Call)}
    reads = [node for node in cell.every(ast.Name) if node.id == name]
    return name not in cell.bound and all(node in called for node in reads)


def _calls(failure: Failure, cell: Cell) -> list[ast.Call]:
    """The calls of the failing statement that may be of a builtin."""
    nodes = failing_nodes(failure, cell)
    found = [node for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    return [call for call in found if isinstance(call.func, ast.Name) and hasattr(builtins, call.func.id)]


def _asked_of_builtins(cell: Cell, name: str, kind: str, calls: list[ast.Call], prior: float) -> Iterator[Proposal]:
    places = [where(cell, call.func) for call in calls]
    edits = [SpanEdit(place[0], place[1], f"builtins.{name}") for place in places if place is not None]
    if len(edits) == len(calls):
        edits.append(import_edit(cell, ["import builtins"]))
        why = f"Your own `{name}`, {a(f'`{kind}`')}, hides Python's; `builtins.{name}` is Python's."
        yield Proposal(apply(cell.source, edits), why, "hidden builtin", prior)


def _renamed(cell: Cell, name: str, kind: str, calls: list[ast.Call]) -> Iterator[Proposal]:
    """The cell's own variable gets another name."""
    called = {call.func for call in calls}
    nodes = [node for node in cell.every(ast.Name) if node.id == name and node not in called]
    new = f"{name}_value" if kind in ("int", "float", "str", "bool") else f"{name}_"
    while new in cell.bound:
        new += "_"
    places = [where(cell, node) for node in nodes]
    if nodes and all(places):
        edits = [SpanEdit(place[0], place[1], new) for place in places if place is not None]
        why = f"The cell calls {a(f'`{kind}`')} of its own `{name}`, which hides Python's; another name does not."
        yield Proposal(apply(cell.source, edits), why, "hidden builtin", 0.8)


def _index(cell: Cell, name: str, kind: str, calls: list[ast.Call]) -> Iterator[Proposal]:
    """`list(0)`, where the user's own list is meant: `list[0]`."""
    keys = {"list": int, "tuple": int, "dict": str, "DataFrame": str}
    for call in calls:
        one = call.args[0] if len(call.args) == 1 and not call.keywords else None
        if isinstance(one, ast.Constant) and type(one.value) is keys.get(kind) and _is_name(call.func, name):
            start, end = cell.span(call.func)[1], cell.span(call)[1]
            edits = [SpanEdit(start, start + 1, "["), SpanEdit(end - 1, end, "]")]
            why = f"`{name}` is {a(f'`{kind}`')} of your own; square brackets access its items."
            yield Proposal(apply(cell.source, edits), why, "brackets of an index", 0.6)


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
