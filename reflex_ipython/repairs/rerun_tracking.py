"""Which run of a cell is the outcome of which repair.

A run and the news that its fix was accepted come by different ways, in either order; and a run that fails again opens
a repair of its own.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterable

from reflex_ipython.models import CellRef, ExceptionInfo, Repair, Rerun, StaleCell, applied_changes, moment
from reflex_ipython.repairs.open_repair import OpenRepair
from reflex_ipython.repairs.open_repairs import OpenRepairs
from reflex_ipython.stages import Presenter


@dataclasses.dataclass(eq=False)
class TrackedRun:
    """A run of a cell.

    Parameters
    ----------
    cell : CellRef
    source : str
    started : float
        By the tracker's clock, in seconds.
    repair_id : str or None
        The repair whose outcome it is.
    end : tuple of (float, float, ExceptionInfo or None) or None
        When it ended, by that clock and in seconds since 1970, and what it raised; None while it runs.
    state : str
        What was put back for it, in words.
    plainly : bool
        Whether it runs whole on exactly the state before it: if it fails then, the new panel says all there is.
    """

    cell: CellRef
    source: str
    started: float
    repair_id: str | None = None
    end: tuple[float, float, ExceptionInfo | None] | None = None
    state: str = ""
    plainly: bool = True

    @property
    def rerun(self) -> Rerun | None:
        """How it went; None while it runs."""
        if self.end is None:
            return None
        ended, at, error = self.end
        ename, evalue = (error.ename, error.evalue) if error is not None else ("", "")
        return Rerun(error is None, moment(at), ename, evalue, round(ended - self.started, 3), self.state)


class RerunTracker:
    """The runs of one kernel's cells, one at a time.

    Parameters
    ----------
    repairs : OpenRepairs
    presenter : Presenter
        Says below the cell what was put back.
    clock : callable
        Seconds, for durations.
    stale : callable
        Says which cells have used what an accepted fix, which has run well, makes otherwise.
    """

    def __init__(
        self,
        repairs: OpenRepairs,
        presenter: Presenter,
        clock: Callable[[], float],
        stale: Callable[[Repair], tuple[StaleCell, ...]],
    ) -> None:
        self._repairs = repairs
        self._presenter = presenter
        self._clock = clock
        self._stale = stale
        self._run: TrackedRun | None = None
        """The one that runs now, or ran last."""

    def concerned(self, cell: CellRef, source: str) -> list[Repair]:
        """The repairs whose outcome a run of that cell may be. Without cell ids, only the text can tell."""
        repairs = self._repairs.all()
        if cell.id is None:
            return [repair for repair in repairs if awaits(repair, source)]
        return [repair for repair in repairs if repair.situation.cell.id == cell.id]

    def starts(self, cell: CellRef, source: str, concerned: Iterable[Repair]) -> None:
        """A cell begins to run: it is the outcome of the one of those repairs that awaits it."""
        self._run = TrackedRun(cell, source, self._clock())
        with self._repairs.lock:  # one may be forgotten on another thread
            for repair in concerned:
                if repair.id in self._repairs and awaits(self._repairs[repair.id], source):
                    self._run.repair_id = repair.id

    def becomes(self, repair_id: str, cell: CellRef, source: str) -> None:
        """The run of a cell goes on with another text, that of a repair."""
        if self._run is None or self._run.end is not None or self._run.cell.id != cell.id:
            self._run = TrackedRun(cell, source, self._clock())  # when it began, there was nobody to note it
        self._run.source, self._run.repair_id = source, repair_id

    def failed(self, opened: OpenRepair) -> None:
        """The run has failed, and this is the repair of its failure."""
        opened.failed_run = self._run

    def led_to(self, repair_id: str) -> Repair | None:
        """The repair of the failure in which the accepted run of a repair has ended."""
        runs = [(opened.repair, opened.failed_run) for opened in self._repairs.all_open()]
        found = [repair for repair, run in runs if run is not None and run.repair_id == repair_id]
        return found[-1] if found else None

    def resumed(self, words: str, *, plainly: bool) -> None:
        """What was put back for the run; see `TrackedRun.state` and `TrackedRun.plainly`."""
        if self._run is not None:
            self._run.state, self._run.plainly = words, plainly

    def ended(self, error: ExceptionInfo | None) -> None:
        """The run has ended: if it was of a repaired cell, that is the repair's outcome."""
        run = self._run
        if run is None or run.end is not None:
            return
        run.end = self._clock(), time.time(), error
        with self._repairs.lock:
            self._note(run)
            if error is None:
                self._ran_again(run.cell)
            told = error is None or (run.state and not run.plainly)
            if run.repair_id and run.repair_id in self._repairs and told:
                self._presenter.note(self._repairs[run.repair_id])

    def accepted(self, repair: Repair) -> None:
        """The news of an acceptance: its run may have begun, or be over, by then."""
        run = self._run
        if run is None or run.repair_id is not None or self._repairs.open(repair.id).failed_run is run:
            return
        if run.cell.id is not None and run.cell.id == repair.situation.cell.id and awaits(repair, run.source):
            run.repair_id = repair.id
            self._note(run)

    def taken_back(self, repair_id: str) -> None:
        """The accepted run of a repair was taken back: what the others have used is there again."""
        with self._repairs.lock:
            if repair_id in self._repairs:
                self._keep_stale(self._repairs[repair_id], lambda one: False)

    def _note(self, run: TrackedRun) -> None:
        if run.repair_id and run.repair_id in self._repairs and run.rerun is not None:
            stale = self._stale(self._repairs[run.repair_id]) if run.rerun.succeeded else ()
            rerun = dataclasses.replace(run.rerun, stale=stale)
            # What could not be done while it ran, such as undoing it, can be by now.
            self._repairs.change(
                run.repair_id, lambda repair: dataclasses.replace(repair, rerun=rerun, trouble=""), "rerun"
            )

    def _ran_again(self, cell: CellRef) -> None:
        """A cell has run well: its results are of the values that there are."""
        for repair in self._repairs.all():
            self._keep_stale(repair, lambda one: one.cell.id is None or one.cell.id != cell.id)

    def _keep_stale(self, repair: Repair, is_kept: Callable[[StaleCell], bool]) -> None:
        rerun = repair.rerun
        kept = () if rerun is None else tuple(one for one in rerun.stale if is_kept(one))
        if rerun is not None and kept != rerun.stale:
            rerun = dataclasses.replace(rerun, stale=kept)
            self._repairs.change(repair.id, lambda repair: dataclasses.replace(repair, rerun=rerun))


def awaits(repair: Repair, source: str) -> bool:
    """Whether a run of `source` would be the outcome of an accepted repair."""
    decision = repair.decision
    if decision is None or decision.kind != "accepted" or repair.rerun is not None or not repair.applied:
        return False
    changes = applied_changes(repair)
    return source in (changes.failing.source, changes.in_one)
