"""Which cells a fix of earlier cells has to run again, out of those that have run in this kernel."""

from __future__ import annotations

import dataclasses

from reflex_ipython.capture.dataflow import names
from reflex_ipython.capture.reruns import is_state_changed, redefined, reruns
from reflex_ipython.ipython.cells import CellLog, RanCell
from reflex_ipython.models import Cause, CellChanges, CellRef, CellSource, Edit, Failure, Fix, RunCell

NEW_TEXT = "with its new text"


class EditedCells:
    """Knows the cells that ran.

    Parameters
    ----------
    log : CellLog
    """

    def __init__(self, log: CellLog) -> None:
        self._log = log

    def complete(self, fix: Fix, cause: Cause) -> Fix:
        """The fix with the runs that its edits of other cells need to take effect: the same, if they need none.

        Functions and classes get their new code in place, so that nothing has to run for those that the failing cell
        calls. Of others it is what they have computed before that was wrong, so that is computed again.
        """
        situation = cause.situation
        edits = [edit for edit in fix.edits if edit.target != situation.place and isinstance(edit.target, CellRef)]
        asked = [step for step in fix.runs_first if not fix.is_candidate]
        needs_runs = any(
            is_state_changed(edit.expected, edit.source) or _is_of_before(edit, fix, cause) for edit in edits
        )
        if not asked and (fix.runs_first or not needs_runs):
            return fix
        changed = [edit for edit in edits if edit.source != edit.expected]
        begin = {**{step.cell: step.source for step in asked}, **{edit.cell: edit.source for edit in changed}}
        failing = Edit(situation.cell, situation.source, fix.source_of(situation.place, situation.source))
        there = {**{step.cell: step.source for step in asked}, **{edit.cell: edit.expected for edit in changed}}
        found = reruns(self._ran(situation.cell, there), begin, failing.expected, failing.source)
        if found is None:
            return fix
        whys = {**{step.cell: step.why for step in asked}, **{edit.cell: NEW_TEXT for edit in changed}}
        first = [RunCell(cell.cell, cell.source, None, whys.get(cell.cell, why)) for cell, why in found.cells]
        others = [step for step in fix.steps if not isinstance(step, RunCell)]
        return dataclasses.replace(fix, steps=(*first, *others))

    def stale(self, changes: CellChanges) -> tuple[str, ...]:
        """The names that stay as they were computed from what a fix makes anew."""
        begin = {edit.cell: edit.source for edit in changes.run_anew}
        if not begin:
            return ()
        failing = changes.failing
        ran = self._ran(failing.cell, {edit.cell: edit.expected for edit in changes.run_anew})
        found = reruns(ran, begin, failing.expected, failing.source)
        return found.stale if found is not None else ()

    def _ran(self, failing: CellRef, begin: dict[CellRef, str]) -> list[CellSource]:
        """The cells that ran well before the failing one did, each as it ran last, and those that begin."""
        latest: dict[str, RanCell] = {}
        for cell in self._log.all():
            if cell.ref == failing:
                break
            key = cell.id or str(cell.number)
            latest.pop(key, None)
            latest[key] = cell
        return [
            CellSource(cell.ref, cell.source)
            for cell in latest.values()
            if self._log.ending(cell) is None or begin.get(cell.ref) == cell.source
        ]


def _is_of_before(edit: Edit, fix: Fix, cause: Cause) -> bool:
    """Whether an edit changes functions or classes that the failing cell does not call, by name or as it failed."""
    running = {frame.cell for frame in cause.error.frames} if isinstance(cause, Failure) else set()
    situation, changed = cause.situation, redefined(edit.expected, edit.source)
    called = names(fix.source_of(situation.place, situation.source)).reads
    return bool(changed) and edit.target not in running and changed.isdisjoint(called)
