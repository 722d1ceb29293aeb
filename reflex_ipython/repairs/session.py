"""What one kernel holds together: the repairs that are open, who works on them, and what is decided.

It knows no Jupyter. The kernel's edge tells it what happened (`failed`, `starts`, `ended`), what the user wants to be
asked (`questions`) and tried (`trying`), and what the user decides (`decisions`); it tells its presenter what to show
and its recorder what to remember.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

from reflex_ipython.errors import BadInput
from reflex_ipython.models import CellRef, ExceptionInfo, Failure, Fix, Repair, RunOption, Wish, new_id
from reflex_ipython.remember.recorder import Recorder
from reflex_ipython.repairs.decisions import Decisions, own_fix
from reflex_ipython.repairs.loaded_plugins import LoadedPlugins
from reflex_ipython.repairs.open_repairs import OpenRepairs
from reflex_ipython.repairs.publisher import LATER, MUCH_LATER, Publisher
from reflex_ipython.repairs.questions import Questions
from reflex_ipython.repairs.repair_workers import RepairWorkers
from reflex_ipython.repairs.rerun_tracking import RerunTracker, awaits
from reflex_ipython.repairs.rounds import Rounds
from reflex_ipython.repairs.services import Services
from reflex_ipython.repairs.trying import Trying
from reflex_ipython.repairs.verdicts import Verdicts
from reflex_ipython.settings import Settings
from reflex_ipython.stages import Presenter

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

    Attributes
    ----------
    repairs : OpenRepairs
    plugins : LoadedPlugins
    rounds : Rounds
        Who is asked in which order.
    verdicts : Verdicts
        What there is to say of a fix.
    workers : RepairWorkers
    questions : Questions
        What the user wants to be asked.
    trying : Trying
        What the user wants to be tried.
    decisions : Decisions
        What the user decides.
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
        self.plugins = LoadedPlugins(services.load, self.repairs)
        self.rounds = Rounds(self.plugins, lambda: self.settings, services.cells_not_run)
        self.verdicts = Verdicts(self.plugins, services.consequences)
        self.workers = RepairWorkers(
            self.repairs, lambda: self.settings, services, self.rounds, self.verdicts, text=presenter.text
        )
        self._reruns = RerunTracker(self.repairs, presenter, clock, services.stale)
        self.questions = Questions(self.repairs, self.workers, self.rounds, self.plugins, services)
        self.trying = Trying(self.repairs, self.workers, self.verdicts, lambda: self.settings)
        self.decisions = Decisions(
            self.repairs,
            self.workers,
            self._publisher,
            self._reruns,
            recorder,
            services.files,
            self.verdicts.reconsidered,
        )

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
        self._reruns.failed(opened)
        worker = self.workers.begin(opened, after_reply=after_reply)
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
        if not self.rounds.slow():
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

    def shown_later(self, seconds: float = LATER) -> AbstractContextManager[None]:
        """A block whose changes are shown a moment after its end."""
        return self._publisher.shown_later(seconds)

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
        with self._publisher.shown_later(MUCH_LATER):
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
        """The cell that ran has ended: if it was a repaired one, that is the repair's outcome.

        The line below the cell tells of it at once. All else is drawn a moment later: the cell's reply is to leave.
        """
        with self._publisher.shown_later(LATER, notes=False):
            self._reruns.ended(error)

    def another_ran(self) -> None:
        """A cell has run that is no acceptance: the repairs that were open before can't be resumed any more.

        Their panels say so a moment later: this cell's reply waits for no drawing of another one's.
        """
        with self.repairs.lock, self._publisher.shown_later(LATER):
            for repair in self.repairs.all():
                run_options = [option for verdict in repair.verdicts.values() for option in verdict.run_options]
                if not repair.is_decided and any(option.restores for option in run_options):
                    self.repairs.change(repair.id, self.verdicts.reconsidered)

    # ------------------------------------------------------------------------------- what the user wants of a repair

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
        return self.verdicts.run_options(own_fix(repair, source), repair.situation)

    def own_fix(self, repair_id: str, source: str) -> Fix:
        """The failing cell with a text of the user's own, as a fix that nobody has decided for."""
        return own_fix(self.repairs.find(repair_id), source)

    def trouble(self, repair_id: str, words: str) -> None:
        """Say on a panel what could not be done."""
        self.repairs.change(repair_id, lambda repair: dataclasses.replace(repair, trouble=words))

    def close(self, timeout: float = 2.0) -> None:
        """Stop all work and wait for its end, at most `timeout` seconds a worker; write down what is left."""
        self.workers.close(timeout)
        self._publisher.close()
        self.plugins.close()
        self.recorder.close()

    # ------------------------------------------------------------------------------- inside

    def _reopened(self, stored: Repair) -> Repair | None:
        known = self.verdicts.of_earlier_session(dataclasses.replace(stored, session=self.id))
        with self.repairs.lock:
            if stored.id not in self.repairs:  # it may have been opened, and decided, meanwhile
                self.repairs.reopen(known)
            return next((repair for repair in self.repairs.all() if repair.id == stored.id), None)
