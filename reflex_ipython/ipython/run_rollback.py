"""Putting the state back to before whole runs: that of an accepted fix, or those of the last cells."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, NamedTuple

from reflex_ipython.errors import BadInput
from reflex_ipython.ipython.cell_run import CellRun, close_again, open_figures
from reflex_ipython.ipython.interrupts import held
from reflex_ipython.ipython.kept_runs import KeptRuns
from reflex_ipython.state.restoration import Restoration

if TYPE_CHECKING:
    from reflex_ipython.ipython.cells import RanCell

HALF_WAY = (
    "interrupted half way: some of what the cell had changed is back, the rest is not, and nothing is known of it any "
    "more; run the cells again that make it"
)
ELSEWHERE = "what is kept in context variables (it ran in a context that can't be got at)"
TOO_MANY = "Only the last {} can be taken back: the setting `keep_cells` says how many are kept, `back_bytes` how much."


class HalfWay(Exception):
    """Putting a state back was interrupted."""


class TakenBack(NamedTuple):
    """A run that is undone: its cell, what came of it in words, whether it was that of an accepted fix."""

    cell: RanCell
    words: str
    was_accepted: bool


def undo_accepted(kept: KeptRuns) -> str:
    """Put the state back to where the last cell began, if that was the run of an accepted fix.

    Parameters
    ----------
    kept : KeptRuns

    Returns
    -------
    str
        What came of it, in words; empty if it was none, or if nothing of it is held any more.
    """
    run = kept.of_last_cell
    try:
        return "" if run is None or run.begun is None else _roll_back(kept, run, run.begun)
    except HalfWay:
        return HALF_WAY


def take_back(kept: KeptRuns, count: int = 1) -> list[TakenBack]:
    """Put the state back to before the last cells, however they ended; to before all of one that was resumed.

    Parameters
    ----------
    kept : KeptRuns
    count : int
        How many cells.

    Returns
    -------
    list of TakenBack
        The latest first.

    Raises
    ------
    BadInput
        If that can't be done, with the reason. Nothing is put back then, unless it was interrupted half way.
    """
    runs = kept.all()
    if not runs:
        raise BadInput(kept.why_not)
    if len(runs) < count:
        raise BadInput(TOO_MANY.format(f"{len(runs)} cells" if len(runs) > 1 else "cell"))
    try:
        return [TakenBack(run.cell, _roll_back(kept, run, 0), run.begun is not None) for run in runs[:count]]
    except HalfWay:
        raise BadInput(f"{HALF_WAY[0].upper()}{HALF_WAY[1:]}.") from None


def _roll_back(kept: KeptRuns, run: CellRun, start: int) -> str:
    """Put the state back to before the statement of that index of a run; gives what came of it, in words."""
    with held():  # half a way back is none
        try:
            figures = open_figures()
            begun = start < len(run.journal)  # else no statement was left to run
            restored = _there(run, start) if begun else Restoration()
            close_again(figures)
        except KeyboardInterrupt:  # the second one, or one that struck what ends
            raise HalfWay from None
        finally:
            kept.forget(run)  # not its journal: it is needed, if the same fix is accepted again
    return restored.words


def _there(run: CellRun, start: int) -> Restoration:
    """Where it ran, as a page's message comes in a context of its own: what context variables have is put back, too."""
    restored, there = run.context.run(lambda: run.journal.rollback(start, run.end))
    return restored if there else dataclasses.replace(restored, except_names=(*restored.except_names, ELSEWHERE))
