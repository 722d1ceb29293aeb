"""Who works on which repair: workers on threads of their own, and the copies of the kernel that they try fixes in."""

from __future__ import annotations

import dataclasses
import weakref
from collections.abc import Callable, Sequence

from reflex_ipython.models import Fix, Repair, Verdict
from reflex_ipython.protocols import Request
from reflex_ipython.repairs.choosing import offered
from reflex_ipython.repairs.kernel_snapshot import KernelSnapshot, no_snapshot
from reflex_ipython.repairs.newest import NOT_ASKED
from reflex_ipython.repairs.open_repair import Event, OpenRepair
from reflex_ipython.repairs.open_repairs import OpenRepairs
from reflex_ipython.repairs.progress import LOOKING, TRYING, Progress
from reflex_ipython.repairs.repair_worker import RepairWorker
from reflex_ipython.repairs.repeated_work import with_run_options
from reflex_ipython.repairs.rounds import Round, Rounds
from reflex_ipython.repairs.services import Services
from reflex_ipython.repairs.text_trials import TextTrials
from reflex_ipython.repairs.verdicts import Verdicts
from reflex_ipython.settings import Settings
from reflex_ipython.stages import Work

IMPORTS = 10.0
"""Seconds that a cell which is run right after the very first failure waits for the rules' import, at most."""
LOOK = 0.1
"""Seconds that one right after a later failure waits for the rules, at most: of a very long cell they need more, and
the kernel is copied whether or not they will find something to try.
"""

RUNS = "the cell is still running"


