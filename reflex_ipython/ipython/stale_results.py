"""Which results are of values that are no more: after an accepted fix has run, and after a run was taken back."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from reflex_ipython.capture.stale_cells import Anew, stale_cells
from reflex_ipython.ipython.cells import TAKEN_BACK, CellLog, RanCell
from reflex_ipython.models import CellRef, CellSource, Repair, StaleCell, applied_changes

_log = logging.getLogger(__name__)


class StaleResults:
    """Knows the cells that ran.

    Parameters
    ----------
    log : CellLog
    """

    def __init__(self, log: CellLog) -> None:
        self._log = log

    def after(self, repair: Repair) -> tuple[StaleCell, ...]:
        """The cells that have used what an accepted fix, which has run well, makes otherwise; on any thread."""
        changes = applied_changes(repair)
        ran = self._log.begun()
        swapped = [edit for edit in changes.swapped if isinstance(edit.target, CellRef)]
        anew = [
            Anew(changes.failing.cell, changes.failing.source),
            *(Anew(cell.ref, cell.source) for cell in ran[-1:]),  # without ids, the fixed cell is another one
            *(Anew(step.cell, step.source) for step in changes.first),
            *(Anew(edit.cell, edit.source, edit.expected) for edit in swapped),
        ]
        return _stale([one for cell in ran if (one := self._in_effect(cell)) is not None], anew)

    def behind(self, cell: RanCell) -> tuple[StaleCell, ...]:
        """The cells that have used what a run has made which was taken back. Their own were taken back before that."""
        later = [CellSource(one.ref, one.source) for one in self._log.all() if one.number >= cell.number]
        return _stale(later, [Anew(cell.ref, "")])

    def _in_effect(self, cell: RanCell) -> CellSource | None:
        """The cell with its runs that were not taken back."""
        before, ending = self._log.runs_before(cell), self._log.ending(cell)
        if ending is TAKEN_BACK:
            return CellSource(CellRef(cell.id, before[-1]), cell.source, runs=before[:-1]) if before else None
        if ending is None:
            return CellSource(cell.ref, cell.source, runs=before)
        return CellSource(cell.ref, cell.source, ending.error, ending.line, before)


def _stale(cells: Sequence[CellSource], anew: Sequence[Anew]) -> tuple[StaleCell, ...]:
    try:
        return stale_cells(cells, anew)
    except RecursionError:  # a text within texts that nobody has written
        _log.debug("what is stale was not found out", exc_info=True)
        return ()
