"""What one kernel holds together: the repairs that are open, who works on them, and what was decided.

It knows no Jupyter. The kernel's edge tells it what happened (`failed`, `starts`, `ended`) and what the user wants
(`ask`, `cancel`, `accept`, `reject`, `undo`); it tells its presenter what to show and its recorder what to remember.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence

from reflex_ipython.errors import BadInput
from reflex_ipython.models import (
    CellEdit,
    CellRef,
    Decision,
    ExceptionInfo,
    Failure,
    Fix,
    Repair,
    new_id,
    now,
)
from reflex_ipython.protocols import Attempt, Presenter, Question, Request
from reflex_ipython.remember.recorder import Recorder
from reflex_ipython.repairs.open_repairs import OpenRepairs
from reflex_ipython.repairs.publisher import Publisher
from reflex_ipython.repairs.repair_workers import RepairWorkers, Services
from reflex_ipython.repairs.rerun_tracking import RerunTracker, awaits
from reflex_ipython.settings import Settings

STOPPED = "Stopped before a fix was found."


class Session:
    """One kernel's repairs.

    Parameters
    ----------
    settings : Settings
        May be replaced at any time.
    presenter : Presenter
        Shows repairs, on whichever thread has something to show.
    recorder : Recorder
        Remembers repairs without making anybody wait.
    services : Services
        What the workers work with.
    clock : callable
        Seconds, for durations.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        presenter: Presenter,
        recorder: Recorder,
        services: Services,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.id = new_id()
        self.settings = settings
        self.recorder = recorder
        self.repairs = OpenRepairs()
        self._publisher = Publisher(self.repairs, presenter, recorder)
        self.workers = RepairWorkers(self.repairs, lambda: self.settings, services, text=presenter.text)
        self._reruns = RerunTracker(self.repairs, presenter, clock)

    # ------------------------------------------------------------------------------- what happened in the kernel

    def failed(self, failure: Failure, *, patience: float = 0.1) -> Repair:
        """Open a repair, look for fixes, and show what there is.

        Parameters
        ----------
        failure : Failure
            What went wrong.
        patience : float
            Seconds to wait for the instant providers, so that the first thing shown is the fix itself.
        """
        opened = self.repairs.add(Repair(new_id(), self.id, failure))
        worker = self.workers.begin(opened, original=self._reruns.failed(opened))
        worker.first_look.wait(patience)
        repair_id = opened.repair.id
        try:
            self.show(repair_id)
        finally:
            # The recorder comes after that: its first import would be in the copy's way.
            self.workers.copy_kernel(opened, then=lambda: self._publisher.remember(repair_id))
        return opened.repair

    def show(self, repair_id: str) -> None:
        """Show a repair, below the cell that runs; from now on its changes are shown as well."""
        self._publisher.show(repair_id)

    def starts(self, cell: CellRef, source: str, *, becomes: str = "") -> Repair | None:
        """A cell begins to run: an open repair of it is out of date now, unless this is its fix that runs.

        Parameters
        ----------
        cell : CellRef
        source : str
        becomes : str
            The id of the repair that was accepted into this cell, though another one failed; empty for most.

        Returns
        -------
        Repair or None
            The repair that was accepted to be run so; None for any other run.
        """
        concerned = [self.repairs[becomes]] if becomes else self._reruns.concerned(cell, source)
        accepted = None
        for repair in concerned:
            if awaits(repair, source) and repair.decision is not None and repair.decision.run:
                accepted = repair
            if repair.decision is None:
                self._observe(repair, source)
        self._reruns.starts(cell, source, concerned)
        return accepted

    def resumed(self, words: str, *, plainly: bool) -> None:
        """The accepted cell that runs now was resumed, or its state put back.

        Parameters
        ----------
        words : str
            For the record.
        plainly : bool
            Whether it runs whole on exactly the state before it: then there is nothing to tell.
        """
        self._reruns.resumed(words, plainly=plainly)

    def ended(self, error: ExceptionInfo | None) -> None:
        """The cell that ran has ended: if it was a repaired one, that is the repair's outcome."""
        self._reruns.ended(error)

    def another_ran(self) -> None:
        """A cell has run that is no acceptance: the repairs that were open before can't be resumed any more."""
        for repair in self.repairs.all():
            run_options = [option for verdict in repair.verdicts.values() for option in verdict.run_options]
            if repair.decision is None and any(option.restores for option in run_options):
                self.repairs.change(repair.id, self.workers.reconsidered)

    # ------------------------------------------------------------------------------- what the user wants

    def recall(self, repair_id: str, is_saved: Callable[[Repair], bool], then: Callable[[Repair | None], None]) -> None:
        """Open a repair again that a saved notebook shows, if it is known here.

        Parameters
        ----------
        repair_id : str
        is_saved : callable
            Says whether what the notebook shows is this repair of the history.
        then : callable
            Is given the open repair, or None, on whichever thread.
        """

        def found(stored: Repair | None) -> None:
            if stored is not None and is_saved(stored):
                then(self._reopened(stored))
            else:
                then(None)

        if repair_id in self.repairs:
            then(self.repairs[repair_id])
        else:
            self.recorder.look_up(repair_id, found)

    def ask(self, repair_id: str, hint: str = "") -> None:
        """Ask all that can be asked, again if they were asked before.

        Raises
        ------
        BadInput
            If nobody can be, since no model was chosen, or if there is no such repair.
        """
        repair = self.repairs.find(repair_id)
        if not self.workers.slow():
            raise BadInput("No model was chosen: `%reflex model` shows how.")
        if repair.decision is not None and repair.decision.kind in ("accepted", "superseded"):
            raise BadInput("That cell has changed or run since; `%reflex fix` looks at the latest error.")
        self.workers.cancel(self.repairs.open(repair.id))
        request = _request(repair, hint)
        self.repairs.change(repair.id, lambda repair: dataclasses.replace(repair, decision=None, trouble=""))
        self.workers.ask(self.repairs.open(repair.id), request)

    def questions(self, repair_id: str, hint: str = "") -> list[Question]:
        """What would be sent if it were asked for a fix now, and what was withheld from that. Nothing is sent.

        Raises
        ------
        BadInput
            If no provider sends anything.
        ProviderError
            If the settings name no server that could be asked.
        """
        repair = self.repairs.find(repair_id)
        questions = self.workers.questions(repair, _request(repair, hint))
        if not questions:
            raise BadInput("No installed provider asks a model, so nothing is sent.")
        return questions

    def try_fix(self, repair_id: str, fix_id: str) -> None:
        """Try a fix in the copy of the kernel.

        Raises
        ------
        BadInput
            If fixes are not to be tried, or there is no such fix.
        """
        repair = self.repairs.find(repair_id)
        fix = repair.fix(fix_id)
        if self.settings.trial == "off":
            raise BadInput("Fixes are not tried: `%config Reflex.trial = 'on click'` changes that.")
        if fix is None or repair.decision is not None:
            raise BadInput("That fix is not open any more.")
        self.workers.cancel(self.repairs.open(repair.id))
        self.workers.try_fix(self.repairs.open(repair.id), fix)

    def cancel(self, repair_id: str) -> None:
        """Stop looking for a fix; what was found stays."""
        if repair_id in self.repairs and self.workers.cancel(self.repairs.open(repair_id)):
            self.repairs.change(
                repair_id, lambda repair: dataclasses.replace(repair, trouble="" if repair.fixes else STOPPED)
            )

    def accept(
        self,
        repair_id: str,
        fix_id: str | None = None,
        sources: Sequence[str] = (),
        *,
        run: bool = True,
        whole: bool = False,
        applied: bool = False,
    ) -> tuple[Repair, Fix]:
        """Decide for a fix. Who calls this sees to it that the cells are rewritten.

        Parameters
        ----------
        repair_id : str
        fix_id : str or None
            None: the first.
        sources : sequence of str
            The cells' new sources in the order of the fix's edits, where the user left hunks out or edited them.
            Empty: as the fix has them.
        run : bool
            Whether the cell is to run at once.
        whole : bool
            Whether all of it is to run, even where it could be resumed.
        applied : bool
            Whether it is done already: then this only notes it, even if the re-run has overtaken the news.

        Returns
        -------
        Repair, Fix
            The fix has the source that was decided for.

        Raises
        ------
        BadInput
            If there is nothing to accept, it was decided before, or the sources are not those of its cells.
        """
        with self.repairs.lock:
            repair = self.repairs.find(repair_id)
            if not applied:
                _refuse_decided(repair)
            fix = repair.fix(fix_id) if fix_id else next(iter(repair.fixes), None)
            if fix is None:
                raise BadInput("There is no fix to accept yet.")
            fix = _edited(fix, sources)
            earlier = tuple(edit.source for edit in fix.edits[:-1])
            decision = Decision("accepted", now(), fix.id, fix.edit.source, run, earlier, whole)
            again = repair.decision is not None and repair.decision.kind == "undone"
            self._publisher.keep(repair.id)  # its copy of the kernel, which an import would disturb, is not wanted now
            repair = self._decided(repair.id, decision, forget_run=again)
            self._reruns.accepted(repair)
        self.recorder.settle()  # it is on the disk before the cell runs: what the cell does may end the kernel
        return repair, fix

    def reject(self, repair_id: str) -> Repair:
        """Decide against all fixes of a repair."""
        with self.repairs.lock:
            repair = self.repairs.find(repair_id)
            _refuse_decided(repair)
            self._publisher.keep(repair.id)
            repair = self._decided(repair.id, Decision("rejected", now()))
        self.recorder.settle()
        return repair

    def refused(self, repair_id: str, reason: str) -> None:
        """Take an acceptance or an undoing back: the cell could not be rewritten, for a reason in words."""

        def take_back(repair: Repair) -> Repair:
            undone = repair.decision if repair.decision is not None and repair.decision.kind == "undone" else None
            decision = dataclasses.replace(undone, kind="accepted") if undone is not None else None
            return dataclasses.replace(repair, decision=decision, trouble=reason)

        self.repairs.change(self.repairs.find(repair_id).id, take_back)

    def trouble(self, repair_id: str, words: str) -> None:
        """Say on a panel what could not be done."""
        self.repairs.change(repair_id, lambda repair: dataclasses.replace(repair, trouble=words))

    def undo(self, repair_id: str) -> tuple[CellEdit, ...]:
        """Mark an accepted repair as undone.

        Returns
        -------
        tuple of CellEdit
            What gives the cells their old sources back.

        Raises
        ------
        BadInput
            If the repair was not accepted.
        """
        with self.repairs.lock:
            repair = self.repairs.find(repair_id)
            decision = repair.decision
            if decision is None or decision.kind != "accepted" or not repair.applied:
                raise BadInput(f"{repair.id} was not accepted, so there is nothing to undo.")
            self._decided(repair.id, dataclasses.replace(decision, kind="undone", at=now()))
        self.recorder.settle()
        return tuple(CellEdit(edit.cell, edit.source, edit.expected) for edit in repair.applied)

    def undone(self, repair_id: str, words: str) -> None:
        """Note what became of the state when a repair was undone; what its run has led to is out of date."""

        def add(repair: Repair) -> Repair:
            assert repair.decision is not None
            return dataclasses.replace(repair, decision=dataclasses.replace(repair.decision, reason=words))

        self.repairs.change(repair_id, add)
        led_to = self._reruns.led_to(repair_id)
        if led_to is not None and led_to.decision is None:
            self._decided(led_to.id, Decision("superseded", now(), reason="The run that failed this way was undone."))

    def close(self, timeout: float = 2.0) -> None:
        """Stop all work and wait for its end, at most `timeout` seconds a worker; write down what is left."""
        self.workers.close(timeout)
        self.recorder.close()

    # ------------------------------------------------------------------------------- inside

    def _reopened(self, stored: Repair) -> Repair | None:
        known = self.workers.look_again(dataclasses.replace(stored, session=self.id))
        with self.repairs.lock:
            if stored.id not in self.repairs:  # it may have been opened, and decided, meanwhile
                self.repairs.reopen(known)
            return next((repair for repair in self.repairs.all() if repair.id == stored.id), None)

    def _observe(self, repair: Repair, source: str) -> None:
        """The cell runs while its repair is undecided: perhaps the user typed or pasted the fix."""
        fix = next((fix for fix in repair.fixes if len(fix.edits) == 1 and fix.edit.source == source), None)
        if fix is not None:
            self._publisher.keep(repair.id)
            self._decided(repair.id, Decision("accepted", now(), fix.id, source))
            self.recorder.settle()
        else:
            self._decided(repair.id, Decision("superseded", now(), reason="The cell has run again since."))

    def _decided(self, repair_id: str, decision: Decision, *, forget_run: bool = False) -> Repair:
        def decide(repair: Repair) -> Repair:
            rerun = None if forget_run else repair.rerun
            return dataclasses.replace(repair, decision=decision, rerun=rerun, trouble="")

        self.workers.release(self.repairs.open(repair_id))
        return self.repairs.change(repair_id, decide, "decided")


def _request(repair: Repair, hint: str) -> Request:
    return Request(hint=hint, attempts=tuple(Attempt(fix, repair.verdict(fix)) for fix in repair.fixes))


def _refuse_decided(repair: Repair) -> None:
    decision = repair.decision
    if decision is not None and decision.kind != "undone":
        raise BadInput(f"{repair.id} is decided: it was {decision.kind}. {decision.reason}".rstrip())


def _edited(fix: Fix, sources: Sequence[str]) -> Fix:
    if not sources:
        return fix
    if len(sources) != len(fix.edits):
        raise BadInput("Not applied: those are not the cells of this fix.")
    edits = tuple(dataclasses.replace(edit, source=source) for edit, source in zip(fix.edits, sources))
    return dataclasses.replace(fix, edits=edits)