class RepairWorkers:
    """All workers of one kernel.

    Parameters
    ----------
    repairs : OpenRepairs
        They change as fixes and verdicts are found.
    settings : callable
        Gives the settings as they are now.
    services : Services
    rounds : Rounds
        In which providers are asked.
    verdicts : Verdicts
    text : callable
        Is given a repair, each piece of what a model writes for it, and whether it is the first of its answer.
    """

    def __init__(
        self,
        repairs: OpenRepairs,
        settings: Callable[[], Settings],
        services: Services,
        rounds: Rounds,
        verdicts: Verdicts,
        *,
        text: Callable[[Repair, str, bool], None],
    ) -> None:
        self._repairs = repairs
        self._settings = settings
        self._services = services
        self._rounds = rounds
        self._verdicts = verdicts
        self._text = text
        self._texts = TextTrials(verdicts.of)
        self._looked = False
        self._begun: weakref.WeakSet[RepairWorker] = weakref.WeakSet()  # each is held by its own thread until its end
        repairs.listen(self._released)

    # ------------------------------------------------------------------------------- begin and end

    def begin(self, opened: OpenRepair, *, after_reply: bool = False) -> RepairWorker:
        """Ask the instant providers of a new repair, then the others as the settings say.

        Parameters
        ----------
        opened : OpenRepair
        after_reply : bool
            Whether to begin only once the cell's reply is out.
        """
        opened.snapshot = KernelSnapshot(self._services.trials, opened.repair)
        self._overtake(self._rounds.newest.failed(opened.repair.id))

        def rounds() -> list[Round]:
            return self._rounds.of_failure(opened.repair)

        if not after_reply:
            return self._start(opened, LOOKING, rounds, Request())
        worker = self._worker(opened, LOOKING, rounds, Request())
        self._services.trials.after_reply(worker.start, lambda: True)
        return worker

    def begin_foreseen(self, opened: OpenRepair) -> RepairWorker:
        """Ask the instant providers about what has not failed yet. The kernel is not copied: its cell runs."""
        opened.snapshot = no_snapshot(self._services.trials, opened.repair, RUNS)
        worker = self._worker(opened, LOOKING, self._rounds.of_foreseen, Request())
        worker.start()
        return worker

    def begin_wish(self, opened: OpenRepair) -> RepairWorker:
        """Ask for code where nothing failed: the providers that take their time, once the kernel was copied."""
        opened.snapshot = KernelSnapshot(self._services.trials, opened.repair)
        rounds = self._rounds.of_wish()
        return self._start(opened, rounds[0].work if rounds else None, lambda: rounds, Request())

    def ask(self, opened: OpenRepair, request: Request) -> None:
        """Ask the providers that take their time."""
        rounds = self._rounds.asked()
        self._start(opened, rounds[0].work if rounds else None, lambda: rounds, request)

    def try_fix(self, opened: OpenRepair, fix: Fix) -> None:
        """Try a fix, whatever is done by itself; in a new copy of the kernel, if there was one that has ended."""
        if opened.snapshot is not None and opened.snapshot.is_gone:
            self.try_again(opened, fix)
            return
        self._start(opened, TRYING, list, Request(), to_try=fix)

    def try_again(self, opened: OpenRepair, fix: Fix) -> None:
        """Try a fix in a new copy of the kernel; until then it is one that was not tried."""
        repair_id = opened.repair.id
        self._texts.end(repair_id)
        snapshot = opened.snapshot = KernelSnapshot(self._services.trials, opened.repair)
        worker = self._worker(opened, TRYING, list, Request(), to_try=fix)  # first: it is shown that it is at work
        untried = self._verdicts.of(opened.repair.cause, fix, None)
        self._repairs.change(
            repair_id,
            lambda repair: self._verdicts.reconsidered(
                dataclasses.replace(repair, verdicts={**repair.verdicts, fix.id: untried}, trouble="")
            ),
        )
        worker.start()
        self._services.trials.when_free(snapshot.make)

    def try_text(self, opened: OpenRepair, fix: Fix, then: Callable[[Verdict], None]) -> None:
        """Try a fix with a text of the user's own; `then` is told what came of it, unless a newer one is tried."""

        def judged(verdict: Verdict) -> None:
            run_options = self._verdicts.run_options(fix, opened.repair.situation)
            then(with_run_options(verdict, run_options))

        gone = opened.snapshot is not None and opened.snapshot.is_gone
        if gone:  # what is there now is copied: from that it would run
            names = self._services.names
            opened.snapshot = KernelSnapshot(self._services.trials, opened.repair, names=names() if names else None)
        snapshot = self._snapshot(opened)
        self._texts.begin(opened.repair, snapshot, fix, judged)
        if gone:
            self._services.trials.when_free(snapshot.make)

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
                    if opened.repair.fixes or worker.progress.work is not None or offered(opened):
                        snapshot.make()
            finally:
                snapshot.settle()

        self._services.trials.after_reply(make, worker.first_look.is_set)

    def cancel(self, opened: OpenRepair) -> bool:
        """Stop the search of a repair; whether somebody was at work."""
        with self._repairs.lock:
            was_working = not opened.is_settled
            if opened.worker is not None:
                opened.worker.cancel()
                opened.worker.progress.work = None
            return was_working

    def release(self, opened: OpenRepair) -> None:
        """A repair was decided: nobody works on it any more, and its copy of the kernel goes."""
        self.cancel(opened)
        self._texts.end(opened.repair.id)
        self._snapshot(opened).release()

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

    # ------------------------------------------------------------------------------- inside

    def _released(self, event: Event, opened: OpenRepair) -> None:
        """A repair that leaves the memory takes its worker and its copy with it."""
        if event == "forgotten":
            self.release(opened)
            if opened.snapshot is not None:
                opened.snapshot.abandon()

    def _overtake(self, repair_id: str) -> None:
        """Another cell has failed right after this repair's: a question that was asked by itself is withdrawn."""
        with self._repairs.lock:
            opened = self._repairs.open(repair_id) if repair_id in self._repairs else None
            if opened is None or opened.work is None or opened.work.kind != "asking":
                return
            self.cancel(opened)
            self._repairs.change(repair_id, lambda repair: dataclasses.replace(repair, trouble=NOT_ASKED))

    def _start(
        self,
        opened: OpenRepair,
        work: Work | None,
        rounds: Callable[[], Sequence[Round]],
        request: Request,
        *,
        to_try: Fix | None = None,
    ) -> RepairWorker:
        worker = self._worker(opened, work, rounds, request, to_try=to_try)
        worker.start()
        self._repairs.tell("working", opened.repair.id)
        return worker

    def _worker(
        self,
        opened: OpenRepair,
        work: Work | None,
        rounds: Callable[[], Sequence[Round]],
        request: Request,
        *,
        to_try: Fix | None = None,
    ) -> RepairWorker:
        """A worker that has not begun."""
        settings, snapshot = self._settings(), self._snapshot(opened)
        worker = RepairWorker(
            opened.repair,
            rounds,
            request,
            Progress(self._repairs, opened, work, self._verdicts.reconsidered, self._text),
            snapshot,
            judge=self._verdicts.of,
            services=self._services,
            settings=settings,
            # Where there is an obstacle, it is told of each fix: trying them costs nothing.
            tries=to_try is not None or settings.trial == "automatic" or bool(snapshot.obstacle),
            to_try=to_try,
        )
        opened.worker = worker
        self._begun.add(worker)
        return worker

    def _snapshot(self, opened: OpenRepair) -> KernelSnapshot:
        """The copy of the kernel for a repair; none was made for one of an earlier session."""
        return opened.snapshot or no_snapshot(self._services.trials, opened.repair)
