"""Who works on which repair: workers on threads of their own, and the copies of the kernel that they try fixes in."""

from __future__ import annotations

import dataclasses
import functools
import math
import threading
import weakref
from collections.abc import Callable, Sequence

from reflex_ipython.errors import told
from reflex_ipython.models import (
    Fix,
    Repair,
    Trial,
    Verdict,
    cell_changes,
    why_not,
)
from reflex_ipython.protocols import (
    Asks,
    Checker,
    Closes,
    FixProvider,
    Question,
    Request,
    Withdrawal,
    Work,
)
from reflex_ipython.repairs.choosing import offered
from reflex_ipython.repairs.kernel_snapshot import KernelSnapshot, no_snapshot
from reflex_ipython.repairs.newest import NOT_ASKED
from reflex_ipython.repairs.open_repair import Event, OpenRepair
from reflex_ipython.repairs.open_repairs import OpenRepairs
from reflex_ipython.repairs.question import question
from reflex_ipython.repairs.repair_worker import LOOKING, TRYING, RepairWorker, Round, SearchContext
from reflex_ipython.repairs.repeated_work import with_run_options
from reflex_ipython.repairs.rounds import Rounds
from reflex_ipython.repairs.services import Services
from reflex_ipython.repairs.text_trials import TextTrials
from reflex_ipython.repairs.verdicts import UNTRIABLE, Verdicts
from reflex_ipython.settings import Settings

IMPORTS = 10.0
"""Seconds that a cell which is run right after the very first failure waits for the rules' import, at most."""
LOOK = 0.1
"""Seconds that one right after a later failure waits for the rules, at most: of a very long cell they need more, and
the kernel is copied whether or not they will find something to try.
"""

EARLIER = "it was proposed in an earlier session"
RUNS = "the cell is still running"
SEARCH_FAILED = "The search for a fix failed: {}. What it had found is kept. Ask again, or go on without it."


