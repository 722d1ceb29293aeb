"""Rows and columns of a list of lists that changed places."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.reading import Reading, reading, short


def swapped_indices(failure: Failure) -> Iterator[Proposal]:
    """`grid[c][r]` in loops whose ends fit the other way round: `grid[r][c]`."""
    read = reading(failure) if failure.error.ename == "IndexError" else None
    for node in [one for one in read.here if isinstance(one, ast.Subscript)] if read is not None else []:
        assert read is not None
        inner = node.value
        if not isinstance(inner, ast.Subscript) or not isinstance(inner.slice, ast.Name):
            continue
        rows = read.first_items(inner.value)
        if not isinstance(node.slice, ast.Name) or not isinstance(rows, list) or not read.sound(node):
            continue
        if not all(isinstance(row, (list, str)) and len(row) == len(rows[0]) for row in rows):
            continue
        first, second = _ends(read, inner.slice.id), _ends(read, node.slice.id)
        if rows and first != second and (first, second) == (len(rows[0]), len(rows)):
            text = short(read.text(inner.value))
            why = f"`{text}` has {len(rows)} rows of {len(rows[0])}: the loops count the other way round."
            edits = [
                SpanEdit(*read.cell.span(inner.slice), node.slice.id),
                SpanEdit(*read.cell.span(node.slice), inner.slice.id),
            ]
            yield from read.propose(edits, why, "order of indices", 0.93)


def _ends(read: Reading, name: str) -> int | None:
    """Where the loop ends that counts with this variable, if it is a number that is known."""
    loop = read.loop_of(name)
    call = loop.iter if loop is not None else None
    if not isinstance(call, ast.Call) or read.called(call) != "range" or len(call.args) != 1:
        return None
    stop = call.args[0]
    if isinstance(stop, ast.Call) and read.called(stop) == "len" and len(stop.args) == 1:
        held = read.first_items(stop.args[0])
        return len(held) if isinstance(held, list) else _of_a_row(read, stop.args[0])
    value = read.value(stop)
    return value if type(value) is int else None


def _of_a_row(read: Reading, node: ast.expr) -> int | None:
    """The length of `grid[0]`."""
    if not isinstance(node, ast.Subscript):
        return None
    rows, place = read.first_items(node.value), read.value(node.slice)
    if not isinstance(rows, list) or type(place) is not int or not 0 <= place < len(rows):
        return None
    return len(rows[place]) if isinstance(rows[place], (list, str)) else None
