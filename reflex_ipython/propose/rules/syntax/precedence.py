"""Comparisons around `&` and `|` of a cell that has just been mended: it parses, and asks something else."""

from __future__ import annotations

import ast

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.propose.rules.cell import Cell, read

WHY = "`&` and `|` bind more tightly than comparisons do; brackets around each comparison keep them apart."
_BITWISE = (ast.BitAnd, ast.BitOr)


def kept_apart(source: str) -> str | None:
    """`df[a > 2 & (b == 3)]`: `df[(a > 2) & (b == 3)]`; None where no comparison is torn apart.

    Parameters
    ----------
    source : str
        A text that parses.
    """
    cell = read(source)
    edits = [
        edit
        for subscript in cell.every(ast.Subscript)
        if isinstance(subscript.slice, ast.Compare)
        for edit in _around(cell, subscript.slice)
    ]
    return apply(source, edits) if edits else None


def _around(cell: Cell, node: ast.Compare) -> list[SpanEdit]:
    parts = (node.left, *node.comparators)
    torn = [part for part in parts if isinstance(part, ast.BinOp) and isinstance(part.op, _BITWISE)]
    whole = len(node.ops) == 1 and not any(isinstance(part.right, ast.Compare) for part in torn)
    if not torn or whole or _bracketed(cell, torn[0]):
        return []  # `flags & 1 == 0` is one comparison
    start, end = cell.span(node)
    edits = [SpanEdit(start, start, "("), SpanEdit(end, end, ")")]
    for part in torn:
        left, right = cell.span(part.left)[1], cell.span(part.right)[0]
        edits.append(SpanEdit(left, left, ")"))
        if part is parts[-1] and _bracketed(cell, part.right):
            edits.remove(SpanEdit(end, end, ")"))  # the last comparison has its own
        else:
            edits.append(SpanEdit(right, right, "("))
    return edits


def _bracketed(cell: Cell, node: ast.expr) -> bool:
    start, end = cell.span(node)
    return cell.source[:start].rstrip().endswith("(") and cell.source[end:].lstrip().startswith(")")
