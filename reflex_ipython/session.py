"""What one kernel holds together: the repairs that are open, who works on them, and what was decided.

It knows no Jupyter. The kernel's edge tells it what happened (`failed`, `starts`, `ended`) and what the user wants
(`ask`, `cancel`, `accept`, `reject`, `undo`); it tells its presenter what to show and its recorder what to remember.
"""

from __future__ import annotations

import dataclasses
import functools
import threading
import time
from collections.abc import Callable, Sequence

from reflex_ipython.check.verdict import verdict
from reflex_ipython.errors import BadInput
from reflex_ipython.models import (
    CellEdit,
    CellRef,
    Decision,
    ExceptionInfo,
    Failure,
    Fix,
    Repair,
    Rerun,
    Trial,
    Verdict,
    new_id,
    now,
)
from reflex_ipython.protocols import Attempt, Checker, FixProvider, Presenter, Redactor, Request, Trials
from reflex_ipython.remember.recorder import Recorder
from reflex_ipython.search import LOOKING, Means, Round, Search
from reflex_ipython.settings import Settings

IMPORTS = 0.5
"""Seconds that the very first failure waits before the kernel is copied, since the rules are being imported."""
STOPPED = "Stopped before a fix was found."
KEPT = 50
"""How many repairs stay in memory; the older ones are in the store."""


@dataclasses.dataclass
class Run:
    """The cell that runs now, or ran last; `repair_id`: whose outcome it is."""

    cell: CellRef
    source: str
    started: float
    repair_id: str | None = None
    rerun: Rerun | None = None
    state: str = ""
    plainly: bool = True