class RepairWorkers:
    """All workers of one kernel.

    Parameters
    ----------
    repairs : OpenRepairs
        They change as fixes and verdicts are found.
    settings : callable
        Gives the settings as they are now.
    services : Services
    text : callable
        Is given a repair, each piece of what a model writes for it, and whether it is the first of its answer.
    """

    def __init__(
        self,
        repairs: OpenRepairs,
        settings: Callable[[], Settings],
        services: Services,
        *,
        text: Callable[[Repair, str, bool], None],
    ) -> None:
        self._repairs = repairs
        self._settings = settings
        self._services = services
        self._text = text
        self._loading = threading.Lock()
        self.verdicts = Verdicts(lambda: self.plugins[1], services.consequences)
        self._texts = TextTrials(self._run_text, self.verdicts.of)
        self.rounds = Rounds(lambda: self.plugins[0], settings, services.cells_not_run)
        self._looked = False
        self._begun: weakref.WeakSet[RepairWorker] = weakref.WeakSet()  # each is held by its own thread until its end
        repairs.listen(self._released)

    @functools.cached_property
    def plugins(self) -> tuple[Sequence[FixProvider], Sequence[Checker]]:
        """The providers and the checkers. Looking through all packages takes time, so: not before a failure, and then
        first on a worker's thread; whoever else needs them waits for that one. Repairs that were recalled before then
        had nobody to offer.
        """
        with self._loading:
            found: tuple[Sequence[FixProvider], Sequence[Checker]] | None = vars(self).get("plugins")
            if found is not None:
                return found
            vars(self)["plugins"] = found = self._services.load()
        self._repairs.offers_changed(lambda opened: opened.worker is None)
        return found

    @property
    def loaded(self) -> bool:
        """Whether they were needed already, so that asking about them costs nothing."""
        return "plugins" in vars(self)

    def spent(self) -> str:
        """What the questions of this session have cost, in words; empty for nothing."""
        providers = self.plugins[0] if self.loaded else ()
        return ", ".join(filter(None, (str(getattr(provider, "spent", "")) for provider in providers)))

    def questions(self, repair: Repair, request: Request) -> list[Question]:
        """What would be sent if they were asked about a repair now, one question for each.

        Where none can be asked: what those would send that could be, once they are chosen.
        """
        asked = self.rounds.slow() or [provider for provider in self.plugins[0] if isinstance(provider, Asks)]
        repair = dataclasses.replace(repair, cause=self._services.enrich(repair.cause))
        return [question(repair, provider, request, self._services.make_redactor()) for provider in asked]

    # ------------------------------------------------------------------------------- begin and end

    def begin(self, opened: OpenRepair, original: float, *, after_reply: bool = False) -> RepairWorker:
        """Ask the instant providers of a new repair, then the others as the settings say.

        Parameters
        ----------
        opened : OpenRepair
        original : float
            Seconds that the failed run took.
        after_reply : bool
            Whether to begin only once the cell's reply is out.
        """
        opened.snapshot = KernelSnapshot(original)
        self._overtake(self.rounds.newest.failed(opened.repair.id))

        def rounds() -> list[Round]:
            return self.rounds.of_failure(opened.repair)

        if not after_reply:
            return self._start(opened, LOOKING, rounds, Request())
        worker = self._worker(opened, LOOKING, rounds, Request())
        self._services.trials.after_reply(worker.start, lambda: True)
        return worker

    def begin_foreseen(self, opened: OpenRepair) -> RepairWorker:
        """Ask the instant providers about what has not failed yet. The kernel is not copied: its cell runs."""
        opened.snapshot = no_snapshot()
        worker = self._worker(opened, LOOKING, self.rounds.of_foreseen, Request(), run=_not_now)
        worker.start()
        return worker

    def begin_wish(self, opened: OpenRepair) -> RepairWorker:
        """Ask for code where nothing failed: the providers that take their time, once the kernel was copied."""
        opened.snapshot = KernelSnapshot(math.inf)  # nobody knows how long it should take: all that a trial may
        rounds = self.rounds.of_wish()
        return self._start(opened, rounds[0].work if rounds else None, lambda: rounds, Request())

    def look_again(self, repair: Repair) -> Repair:
        """A repair of an earlier session, with what this kernel knows of its fixes: there is no copy to try them in."""
        untried = Trial("not_tried", EARLIER)
        verdicts = {fix.id: self.verdicts.of(repair.cause, fix, untried) for fix in repair.fixes}
        return self.verdicts.reconsidered(dataclasses.replace(repair, verdicts=verdicts))

    def ask(self, opened: OpenRepair, request: Request) -> None:
        """Ask the providers that take their time."""
        rounds = self.rounds.asked()
        self._start(opened, rounds[0].work if rounds else None, lambda: rounds, request)

    def try_fix(self, opened: OpenRepair, fix: Fix) -> None:
        """Try a fix, whatever is done by itself."""
        self._start(opened, TRYING, list, Request(), to_try=fix)

    def try_again(self, opened: OpenRepair, fix: Fix) -> None:
        """Try a fix in a new copy of the kernel; until then it is one that was not tried."""
        repair_id, before = opened.repair.id, opened.snapshot or no_snapshot()
        self._texts.end(repair_id)
        snapshot = opened.snapshot = KernelSnapshot(before.original)
        worker = self._worker(opened, TRYING, list, Request(), to_try=fix)  # first: it is shown that it is at work
        untried = self.verdicts.of(opened.repair.cause, fix, None)

        def make() -> None:
            try:
                self._freeze(repair_id, snapshot)
            finally:
                snapshot.settle()

        self._repairs.change(
            repair_id,
            lambda repair: self.verdicts.reconsidered(
                dataclasses.replace(repair, verdicts={**repair.verdicts, fix.id: untried}, trouble="")
            ),
        )
        worker.start()
        self._services.trials.when_free(make)

    def try_text(self, opened: OpenRepair, fix: Fix, then: Callable[[Verdict], None]) -> None:
        """Try a fix with a text of the user's own; `then` is told what came of it, unless a newer one is tried."""

        def judged(verdict: Verdict) -> None:
            run_options = self.verdicts.run_options(fix, opened.repair.situation)
            then(with_run_options(verdict, run_options))

        self._texts.begin(opened, fix, judged)

    def copy_kernel(self, opened: OpenRepair, *, then: Callable[[], object]) -> None:
        """Copy the kernel as it is now, if there is or may soon be something to try. No reply waits for that.

        Parameters
        ----------
        opened : OpenRepair
            For which `begin` was called.
        then : callable
            Called afterwards.
        """
        worker, snapshot = opened.worker, opened.snapshot
        assert worker is not None
        assert snapshot is not None
        snapshot.then = then

        def make() -> None:
            try:
                if snapshot.wanted and self._settings().trial != "off":
                    self._looked |= worker.first_look.wait(LOOK if self._looked else IMPORTS)
                    if opened.repair.fixes or worker.work is not None or offered(opened):
                        self._freeze(opened.repair.id, snapshot)
            finally:
                snapshot.settle()

        self._services.trials.after_reply(make, worker.first_look.is_set)

    def cancel(self, opened: OpenRepair) -> bool:
        """Stop the search of a repair; whether somebody was at work."""
        with self._repairs.lock:
            worker = opened.worker
            if worker is None:
                return False
            was_working = worker.work is not None
            worker.cancel()
            worker.work = None
            return was_working

    def release(self, opened: OpenRepair) -> None:
        """A repair was decided: nobody works on it any more, and its copy of the kernel goes."""
        self.cancel(opened)
        self._texts.end(opened.repair.id)
        if opened.snapshot is not None:
            opened.snapshot.wanted = False
        self._services.trials.release(opened.repair.id)

    def close(self, timeout: float) -> None:
        """Stop all, those that others have followed as well, and wait at most `timeout` seconds for each."""
        workers = list(self._begun)
        for worker in workers:
            worker.cancel()
        for opened in self._repairs.all_open():
            if opened.snapshot is not None:
                opened.snapshot.settle()
        self._services.trials.close()
        self._texts.close(timeout)
        for worker in workers:
            worker.join(timeout)
        for provider in self.plugins[0] if self.loaded else ():
            if isinstance(provider, Closes):
                provider.close()

    # ------------------------------------------------------------------------------- inside

    def _released(self, event: Event, opened: OpenRepair) -> None:
        """A repair that leaves the memory takes its worker and its copy with it."""
        if event == "forgotten":
            self.release(opened)
            if opened.snapshot is not None:
                opened.snapshot.abandon()

    def _freeze(self, repair_id: str, snapshot: KernelSnapshot) -> None:
        """Copy the kernel, if the copy is wanted."""
        if snapshot.wanted:
            self._services.trials.freeze(repair_id)
        if not snapshot.wanted:  # it was decided meanwhile, on another thread
            self._services.trials.release(repair_id)

    def _overtake(self, repair_id: str) -> None:
        """Another cell has failed right after this repair's: a question that was asked by itself is withdrawn."""
        with self._repairs.lock:
            opened = self._repairs.open(repair_id) if repair_id in self._repairs else None
            worker = None if opened is None else opened.worker
            if opened is None or worker is None or worker.work is None or worker.work.kind != "asking":
                return
            self.cancel(opened)
            self._repairs.change(repair_id, lambda repair: dataclasses.replace(repair, trouble=NOT_ASKED))

    def _start(
        self,
        opened: OpenRepair,
        work: Work | None,
        rounds: Callable[[], Sequence[Round]],
        request: Request,
        to_try: Fix | None = None,
    ) -> RepairWorker:
        worker = self._worker(opened, work, rounds, request, to_try)
        worker.start()
        self._repairs.tell("working", opened.repair.id)
        return worker

    def _worker(
        self,
        opened: OpenRepair,
        work: Work | None,
        rounds: Callable[[], Sequence[Round]],
        request: Request,
        to_try: Fix | None = None,
        run: Callable[[Fix, float | None], Trial] | None = None,
    ) -> RepairWorker:
        """A worker that has not begun. `run`: what tries its fixes, if that is not the copy of the kernel."""
        repair_id, snapshot = opened.repair.id, opened.snapshot or no_snapshot()
        settings = self._settings()
        if run is None and (to_try or settings.trial == "automatic"):
            run = self._runner(opened.repair, snapshot)
        worker = RepairWorker(
            opened.repair,
            work,
            rounds,
            request,
            SearchContext(
                self.verdicts.of,
                run,
                functools.cache(self._services.make_redactor),
                snapshot.made,
                several=lambda: self._services.trials.several(repair_id),
                search_candidates=settings.search_candidates,
                search_time=settings.search_time,
                complete=self._services.complete,
                enrich=self._services.enrich,
                review=settings.review,
            ),
            found=lambda grown: self._found(grown, request),
            begins=lambda work: self._begins(opened, worker, work),
            failed=lambda error: self._failed(repair_id, request, error),
            text=lambda piece, start: self._text(opened.repair, piece, start),
            to_try=to_try,
        )
        opened.worker = worker
        self._begun.add(worker)
        return worker

    def _begins(self, opened: OpenRepair, worker: RepairWorker, work: Work | None) -> None:
        """A worker turns to something else. Who waits for that goes on once all that listen were told."""
        with self._repairs.lock:
            stopped = work is not None and worker.request.cancelled.is_set()
            if worker.work != work and not stopped:
                worker.work = work
                self._repairs.tell("settled" if opened.is_settled else "working", opened.repair.id)

    def _found(self, grown: Repair, request: Request) -> None:
        """A repair has grown. Its request may be cancelled by then."""

        def add(repair: Repair) -> Repair:
            verdicts = {**repair.verdicts, **grown.verdicts}
            repair = dataclasses.replace(
                repair, fixes=grown.fixes, verdicts=verdicts, trouble=grown.trouble, asked=grown.asked
            )
            return self.verdicts.reconsidered(repair)

        with self._repairs.lock:
            if not request.cancelled.is_set() and grown.id in self._repairs:
                self._repairs.change(grown.id, add, "found")

    def _failed(self, repair_id: str, request: Request, error: BaseException) -> None:
        """A search has ended on an error of its own: what was found stays, and the panel says so."""
        with self._repairs.lock:
            if not request.cancelled.is_set() and repair_id in self._repairs:
                words = SEARCH_FAILED.format(told(error))
                self._repairs.change(repair_id, lambda repair: dataclasses.replace(repair, trouble=words))

    def _runner(self, repair: Repair, snapshot: KernelSnapshot) -> Callable[..., Trial]:
        """What tries the fixes of a repair."""

        def run(fix: Fix, most: float | None, withdrawal: Withdrawal | None = None) -> Trial:
            refusal = why_not(fix, repair.situation)
            if refusal:
                return Trial("not_tried", refusal)
            changes = cell_changes(fix, repair.situation)
            if changes.installs:
                return Trial("not_tried", UNTRIABLE)
            return self._services.trials.run(repair.id, changes, snapshot.original, most, withdrawal)

        return run

    def _run_text(self, opened: OpenRepair, fix: Fix, withdrawal: Withdrawal) -> Trial:
        snapshot = opened.snapshot or no_snapshot()
        snapshot.made.wait()
        return self._runner(opened.repair, snapshot)(fix, None, withdrawal)


def _not_now(fix: Fix, most: float | None, withdrawal: Withdrawal | None = None) -> Trial:
    return Trial("not_tried", RUNS)
