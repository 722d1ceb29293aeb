"""What one kernel holds together: the repairs that are open, who works on them, and what is decided.

It knows no Jupyter. The kernel's edge tells it what happened (`failed`, `starts`, `ended`), for which repair something
is to be looked for (`ask`, `try_fix`, `cancel`), and what the user decides (`decisions`); it tells its presenter what
to show and its recorder what to remember.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from reflex_ipython.errors import BadInput
from reflex_ipython.models import (
    LONGEST_HINT,
    CellRef,
    ExceptionInfo,
    Failure,
    Fix,
    Repair,
    RunOption,
    Verdict,
    Wish,
    new_id,
    why_not,
)
from reflex_ipython.protocols import Attempt, NeedsConsent, Presenter, Question, Request
from reflex_ipython.remember.recorder import Recorder
from reflex_ipython.repairs.choosing import chosen
from reflex_ipython.repairs.decisions import Decisions, edited_fix, own_fix
from reflex_ipython.repairs.open_repairs import OpenRepairs
from reflex_ipython.repairs.publisher import Publisher
from reflex_ipython.repairs.repair_workers import RepairWorkers
from reflex_ipython.repairs.rerun_tracking import RerunTracker, awaits
from reflex_ipython.repairs.services import Services
from reflex_ipython.settings import Settings

NOT_OFFERED = "That name is not offered here any more: look at the panel again."
NOBODY_WRITES = (
    "No model is chosen, so nobody can write this code. `%reflex model NAME` chooses one; `%reflex model` shows those "
    "that are there."
)
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
    session_id : str
        Empty: a new one.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        presenter: Presenter,
        recorder: Recorder,
        services: Services,
        clock: Callable[[], float] = time.perf_counter,
        session_id: str = "",
    ) -> None:
        self.id = session_id or new_id()
        self.settings = settings
        self.recorder = recorder
        self.repairs = OpenRepairs()
        self._publisher = Publisher(self.repairs, presenter, recorder)
        self.workers = RepairWorkers(self.repairs, lambda: self.settings, services, text=presenter.text)
        self._reruns = RerunTracker(self.repairs, presenter, clock, services.stale)
        self.decisions = Decisions(self.repairs, self.workers, self._publisher, self._reruns, recorder, services.files)

    # ------------------------------------------------------------------------------- what happened in the kernel

    def failed(self, failure: Failure, *, patience: float = 0.1, after_reply: bool = False) -> Repair:
        """Open a repair, look for fixes, and show what there is.

        Parameters
        ----------
        failure : Failure
            What went wrong.
        patience : float
            Seconds to wait for the instant providers, so that the first thing shown is the fix itself.
        after_reply : bool
            Whether to look for fixes only once the cell's reply is out; then nothing is waited for.
        """
        opened = self.repairs.add(Repair(new_id(), self.id, failure))
        worker = self.workers.begin(opened, original=self._reruns.failed(opened), after_reply=after_reply)
        if not after_reply:
            worker.first_look.wait(patience)
        repair_id = opened.repair.id
        try:
            self.show(repair_id)
        finally:
            # The recorder comes after that: its first import would be in the copy's way.
            self.workers.copy_kernel(opened, then=lambda: self._publisher.remember(repair_id))
        return opened.repair

    def foreseen(self, failure: Failure, opened_as: Callable[[str], None], *, patience: float = 1.0) -> None:
        """Open a repair for what will fail in the cell that runs, look for its fixes, and show what there is.

        Parameters
        ----------
        failure : Failure
            What will go wrong.
        opened_as : callable
            Is given its id before anybody can decide on it.
        patience : float
            Seconds to wait for the instant providers: no reply waits meanwhile.
        """
        opened = self.repairs.add(Repair(new_id(), self.id, failure))
        opened_as(opened.repair.id)
        self.workers.begin_foreseen(opened).first_look.wait(patience)
        with self.repairs.lock:
            if opened.repair.decision is None:  # else the cell has ended meanwhile, and there is nothing to be told
                self.show(opened.repair.id)
                self._publisher.remember(opened.repair.id)

    def wished(self, wish: Wish) -> Repair:
        """Open a repair for code that is wanted, have it written, and show what there is meanwhile.

        Raises
        ------
        BadInput
            If nobody can be asked, since no model was chosen.
        """
        if not self.workers.rounds.slow():
            raise BadInput(NOBODY_WRITES)
        opened = self.repairs.add(Repair(new_id(), self.id, wish))
        self.workers.begin_wish(opened)
        repair_id = opened.repair.id
        try:
            self.show(repair_id)
        finally:
            self.workers.copy_kernel(opened, then=lambda: self._publisher.remember(repair_id))
        return opened.repair

    def show(self, repair_id: str) -> None:
        """Show a repair, below the cell that runs; from now on its changes are shown as well."""
        self._publisher.show(repair_id)

    def shown_later(self) -> AbstractContextManager[None]:
        """A block whose changes are shown a moment after its end."""
        return self._publisher.shown_later()

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
            self.decisions.ran(repair.id, source)
        self._reruns.starts(cell, source, concerned)
        return accepted

    def becomes(self, repair_id: str, cell: CellRef, source: str) -> None:
        """The cell that runs goes on with a repair's fix: how it ends is the repair's outcome."""
        with self.repairs.lock:
            self._reruns.becomes(repair_id, cell, source)

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

    def taken_back(self, repair_id: str) -> None:
        """The run of an accepted fix was taken back: no results are of values from before it."""
        self._reruns.taken_back(repair_id)

    def ended(self, error: ExceptionInfo | None) -> None:
        """The cell that ran has ended: if it was a repaired one, that is the repair's outcome."""
        self._reruns.ended(error)

    def another_ran(self) -> None:
        """A cell has run that is no acceptance: the repairs that were open before can't be resumed any more."""
        with self.repairs.lock:
            for repair in self.repairs.all():
                run_options = [option for verdict in repair.verdicts.values() for option in verdict.run_options]
                if repair.decision is None and any(option.restores for option in run_options):
                    self.repairs.change(repair.id, self.workers.verdicts.reconsidered)

    # ------------------------------------------------------------------------------- what is to be looked for

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

        known = next((repair for repair in self.repairs.all() if repair.id == repair_id), None)
        if known is not None:
            then(known)
        else:
            self.recorder.look_up(repair_id, found)

    def ask(self, repair_id: str, hint: str = "") -> None:
        """Ask all that can be asked, again if they were asked before.

        Raises
        ------
        BadInput
            If nobody can be, since no model was chosen, if there is no such repair, if it was decided for good, or if
            the hint is too long.
        """
        if len(hint) > LONGEST_HINT:
            raise BadInput(f"The hint is longer than {LONGEST_HINT:,} characters: say it in fewer words.")
        self.repairs.find(repair_id)
        if not self.workers.rounds.slow():
            raise BadInput("No model is chosen: `%reflex model` shows how to choose one.")
        with self.repairs.lock:  # it may be decided on another thread meanwhile
            repair = self.repairs.find(repair_id)
            if repair.decision is not None and repair.decision.kind in ("accepted", "superseded"):
                raise BadInput("That cell has changed or run since; `%reflex fix` looks at the latest error.")
            self.workers.cancel(self.repairs.open(repair.id))
            request = _request(repair, hint)
            self.repairs.change(repair.id, lambda repair: dataclasses.replace(repair, decision=None, trouble=""))
            self.workers.ask(self.repairs.open(repair.id), request)

    def allow(self, host: str = "") -> str:
        """Let what is asked be sent to a host, now and in other sessions. Nothing is asked by that.

        Parameters
        ----------
        host : str
            As it was shown to the user. Empty: the one that has to be allowed now.

        Returns
        -------
        str
            The host; empty if that one does not have to be allowed.
        """
        for provider in self.workers.rounds.slow():
            if isinstance(provider, NeedsConsent) and (wanted := provider.consent_for) and host in ("", wanted):
                provider.allow(wanted)
                self.repairs.offers_changed()
                return wanted
        return ""

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
        with self.repairs.lock:
            repair, fix = self._to_try(repair_id, fix_id)
            self.workers.cancel(self.repairs.open(repair.id))
            self.workers.try_fix(self.repairs.open(repair.id), fix)

    def try_again(self, repair_id: str, fix_id: str) -> None:
        """Try a fix anew, in a copy of the kernel as it is now; what was found out before does not count any more.

        Raises
        ------
        BadInput
            If fixes are not to be tried, or this one is no longer open.
        """
        with self.repairs.lock:
            repair, fix = self._to_try(repair_id, fix_id)
            self.workers.cancel(self.repairs.open(repair.id))
            self.workers.try_again(self.repairs.open(repair.id), fix)

    def try_text(
        self, repair_id: str, fix_id: str, sources: Sequence[str], then: Callable[[Fix, Verdict], None]
    ) -> bool:
        """Try a fix as the user has changed it, instead of any older text of that repair.

        Parameters
        ----------
        repair_id, fix_id : str
        sources : sequence of str
            The cells' new texts, in the order of `CellChanges.edits`.
        then : callable
            Is told, on another thread, what came of it; not if a newer text is tried by then, or it was decided.

        Returns
        -------
        bool
            Whether it is tried: not where fixes are not tried by themselves, or this one is no longer open.

        Raises
        ------
        BadInput
            If those are not the cells of this fix.
        """
        with self.repairs.lock:
            repair = self.repairs.find(repair_id)
            fix = repair.fix(fix_id)
            if fix is None or repair.is_decided or self.settings.trial != "automatic" or why_not(fix, repair.situation):
                return False
            edited = edited_fix(fix, repair.situation, sources)
            self.workers.try_text(self.repairs.open(repair.id), edited, lambda verdict: then(edited, verdict))
            return True

    def choose(self, repair_id: str, name: str) -> None:
        """Put a name in that is near to what was looked up in vain, and try that unless fixes are not to be tried.

        Raises
        ------
        BadInput
            If it is none of those that are offered, or there is no such repair.
        """
        with self.repairs.lock:
            repair = self.repairs.find(repair_id)
            opened = self.repairs.open(repair.id)
            fix = chosen(opened, name)
            if fix is None:
                raise BadInput(NOT_OFFERED)
            self.workers.cancel(opened)
            self.repairs.change(repair.id, lambda repair: self.workers.verdicts.with_fix(repair, fix), "found")
            if self.settings.trial != "off":
                self.workers.try_fix(opened, fix)

    def cancel(self, repair_id: str) -> None:
        """Stop looking for a fix; what was found stays."""
        with self.repairs.lock:
            if repair_id in self.repairs and self.workers.cancel(self.repairs.open(repair_id)):
                self.repairs.change(
                    repair_id, lambda repair: dataclasses.replace(repair, trouble="" if repair.fixes else STOPPED)
                )

    def resumable(self, repair_id: str, source: str) -> tuple[RunOption, ...]:
        """How the failing cell could be run with a text of the user's own; empty if nothing is known of its failed run.

        `decisions.mended` then decides for it.
        """
        repair = self.repairs.find(repair_id)
        return self.workers.verdicts.run_options(own_fix(repair, source), repair.situation)

    def own_fix(self, repair_id: str, source: str) -> Fix:
        """The failing cell with a text of the user's own, as a fix that nobody has decided for."""
        return own_fix(self.repairs.find(repair_id), source)

    def trouble(self, repair_id: str, words: str) -> None:
        """Say on a panel what could not be done."""
        self.repairs.change(repair_id, lambda repair: dataclasses.replace(repair, trouble=words))

    def close(self, timeout: float = 2.0) -> None:
        """Stop all work and wait for its end, at most `timeout` seconds a worker; write down what is left."""
        self.workers.close(timeout)
        self.recorder.close()

    # ------------------------------------------------------------------------------- inside

    def _to_try(self, repair_id: str, fix_id: str) -> tuple[Repair, Fix]:
        repair = self.repairs.find(repair_id)
        fix = repair.fix(fix_id)
        if self.settings.trial == "off":
            raise BadInput("Fixes are not tried: `%config Reflex.trial = 'on click'` changes that.")
        if fix is None or repair.decision is not None:
            raise BadInput("That fix is no longer open.")
        return repair, fix

    def _reopened(self, stored: Repair) -> Repair | None:
        known = self.workers.look_again(dataclasses.replace(stored, session=self.id))
        with self.repairs.lock:
            if stored.id not in self.repairs:  # it may have been opened, and decided, meanwhile
                self.repairs.reopen(known)
            return next((repair for repair in self.repairs.all() if repair.id == stored.id), None)


def _request(repair: Repair, hint: str) -> Request:
    return Request(hint=hint, attempts=tuple(Attempt(fix, repair.verdict(fix)) for fix in repair.fixes))
