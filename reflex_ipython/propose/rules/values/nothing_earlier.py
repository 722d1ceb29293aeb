"""A name that is None since an earlier cell assigned it what gives nothing: the mistake is in that cell."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.models import CellSource
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.cell import read as cell_of
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.missing_return import IN_PLACE, without_return
from reflex_ipython.propose.rules.values.reading import Reading, short


def nothing_of_an_earlier_cell(read: Reading, name: str, source: CellSource, made: ast.Assign) -> Iterator[Proposal]:
    """`df = df.dropna(inplace=True)`, `items = items.sort()`, `x = f()` or `x = o.m()` without a `return` in that.

    Parameters
    ----------
    read : Reading
        Of the failing cell.
    name : str
        The name that is None there.
    source, made : CellSource, ast.Assign
        The cell that assigned it last, and the assignment.
    """
    call, cell = made.value, cell_of(source.source)
    if not isinstance(call, ast.Call):
        return
    if isinstance(call.func, ast.Attribute):
        edit, gives = _of_method(cell, call, name, made)
        if edit is not None:
            number = source.cell.execution_count
            where = f"In [{number}]" if number is not None else "An earlier cell"
            why = f"{where}: `{short(cell.text(call.func))}` gives nothing back, and `{name}` became that; {gives}."
            yield Proposal(apply(cell.source, [edit]), why, "result of the method", 0.95, source)
            return
    yield from without_return(read, call)


def _of_method(cell: Cell, call: ast.Call, name: str, made: ast.Assign) -> tuple[SpanEdit | None, str]:
    """What makes the assignment give something, and what that is."""
    assert isinstance(call.func, ast.Attribute)
    if cell.text(call.func.value) != name:
        return None, ""
    in_place = next((one for one in call.keywords if one.arg == "inplace"), None)
    if in_place is not None and isinstance(in_place.value, ast.Constant) and in_place.value.value is True:
        return cell.without(call, in_place), "without `inplace=True` it gives what was changed"
    if call.func.attr in IN_PLACE:
        start, end = cell.span(made)
        return SpanEdit(start, end, cell.text(call)), f"without the assignment `{name}` stays what was changed"
    return None, ""
