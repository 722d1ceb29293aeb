"""What is decided of a repair, by the user or by what the user runs: accepted, rejected, undone, superseded."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Sequence

from reflex_ipython.errors import BadInput, FileRefused
from reflex_ipython.models import (
    CellChanges,
    Decision,
    Edit,
    Fix,
    Repair,
    Situation,
    applied_changes,
    cell_changes,
    new_id,
    now,
)
from reflex_ipython.present.outcome import NOT_UNDONE, RAN_AGAIN
from reflex_ipython.remember.recorder import Recorder
from reflex_ipython.repairs.open_repairs import OpenRepairs
from reflex_ipython.repairs.publisher import Publisher
from reflex_ipython.repairs.repair_workers import RepairWorkers
from reflex_ipython.repairs.rerun_tracking import RerunTracker
from reflex_ipython.stages import Files

YOU = "you"
YOUR_TEXT = "The cell as you have changed it."
RUN_UNDONE = "The failed run was undone."


class Decisions:
    """Decides the repairs of one kernel. Files it has rewritten; what it does to cells is done by who calls this.

    Parameters
    ----------
    repairs : OpenRepairs
    workers : RepairWorkers
        Nobody works any more on what is decided.
    publisher : Publisher
    reruns : RerunTracker
        Knows which run is the outcome of what was accepted.
    recorder : Recorder
        A decision is written before the cell runs: what the cell does may end the kernel.
    files : Files
        Are rewritten before anything is decided: what can't be written is not accepted.
    reconsidered : callable
        Gives a repair with the ways in which its fixes can run now: what is open again may have been decided before
        other cells ran.
    """

    def __init__(
        self,
        repairs: OpenRepairs,
        workers: RepairWorkers,
        publisher: Publisher,
        reruns: RerunTracker,
        recorder: Recorder,
        files: Files,
        reconsidered: Callable[[Repair], Repair],
    ) -> None:
        self._files = files
        self._reconsidered = reconsidered
        self._repairs = repairs
        self._workers = workers
        self._publisher = publisher
        self._reruns = reruns
        self._recorder = recorder
        self._unsettled = False
        """Whether something was accepted that nobody has waited for yet."""
        self._settling = threading.Lock()

    def accept(
        self,
        repair_id: str,
        fix_id: str | None = None,
        sources: Sequence[str] = (),
        *,
        run: bool = True,
        whole: bool = False,
        applied: bool = False,
        settled: bool = True,
    ) -> tuple[Repair, CellChanges]:
        """Decide for a fix, and rewrite its files. Who calls this sees to it that the cells are rewritten.

        Parameters
        ----------
        repair_id : str
        fix_id : str or None
            None: the first, unless several may be meant.
        sources : sequence of str
            The cells' new sources in the order of `CellChanges.edits`, where the user left hunks out or edited them.
            Empty: as the fix has them.
        run : bool
            Whether the cell is to run at once.
        whole : bool
            Whether all of it is to run, even where it could be resumed.
        applied : bool
            Whether it is done already: then this only notes it, even if the re-run has overtaken the news.
        settled : bool
            Whether to wait until it is on the disk. If not, who calls this calls `settle` before a cell runs; what is
            to be done until then need not wait.

        Returns
        -------
        Repair, CellChanges
            With the sources that were decided for.

        Raises
        ------
        BadInput
            If there is nothing to accept, or something to choose, it was decided before, it has a step that can't be
            done yet, the sources are not those of its cells, or a file can't be rewritten.
        """
        with self._repairs.lock:
            repair = self._repairs.find(repair_id)
            if not applied:
                _refuse_decided(repair)
            fix = repair.fix(fix_id) if fix_id else next(iter(repair.fixes), None)
            if fix is not None and not fix_id and repair.is_choice:
                raise BadInput("Several things may be meant: say which fix.")
            if fix is None:
                raise BadInput("There is no fix to accept yet.")
            changes = _edited(cell_changes(fix, repair.situation), sources)
            if not applied:
                self._write(changes, "Not applied")
            repair = self._accept(repair, fix, changes, run=run, whole=whole)
            self._unsettled = True
        if settled:
            self.settle()
        return repair, changes

    def settle(self) -> None:
        """Wait until what was accepted is on the disk, whoever else waits for it on another thread."""
        with self._settling:
            if self._unsettled:
                self._unsettled = False  # first: what is accepted from now on is waited for anew
                self._recorder.settle()

    def _accept(
        self, repair: Repair, fix: Fix, changes: CellChanges, *, run: bool, whole: bool, more: tuple[Fix, ...] = ()
    ) -> Repair:
        """Note it. `more`: fixes that the repair gets with it."""
        decision = Decision("accepted", now(), fix.id, changes.steps, run, whole)
        again = repair.decision is not None and repair.decision.kind == "undone"
        self._publisher.keep(repair.id)  # its copy of the kernel, which an import would disturb, is not wanted now
        repair = self._decide(repair.id, decision, forget_run=again, more=more)
        self._reruns.accepted(repair)
        return repair

    def mended(self, repair_id: str, source: str, *, whole: bool = False) -> tuple[Repair, CellChanges]:
        """Decide for the failing cell as the user has changed it; it is one more fix of the repair.

        Parameters
        ----------
        repair_id : str
        source : str
            The cell's text by now.
        whole : bool
            Whether all of it is to run, even where it could be resumed.

        Returns
        -------
        Repair, CellChanges

        Raises
        ------
        BadInput
            If a fix was accepted before, or the cell has run again.
        """
        with self._repairs.lock:
            repair = self._repairs.find(repair_id)
            if repair.decision is not None and repair.decision.kind in ("accepted", "superseded"):
                _refuse_decided(repair)
            fix = own_fix(repair, source)
            changes = cell_changes(fix, repair.situation)
            repair = self._accept(repair, fix, changes, run=True, whole=whole, more=(fix,))
        self._recorder.settle()
        return repair, changes

    def reject(self, repair_id: str) -> Repair:
        """Decide against all fixes of a repair.

        Raises
        ------
        BadInput
            If it was decided before.
        """
        with self._repairs.lock:
            repair = self._repairs.find(repair_id)
            _refuse_decided(repair)
            self._publisher.keep(repair.id)
            repair = self._decide(repair.id, Decision("rejected", now()))
        self._recorder.settle()
        return repair

    def reopen(self, repair_id: str) -> Repair:
        """Take a rejection back; nothing happens to what was not rejected."""
        with self._repairs.lock:
            repair = self._repairs.find(repair_id)
            if repair.decision is None or repair.decision.kind != "rejected":
                return repair

            def reopened(repair: Repair) -> Repair:
                return self._reconsidered(dataclasses.replace(repair, decision=None))

            return self._repairs.change(repair.id, reopened, "decided")

    def refused(self, repair_id: str, reason: str) -> None:
        """Take back an acceptance or an undoing, and its files: no cell could be rewritten, for a reason in words."""
        reason += self._files_back(self._repairs.find(repair_id))

        def take_back(repair: Repair) -> Repair:
            decision = repair.decision
            if decision is not None and decision.kind == "undone":
                decision = dataclasses.replace(decision, kind="accepted")
            elif decision is not None and decision.kind == "accepted":
                decision = None
            return dataclasses.replace(repair, fixes=_proposed(repair), decision=decision, trouble=reason)

        self._repairs.change(self._repairs.find(repair_id).id, take_back)

    def undo(self, repair_id: str) -> CellChanges:
        """Mark an accepted repair as undone, and give its files their old texts back.

        Returns
        -------
        CellChanges
            What gives the cells their old sources back.

        Raises
        ------
        BadInput
            If the repair was not accepted, or one of its files can't be rewritten.
        """
        with self._repairs.lock:
            repair = self._repairs.find(repair_id)
            decision = repair.decision
            if decision is None or decision.kind != "accepted" or not repair.applied:
                raise BadInput(f"{repair.id} was not accepted, so there is nothing to undo.")
            self._write(applied_changes(repair).backwards, NOT_UNDONE)
            self._decide(repair.id, dataclasses.replace(decision, kind="undone", at=now()))
            self._repairs.change(repair.id, self._reconsidered)
        self._recorder.settle()
        return applied_changes(repair).backwards

    def undone(self, repair_id: str, words: str) -> None:
        """Note what became of the state when a repair was undone; what its run has led to is out of date.

        A page may take its time for the undoing: by then the repair may be decided anew, or forgotten.
        """

        def add(repair: Repair) -> Repair:
            if repair.decision is None or repair.decision.kind != "undone":
                return repair
            decision = dataclasses.replace(repair.decision, reason=words)
            return self._reconsidered(dataclasses.replace(repair, decision=decision))

        with self._repairs.lock:
            if repair_id in self._repairs:
                self._repairs.change(repair_id, add)
            led_to = self._reruns.led_to(repair_id)
            if led_to is not None and led_to.decision is None:
                self._decide(led_to.id, Decision("superseded", now(), reason=RUN_UNDONE))

    def over(self, repair_id: str, reason: str) -> None:
        """The cell has ended of which a statement was told to fail: nothing of that is to be decided any more."""
        with self._repairs.lock:
            if repair_id in self._repairs and self._repairs[repair_id].decision is None:
                self._decide(repair_id, Decision("superseded", now(), reason=reason))

    def ran(self, repair_id: str, source: str) -> None:
        """The repair's cell begins to run with that source: if it is undecided, perhaps the user typed the fix.

        Who calls this calls `settle` before the cell runs.
        """
        with self._repairs.lock:
            if repair_id not in self._repairs or self._repairs[repair_id].is_decided:
                return
            repair = self._repairs[repair_id]
            if repair.decision is not None:  # it was undone, and stays that
                self._decide(repair.id, dataclasses.replace(repair.decision, over=True))
                return
            fix = next((fix for fix in repair.fixes if _is_typed(fix, repair, source)), None)
            if fix is None:
                self._decide(repair.id, Decision("superseded", now(), reason=RAN_AGAIN))
                return
            self._publisher.keep(repair.id)
            self._decide(repair.id, Decision("accepted", now(), fix.id, fix.steps))
            self._unsettled = True

    def _write(self, changes: CellChanges, otherwise: str) -> None:
        """Rewrite the files of a fix. `otherwise`: what to say did not happen, if they can't be."""
        try:
            self._files.write(changes.files)
        except FileRefused as refused:
            raise BadInput(f"{otherwise}: {refused}") from None

    def _files_back(self, repair: Repair) -> str:
        """Rewrite the files once more, as a decision is taken back; what to add, if they can't be."""
        decision = repair.decision
        if decision is None or decision.kind not in ("accepted", "undone") or not repair.applied:
            return ""
        changes = applied_changes(repair)
        try:
            self._files.write((changes.backwards if decision.kind == "accepted" else changes).files)
        except FileRefused as refused:
            return f" But {refused}"
        return ""

    def _decide(
        self, repair_id: str, decision: Decision, *, forget_run: bool = False, more: tuple[Fix, ...] = ()
    ) -> Repair:
        def decide(repair: Repair) -> Repair:
            rerun = None if forget_run else repair.rerun
            fixes = (*_proposed(repair), *more) if more else repair.fixes
            return dataclasses.replace(repair, fixes=fixes, decision=decision, rerun=rerun, trouble="")

        self._workers.release(self._repairs.open(repair_id))
        return self._repairs.change(repair_id, decide, "decided")


