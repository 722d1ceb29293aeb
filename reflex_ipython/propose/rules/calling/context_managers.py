"""What stands behind `with` and can't be entered."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from reflex_ipython.base.article import a
from reflex_ipython.base.spans import SpanEdit, apply, first_line
from reflex_ipython.models import CellSource, Failure
from reflex_ipython.propose.rules.access.edits import candidate
from reflex_ipython.propose.rules.calling.awaited import may_wait
from reflex_ipython.propose.rules.calling.nodes import last_name, type_of
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.placement import import_edit
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes

_REFUSED = re.compile(
    r"'(?:[\w.]+\.)?(\w+)' object does not support the (asynchronous )?context manager protocol|__(a?)enter__"
)


def not_entered(failure: Failure) -> Iterator[Proposal]:
    """`with lock:` of an asyncio lock, `with` of a generator without its decorator, of what has just `close`."""
    match = _REFUSED.match(failure.error.evalue) if failure.error.ename in ("TypeError", "AttributeError") else None
    cell = failing_cell(failure) if match is not None else None
    if cell is None or match is None:
        return
    for node in failing_nodes(failure, cell):
        if isinstance(node, ast.AsyncWith) and (match[2] or match[3]):
            start = cell.span(node)[0]
            gap = cell.source.index("with", start) - start
            why = "What is entered here has nothing to wait for: `with` alone."
            yield from candidate(cell, [SpanEdit(start, start + gap, "")], why, "plain with", 0.9)
        elif isinstance(node, ast.With) and not (match[2] or match[3]):
            for item in node.items:
                yield from _entered(failure, cell, node, item.context_expr, match[1] or "")


def _entered(failure: Failure, cell: Cell, node: ast.With, entered: ast.expr, kind: str) -> Iterator[Proposal]:
    function = last_name(entered.func) if isinstance(entered, ast.Call) else ""
    found = _definition(failure, cell, function)
    if kind == "generator" or (not kind and found is not None and _yields(found.node)):
        yield from _decorated(failure, found) if found is not None else ()
        return
    kind = kind or type_of(failure, entered)  # before Python 3.11 the message does not name it
    methods = _methods(failure, cell, kind or function)
    waits = cell.text(entered).startswith("asyncio.") or "__aenter__" in methods
    waits = waits or "async with" in failure.error.evalue or (kind in ("Lock", "Semaphore", "Condition", "Timeout"))
    start, end = cell.span(entered)
    if waits and may_wait(cell, node):
        place = cell.span(node)[0]
        why = f"{a(f'`{kind or cell.text(entered)}`', capital=True)} is entered with `async with`: it may have to wait."
        yield from candidate(cell, [SpanEdit(place, place, "async ")], why, "async with", 0.93)
    elif "close" in methods:
        edits = [SpanEdit(start, end, f"closing({cell.text(entered)})"), import_edit(cell, _CLOSING)]
        what = a(f"`{kind or function}`", capital=True)
        why = f"{what} can't be entered, but has `close`; `closing` calls it at the end of the block."
        yield from candidate(cell, edits, why, "closing", 0.8)


_CLOSING = ["from contextlib import closing"]
_DECORATOR = ["from contextlib import contextmanager"]


def _methods(failure: Failure, cell: Cell, name: str) -> set[str]:
    """The methods that a class of the notebook defines itself."""
    cells = [cell, *(read(one.source) for one in failure.situation.earlier)]
    classes = (node for one in cells for node in one.every(ast.ClassDef) if node.name == name)
    return {
        node.name
        for owner in classes
        for node in owner.body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    }


class _Definition(NamedTuple):
    node: ast.FunctionDef
    cell: Cell
    source: CellSource | None  # None: the failing cell


def _definition(failure: Failure, cell: Cell, function: str) -> _Definition | None:
    """Where a function was defined last."""
    places: list[tuple[Cell, CellSource | None]] = [(cell, None)]
    places += [(read(one.source), one) for one in reversed(failure.situation.earlier)]
    for one, source in places:
        found = [node for node in one.every(ast.FunctionDef) if node.name == function]
        if found:
            return _Definition(found[-1], one, source)
    return None


def _yields(function: ast.FunctionDef) -> bool:
    return any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in ast.walk(function))


def _decorated(failure: Failure, found: _Definition) -> Iterator[Proposal]:
    """The decorator that makes of a generator function one for `with`."""
    function, cell, source = found
    start = cell.starts[first_line(function) - 1]
    indent = re.match(r"[ \t]*", cell.source[start:])
    line = f"{indent.group() if indent else ''}@contextmanager{cell.newline}"
    imported = import_edit(cell, _DECORATOR)
    text = apply(cell.source, [SpanEdit(start, start, line)])
    known = "contextmanager" in failure.situation.names or "contextmanager" in cell.bound
    if not known and imported.start <= start:
        text = apply(text, [imported])
    why = f"`{function.name}` is a generator; with `@contextmanager` it can stand behind `with`."
    if read(text).tree is not None:
        yield Proposal(text, why, "context manager", 0.95, source)
