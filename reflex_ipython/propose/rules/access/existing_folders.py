"""Folders that are to be made, and are there already."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.edits import candidate
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes


def folder_that_is_there(failure: Failure) -> Iterator[Proposal]:
    """`os.mkdir("out")`: `os.makedirs("out", exist_ok=True)`; `path.mkdir()`: `path.mkdir(exist_ok=True)`."""
    cell = failing_cell(failure)
    if cell is None or failure.error.ename != "FileExistsError":
        return
    for call in failing_nodes(failure, cell):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        name, end = call.func.attr, cell.span(call)[1] - 1
        if name not in ("mkdir", "makedirs") or any(one.arg == "exist_ok" for one in call.keywords):
            continue
        given = bool(call.args or call.keywords)
        edits = [SpanEdit(end, end, f"{', ' if given else ''}exist_ok=True")]
        if name == "mkdir" and failure.situation.meanings.get(ast.unparse(call.func.value), "") == "os":
            stop = cell.span(call.func)[1]
            edits.append(SpanEdit(stop - len("mkdir"), stop, "makedirs"))
        why = "The folder is there already; with `exist_ok=True` it may be."
        yield from candidate(cell, edits, why, "folder that is there", 0.93)
