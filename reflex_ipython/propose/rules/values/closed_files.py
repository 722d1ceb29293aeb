"""A file that is asked for something behind the `with` block that has closed it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.reading import Reading, reading


def closed_file(failure: Failure) -> Iterator[Proposal]:
    """`with open(p) as f: …` and then `f.read()`: what stands behind the block goes into it."""
    if failure.error.ename != "ValueError" or "closed file" not in failure.error.evalue:
        return
    read = reading(failure)
    statement = read.statement if read is not None else None
    if read is None or statement is None:
        return
    block = _before(read, statement)
    names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
    if block is None or not names & _opened(block):
        return
    first = block.body[0]
    indent = " " * (first.col_offset - block.col_offset)
    lines = range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
    starts = [read.cell.offset(line, 0) + block.col_offset for line in lines]
    why = "The `with` block closes the file at its end; what reads it belongs inside."
    edits = [SpanEdit(start, start, indent) for start in starts]
    if first.lineno > block.lineno:
        yield from read.propose(edits, why, "inside the block", 0.93)


def _before(read: Reading, statement: ast.stmt) -> ast.With | None:
    """The `with` block right in front of a statement."""
    parent = read.parent(statement)
    body = getattr(parent, "body", [])
    if statement not in body or body.index(statement) == 0:
        return None
    before = body[body.index(statement) - 1]
    return before if isinstance(before, ast.With) else None


def _opened(block: ast.With) -> set[str]:
    return {item.optional_vars.id for item in block.items if isinstance(item.optional_vars, ast.Name)}