def own_fix(repair: Repair, source: str) -> Fix:
    """The failing cell with a text of the user's own, as a fix."""
    situation = repair.situation
    return Fix(new_id(), (Edit(situation.place, situation.source, source),), YOUR_TEXT, YOU)


def edited_fix(fix: Fix, situation: Situation, sources: Sequence[str]) -> Fix:
    """A fix with the user's texts for its cells.

    Raises
    ------
    BadInput
        If those are not its cells.
    """
    return dataclasses.replace(fix, steps=_edited(cell_changes(fix, situation), sources).steps)


def _proposed(repair: Repair) -> tuple[Fix, ...]:
    """The fixes that somebody else has proposed."""
    return tuple(fix for fix in repair.fixes if fix.provider != YOU)


def _refuse_decided(repair: Repair) -> None:
    decision = repair.decision
    if decision is not None and repair.is_decided:
        raise BadInput(f"{repair.id} has already been decided: it was {decision.kind}. {decision.reason}".rstrip())


def _is_typed(fix: Fix, repair: Repair, source: str) -> bool:
    """Whether a fix does nothing but give the failing cell that source."""
    place = repair.situation.place
    typed = fix.source_of(place, "") == source
    return typed and all(isinstance(step, Edit) and step.target == place for step in fix.steps)


def _edited(changes: CellChanges, sources: Sequence[str]) -> CellChanges:
    if not sources:
        return changes
    if len(sources) != len(changes.edits):
        raise BadInput("Not applied: those are not the cells of this fix.")
    return changes.with_sources(sources)
