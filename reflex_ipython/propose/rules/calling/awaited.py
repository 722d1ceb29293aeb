"""Results of `async` functions that nobody has waited for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.edits import candidate
from reflex_ipython.propose.rules.calling.nodes import last_name
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes

_WAITED_FOR = re.compile(r"coroutine|'(?:_?asyncio\.)?(?:\w+\.)?(?:_GatheringFuture|Future|Task)'")
_OF_ASYNCIO = frozenset({"gather", "create_task", "ensure_future", "wait_for"})
_Functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def missing_await(failure: Failure) -> Iterator[Proposal]:
    """`fetch(1) + 1`, where `fetch` is `async`: `await fetch(1) + 1`, also where the result was kept first."""
    if failure.error.ename not in ("TypeError", "AttributeError") or not _WAITED_FOR.search(failure.error.evalue):
        return
    cell = failing_cell(failure)
    if cell is None:
        return
    cells = [cell, *(read(one.source) for one in failure.situation.earlier)]
    waiting = _OF_ASYNCIO | {node.name for one in cells for node in one.every(ast.AsyncFunctionDef)}
    here = failing_nodes(failure, cell)
    names = {node.id for node in here if isinstance(node, ast.Name)}
    calls = [node for node in here if isinstance(node, ast.Call)]
    calls += [
        node.value
        for node in cell.every(ast.Assign)
        if isinstance(node.value, ast.Call) and any(ast.unparse(one) in names for one in node.targets)
    ]
    wanted = [one for one in dict.fromkeys(calls) if last_name(one.func) in waiting and may_wait(cell, one)]
    edits: list[SpanEdit] = []
    for call in wanted:
        start, end = cell.span(call)
        tight = isinstance(cell.parent(call), (ast.Attribute, ast.Subscript))
        edits += [
            SpanEdit(start, start, "(await " if tight else "await "),
            *([SpanEdit(end, end, ")")] if tight else []),
        ]
    told = ", ".join(f"`{name}`" for name in dict.fromkeys(last_name(one.func) for one in wanted))
    why = f"{told} is `async`: a call gives something to wait for, and `await` gives its result."
    yield from candidate(cell, edits, why, "missing await", 0.95)


def async_loop(failure: Failure) -> Iterator[Proposal]:
    """`for x in gen()`, where `gen` is an `async` generator: `async for x in gen()`."""
    cell = failing_cell(failure)
    if cell is None or "'async_generator' object is not iterable" not in failure.error.evalue:
        return
    for node in failing_nodes(failure, cell):
        if isinstance(node, ast.For):
            place = cell.span(node)[0]
        elif isinstance(node, ast.comprehension):
            place = cell.source.rindex("for", 0, cell.span(node.target)[0])
        else:
            continue
        why = "What an `async` generator gives is waited for: `async for`."
        yield from candidate(cell, [SpanEdit(place, place, "async ")], why, "async loop", 0.95)


def may_wait(cell: Cell, call: ast.AST) -> bool:
    """Whether `await` or `async` may stand there: at the top of the cell, or in an `async` function."""
    if isinstance(cell.parent(call), ast.Await):
        return False
    around = next((node for node in cell.around(call) if isinstance(node, _Functions)), None)
    return around is None or isinstance(around, ast.AsyncFunctionDef)
