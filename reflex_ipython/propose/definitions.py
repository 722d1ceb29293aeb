"""A model that answers with the repaired function alone, of a cell that holds more: put in the place of the old one.

That is for an earlier cell, whose other statements have run: an answer without them does not mean to delete them.
"""

from __future__ import annotations

import ast

from reflex_ipython.base.spans import first_line
from reflex_ipython.propose.magics import tree

_Definition = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def put_in_place(code: str, old: str) -> str:
    """The old cell with the answer's functions and classes for its own; the answer, if it holds anything else."""
    before, after = tree(old), tree(code)
    if before is None or after is None or len(after.body) >= len(before.body):
        return code
    places = {name: span for name, *span in _definitions(before)}
    new = _definitions(after)
    if len(new) != len(after.body) or not all(name in places for name, *_ in new):
        return code
    lines, answered = old.split("\n"), code.split("\n")
    for name, first, last in sorted(new, key=lambda one: places[one[0]], reverse=True):
        start, end = places[name]
        lines[start:end] = answered[first:last]
    return "\n".join(lines)


def _definitions(cell: ast.Module) -> list[tuple[str, int, int]]:
    """The functions and classes at the top level, each with its first line (0-based) and the line after its last."""
    found = [node for node in cell.body if isinstance(node, _Definition)]
    return [(node.name, first_line(node) - 1, node.end_lineno or 0) for node in found]
