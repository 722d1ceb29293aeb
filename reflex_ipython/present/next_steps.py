"""The cells that a user may want to go to where no fix has passed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reflex_ipython.models import CellRef, Failure, Repair

_EARLIER = 2
"""Earlier cells that are named at most."""


@dataclass(frozen=True)
class StepView:
    """A cell to go to.

    Parameters
    ----------
    label : str
        The button's words.
    title : str
        What it does, in a sentence.
    cell : CellRef
        Without an id: the cell that the panel is below.
    line : int or None
        The line (1-based) that the cursor goes to; None where it is not known.
    edit : bool
        Whether the keyboard goes into the cell's text; else the cell is selected.
    """

    label: str
    title: str
    cell: CellRef
    line: int | None
    edit: bool


def next_steps(repair: Repair) -> tuple[StepView, ...]:
    """The cells to go to: those that should have made it possible, then the failing one. None where a fix has passed.

    Parameters
    ----------
    repair : Repair
    """
    failure = repair.failure
    if failure is None or not repair.is_open_without_a_pass:
        return ()
    own = failure.situation.cell
    line = _own_line(failure)
    where = f", at line {line}" if line else ""
    here = StepView("Edit this cell", f"Put the cursor into this cell{where}", own, line, True)
    return (*list(_earlier(failure))[:_EARLIER], here)


def _earlier(failure: Failure) -> Iterator[StepView]:
    """The cells that should have set the name, the last one that ran first, and the one whose function failed."""
    own = failure.situation.cell
    setters = failure.lookup.setters if failure.lookup is not None else ()
    seen = {own.id}
    for setter in reversed(setters):
        if setter.cell.id not in (None, *seen):
            seen.add(setter.cell.id)
            title = f"Show the cell that should have set `{failure.lookup.wanted}`" if failure.lookup else ""
            yield _go(setter.cell, title, setter.error_line)
    frame = next((one for one in reversed(failure.error.frames) if one.cell is not None), None)
    if frame is not None and frame.cell is not None and frame.cell.id not in (None, *seen):
        yield _go(frame.cell, f"Show the cell in whose code it failed, at line {frame.lineno}", frame.lineno)


def _go(cell: CellRef, title: str, line: int | None) -> StepView:
    name = f"In [{cell.execution_count}]" if cell.execution_count else "that cell"
    return StepView(f"Go to {name}", title.replace("`", ""), cell, line, False)


def _own_line(failure: Failure) -> int | None:
    """The line of the failing cell to begin at."""
    if failure.syntax is not None and failure.syntax.lineno:
        return failure.syntax.lineno
    frame = next((one for one in reversed(failure.error.frames) if one.cell is not None), None)
    inside = frame is not None and frame.cell == failure.situation.cell
    return frame.lineno if frame is not None and inside else failure.lineno
