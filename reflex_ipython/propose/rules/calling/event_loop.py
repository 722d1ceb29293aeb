"""Functions that start the event loop, which a notebook runs already."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.edits import candidate
from reflex_ipython.propose.rules.calling.awaited import may_wait
from reflex_ipython.propose.rules.calling.nodes import last_name
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes

_RUNS = re.compile(
    r"asyncio\.run\(\) cannot be called from a running event loop|This event loop is already running"
    r"|Cannot run the event loop while another loop is running|Runner\.run\(\) cannot be called from a running"
)


def running_loop(failure: Failure) -> Iterator[Proposal]:
    """`asyncio.run(main())`, `loop.run_until_complete(main())`: `await main()`."""
    cell = failing_cell(failure)
    if cell is None or failure.error.ename != "RuntimeError" or not _RUNS.match(failure.error.evalue):
        return
    for call in failing_nodes(failure, cell):
        if not isinstance(call, ast.Call) or last_name(call.func) not in ("run", "run_until_complete"):
            continue
        if not call.args or isinstance(call.args[0], ast.Starred) or not may_wait(cell, call):
            continue
        tight = isinstance(cell.parent(call), (ast.Attribute, ast.Subscript, ast.Call))
        text = f"await {cell.text(call.args[0])}"
        why = "The notebook runs an event loop already, so what is `async` is waited for with `await` alone."
        yield from candidate(
            cell, [SpanEdit(*cell.span(call), f"({text})" if tight else text)], why, "running event loop", 0.97
        )