@dataclasses.dataclass
class Copy:
    """The copy of the kernel for the trials of one repair.

    Parameters
    ----------
    original : float
        Seconds that the failed run took.
    made : Event
        Set once it is there, or once it is known that there is none.
    """

    original: float
    made: threading.Event = dataclasses.field(default_factory=threading.Event)


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
    make_redactor : callable
        Gives what takes the secrets out of what may leave the machine, a new one for each search.
    load : callable
        Gives the providers and the checkers; called at the first failure.
    trials : Trials
        Runs fixes in copies of the kernel.
    rerun : callable
        Says what an accepted run of a fix would do, in words, and what it would repeat.
    clock : callable
        Seconds, for durations.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        presenter: Presenter,
        recorder: Recorder,
        make_redactor: Callable[[], Redactor],
        load: Callable[[], tuple[Sequence[FixProvider], Sequence[Checker]]],
        trials: Trials,
        rerun: Callable[[Fix], tuple[str, tuple[str, ...]]] = lambda fix: ("", ()),
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.id = new_id()
        self.settings = settings
        self.recorder = recorder
        self._presenter = presenter
        self._make_redactor = make_redactor
        self._load = load
        self._trials = trials
        self._rerun = rerun
        self._copies: dict[str, Copy] = {}
        self._clock = clock
        self._lock = threading.RLock()
        self._repairs: dict[str, Repair] = {}
        self._shown: set[str] = set()
        self._searches: dict[str, Search] = {}
        self._run: Run | None = None

    @functools.cached_property
    def plugins(self) -> tuple[Sequence[FixProvider], Sequence[Checker]]:
        """The providers and the checkers. Looking through all packages takes time, so: not before a failure."""
        return self._load()

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
        repair = Repair(new_id(), self.id, failure)
        with self._lock:
            self._repairs[repair.id] = repair
            self._copies[repair.id] = Copy(self._run.rerun.seconds if self._run and self._run.rerun else 0.0)
            for old in list(self._repairs)[:-KEPT]:
                self._forget(old)
        instant = Round(LOOKING, [provider for provider in self.plugins[0] if provider.instant])
        search = self._search(repair, [instant, *self._automatic_rounds()], Request())
        search.first_look.wait(patience)
        try:
            with self._lock:
                self._shown.add(repair.id)
                self._presenter.show(self._repairs[repair.id], search.working)
        finally:
            self._freeze(repair.id, search)
        with self._lock:  # an older state must not be saved after a newer one
            repair = self._repairs[repair.id]
            self.recorder.save(repair)
        return repair

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
        run = self._run = Run(cell, source, self._clock())
        accepted = None
        for repair in [self._repairs[becomes]] if becomes else self._concerning(cell, source):
            if _awaits(repair, source) and repair.decision is not None and repair.decision.run:
                accepted = repair
            if repair.decision is None:
                self._observe(repair, source)
            if _awaits(self._repairs[repair.id], source):
                run.repair_id = repair.id
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
        if self._run is not None:
            self._run.state, self._run.plainly = words, plainly

    def ended(self, error: ExceptionInfo | None) -> None:
        """The cell that ran has ended: if it was a repaired one, that is the repair's outcome."""
        run = self._run
        if run is None or run.rerun is not None:
            return
        ename, evalue = (error.ename, error.evalue) if error else ("", "")
        seconds = round(self._clock() - run.started, 3)
        run.rerun = Rerun(error is None, now(), ename, evalue, seconds, run.state)
        self._note_outcome(run)
        if run.repair_id in self._repairs and run.state and not run.plainly:
            self._presenter.note(self._repairs[run.repair_id])

    # ------------------------------------------------------------------------------- what the user wants

    def ask(self, repair_id: str, hint: str = "") -> None:
        """Ask the model, again if it was asked before.

        Raises
        ------
        BadInput
            If no model was chosen, or there is no such repair.
        """
        repair = self.repair(repair_id)
        slow = [provider for provider in self.plugins[0] if not provider.instant and provider.label]
        if not slow:
            raise BadInput("No model was chosen: `%reflex model` shows how.")
        if repair.decision is not None and repair.decision.kind in ("accepted", "superseded"):
            raise BadInput("That cell has moved on since; `%reflex fix` looks at the latest error.")
        self.cancel(repair.id)
        attempts = tuple(Attempt(fix, repair.verdict(fix)) for fix in repair.fixes)
        request = Request(hint=hint, attempts=attempts, on_text=self._streaming(repair))
        reopened = self._change(repair.id, lambda repair: dataclasses.replace(repair, decision=None, trouble=""))
        self._search(reopened, [self._asking(provider) for provider in slow], request)
        self._present(repair.id)

    def cancel(self, repair_id: str) -> None:
        """Stop looking for a fix; what was found stays."""
        search = self._searches.get(repair_id)
        if search is not None and search.working:
            search.cancel()
            search.working = ""
            self._change(repair_id, lambda repair: dataclasses.replace(repair, trouble="" if repair.fixes else STOPPED))

    def accept(
        self,
        repair_id: str,
        fix_id: str | None = None,
        source: str | None = None,
        *,
        run: bool = True,
        applied: bool = False,
    ) -> tuple[Repair, Fix]:
        """Decide for a fix. Who calls this sees to it that the cells are rewritten.

        Parameters
        ----------
        repair_id : str
        fix_id : str or None
            None: the first.
        source : str or None
            The failing cell's new source, where the user left hunks out or edited it.
        run : bool
            Whether the cell is to run at once.
        applied : bool
            Whether it is done already: then this only notes it, even if the re-run has overtaken the news.

        Returns
        -------
        Repair, Fix
            The fix has the source that was decided for.

        Raises
        ------
        BadInput
            If there is nothing to accept, or it was decided before.
        """
        with self._lock:
            repair = self.repair(repair_id)
            if not applied:
                _refuse_decided(repair)
            fix = repair.fix(fix_id) if fix_id else next(iter(repair.fixes), None)
            if fix is None:
                raise BadInput("There is no fix to accept yet.")
            fix = _edited(fix, source)
            decision = Decision("accepted", now(), fix.id, fix.edit.source, run)
            repair = self._decided(repair.id, decision)
            self._claim_run(repair)
        return repair, fix

    def reject(self, repair_id: str) -> Repair:
        """Decide against all fixes of a repair."""
        with self._lock:
            repair = self.repair(repair_id)
            _refuse_decided(repair)
            return self._decided(repair.id, Decision("rejected", now()))

    def refused(self, repair_id: str, reason: str) -> None:
        """Take an acceptance or an undoing back: the cell could not be rewritten, for a reason in words."""

        def take_back(repair: Repair) -> Repair:
            undone = repair.decision if repair.decision is not None and repair.decision.kind == "undone" else None
            decision = dataclasses.replace(undone, kind="accepted") if undone is not None else None
            return dataclasses.replace(repair, decision=decision, trouble=reason)

        self._change(self.repair(repair_id).id, take_back)

    def trouble(self, repair_id: str, words: str) -> None:
        """Say on a panel what could not be done."""
        self._change(repair_id, lambda repair: dataclasses.replace(repair, trouble=words))

    def undo(self, repair_id: str) -> CellEdit:
        """Mark an accepted repair as undone.

        Returns
        -------
        CellEdit
            What gives the cell its old source back.

        Raises
        ------
        BadInput
            If the repair was not accepted.
        """
        with self._lock:
            repair = self.repair(repair_id)
            decision = repair.decision
            if decision is None or decision.kind != "accepted" or decision.source is None:
                raise BadInput(f"{repair.id} was not accepted, so there is nothing to undo.")
            self._decided(repair.id, dataclasses.replace(decision, kind="undone", at=now()))
        return CellEdit(repair.failure.cell, decision.source, repair.failure.source)

    # ------------------------------------------------------------------------------- what there is

    def repair(self, repair_id: str) -> Repair:
        """The repair with that id in this kernel.

        Raises
        ------
        BadInput
            If there is none.
        """
        found = [repair for key, repair in self._repairs.items() if key.startswith(repair_id)] if repair_id else []
        if len(found) != 1:
            raise BadInput(f"There is no repair {repair_id!r} in this kernel: `%reflex history` lists them.")
        return found[0]

    def latest(self, *kinds: str | None) -> Repair | None:
        """The latest repair whose decision is one of `kinds` (None: undecided); without kinds, the latest of all."""
        with self._lock:
            newest_first = list(reversed(self._repairs.values()))
        return next((r for r in newest_first if not kinds or (r.decision.kind if r.decision else None) in kinds), None)

    def working(self, repair_id: str) -> str:
        """Who is at work on a repair, in words; empty if nobody is."""
        search = self._searches.get(repair_id)
        return search.working if search is not None else ""

    def wait(self, repair_id: str, seconds: float) -> None:
        """Wait until nobody is at work on a repair, at most so long."""
        search = self._searches.get(repair_id)
        if search is not None:
            search.join(seconds)

    def show_again(self, repair_id: str) -> None:
        """Show a repair anew, below the cell that asks for it."""
        with self._lock:
            self._presenter.show(self._repairs[repair_id], self.working(repair_id))

    def open_repairs(self) -> list[Repair]:
        """All repairs in memory, oldest first."""
        with self._lock:
            return list(self._repairs.values())

    def close(self, timeout: float = 2.0) -> None:
        """Stop all work and wait for its end, at most `timeout` seconds a search; write down what is left."""
        searches = list(self._searches.values())
        for search in searches:
            search.cancel()
        for copy in self._copies.values():
            copy.made.set()
        self._trials.close()
        for search in searches:
            search.join(timeout)
        self.recorder.close()

    # ------------------------------------------------------------------------------- inside

    def _automatic_rounds(self) -> list[Round]:
        """The rounds of the providers that cost something, as the settings allow."""
        if self.settings.ask_model == "on request":
            return []
        slow = [provider for provider in self.plugins[0] if not provider.instant and provider.label]
        always = self.settings.ask_model == "always"
        return [self._asking(provider, needed=lambda repair: always or not repair.fixes) for provider in slow]

    def _asking(self, provider: FixProvider, needed: Callable[[Repair], bool] = lambda repair: True) -> Round:
        return Round(f"asking {provider.label}", [provider], self.settings.attempts, needed)

    def _search(self, repair: Repair, rounds: Sequence[Round], request: Request) -> Search:
        request = dataclasses.replace(request, on_text=self._streaming(repair))
        search = Search(
            repair,
            rounds,
            request,
            Means(self._judge, self._runner(repair), self._make_redactor(), self._copies[repair.id].made),
            found=lambda grown: self._found(grown, request),
            changed=lambda: self._present(repair.id),
        )
        self._searches[repair.id] = search
        search.start()
        return search

    def _judge(self, failure: Failure, fix: Fix, trial: Trial | None) -> Verdict:
        findings = [finding for checker in self.plugins[1] for finding in checker.check(failure, fix, trial)]
        words, repeats = self._rerun(fix)
        return dataclasses.replace(verdict(failure, findings, trial), rerun=words, repeats=repeats)

    def _freeze(self, repair_id: str, search: Search) -> None:
        """Copy the kernel if there is, or may soon be, something to try."""
        copy = self._copies[repair_id]
        try:
            if self.settings.trial:
                search.first_look.wait(IMPORTS)
                if self._repairs[repair_id].fixes or search.working:
                    self._trials.freeze(repair_id)
        finally:
            copy.made.set()

    def _runner(self, repair: Repair) -> Callable[[Fix], Trial] | None:
        """What tries the fixes of a repair."""
        if not self.settings.trial:
            return None
        copy = self._copies[repair.id]

        def run(fix: Fix) -> Trial:
            return self._trials.run(repair.id, [edit.source for edit in fix.edits], copy.original)

        return run

    def _found(self, grown: Repair, request: Request) -> None:
        def add(repair: Repair) -> Repair:
            return dataclasses.replace(
                repair, fixes=grown.fixes, verdicts={**repair.verdicts, **grown.verdicts}, trouble=grown.trouble
            )

        with self._lock:
            if not request.cancelled.is_set() and grown.id in self._repairs:
                self._change(grown.id, add)

    def _streaming(self, repair: Repair) -> Callable[[str], None]:
        pieces = 0

        def stream(piece: str) -> None:
            nonlocal pieces
            pieces += 1
            self._presenter.text(repair, piece, pieces == 1)

        return stream

    def _concerning(self, cell: CellRef, source: str) -> list[Repair]:
        """The repairs whose outcome a run of that cell may be. Without cell ids, only the text can tell."""
        with self._lock:
            repairs = list(self._repairs.values())
        if cell.id is None:
            return [repair for repair in repairs if _awaits(repair, source)][-1:]
        return [repair for repair in repairs if repair.failure.cell.id == cell.id]

    def _claim_run(self, repair: Repair) -> None:
        """The news of an acceptance and the run itself may come in either order."""
        run = self._run
        same_cell = run is not None and run.cell.id is not None and run.cell.id == repair.failure.cell.id
        if run is not None and same_cell and run.repair_id is None and _awaits(repair, run.source):
            run.repair_id = repair.id
            self._note_outcome(run)

    def _note_outcome(self, run: Run) -> None:
        if run.repair_id in self._repairs and run.rerun is not None:
            self._change(run.repair_id, lambda repair: dataclasses.replace(repair, rerun=run.rerun))

    def _observe(self, repair: Repair, source: str) -> None:
        """The cell runs while its repair is undecided: perhaps the user typed or pasted the fix."""
        fix = next((fix for fix in repair.fixes if fix.edit.source == source), None)
        if fix is not None:
            self._decided(repair.id, Decision("accepted", now(), fix.id, source))
        else:
            self._decided(repair.id, Decision("superseded", now(), reason="The cell has run again since."))

    def _decided(self, repair_id: str, decision: Decision) -> Repair:
        search = self._searches.get(repair_id)
        if search is not None:
            search.cancel()
            search.working = ""
        self._trials.release(repair_id)
        return self._change(repair_id, lambda repair: dataclasses.replace(repair, decision=decision, trouble=""))

    def _change(self, repair_id: str, change: Callable[[Repair], Repair]) -> Repair:
        with self._lock:
            repair = self._repairs[repair_id] = change(self._repairs[repair_id])
            self._present(repair_id)
            if self._copies[repair_id].made.is_set():  # before that, the recorder's imports would be in the copy's way
                self.recorder.save(repair)
        return repair

    def _present(self, repair_id: str) -> None:
        with self._lock:
            if repair_id in self._shown and repair_id in self._repairs:
                self._presenter.update(self._repairs[repair_id], self.working(repair_id))

    def _forget(self, repair_id: str) -> None:
        del self._repairs[repair_id]
        self._shown.discard(repair_id)
        self._copies.pop(repair_id, None)
        self._trials.release(repair_id)
        search = self._searches.pop(repair_id, None)
        if search is not None:
            search.cancel()


def _refuse_decided(repair: Repair) -> None:
    decision = repair.decision
    if decision is not None and decision.kind != "undone":
        raise BadInput(f"{repair.id} is decided: it was {decision.kind}. {decision.reason}".rstrip())


def _edited(fix: Fix, source: str | None) -> Fix:
    if source is None:
        return fix
    return dataclasses.replace(fix, edits=(*fix.edits[:-1], dataclasses.replace(fix.edit, source=source)))


def _awaits(repair: Repair, source: str) -> bool:
    """Whether a run of `source` would be the outcome of an accepted repair."""
    decision = repair.decision
    return decision is not None and decision.kind == "accepted" and repair.rerun is None and decision.source == source
