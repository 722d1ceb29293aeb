"""Who works on which repair: workers on threads of their own, and the copies of the kernel that they try fixes in."""

from __future__ import annotations

import dataclasses
import functools
import threading
from collections.abc import Callable, Sequence

from reflex_ipython.check.verdict import verdict
from reflex_ipython.models import Failure, Fix, Repair, Trial, Verdict
from reflex_ipython.protocols import Asks, Checker, Consequences, FixProvider, Question, Redactor, Request, Trials
from reflex_ipython.repairs.repair_worker import LOOKING, RepairWorker, Round, SearchContext, question
from reflex_ipython.settings import Settings

IMPORTS = 0.5
"""Seconds that a cell which is run right after the very first failure waits for the rules' import."""

EARLIER = "it was proposed in an earlier session"


@dataclasses.dataclass
class KernelSnapshot:
    """The copy of the kernel for the trials of one repair.

    Parameters
    ----------
    original : float
        Seconds that the failed run took.
    wanted : bool
        Whether the repair is still open.
    made : Event
        Set once it is there, or once it is known that there is none.
    then : callable
        What was put off until then.
    """

    original: float
    wanted: bool = True
    made: threading.Event = dataclasses.field(default_factory=threading.Event)
    then: Callable[[], object] = lambda: None

    def settle(self) -> None:
        """It is there, or there will be none."""
        if not self.made.is_set():
            self.made.set()
            self.then()


@dataclasses.dataclass(frozen=True)
class Services:
    """What the workers of one kernel work with.

    Parameters
    ----------
    make_redactor : callable
        Gives what takes the secrets out of what may leave the machine, a new one for each worker.
    load : callable
        Gives the providers and the checkers; called at the first failure.
    trials : Trials
        Runs fixes in copies of the kernel.
    consequences : Consequences
        Says what accepting a fix would do.
    """

    make_redactor: Callable[[], Redactor]
    load: Callable[[], tuple[Sequence[FixProvider], Sequence[Checker]]]
    trials: Trials
    consequences: Consequences


class RepairWorkers:
    """All workers of one kernel.

    Parameters
    ----------
    settings : callable
        Gives the settings as they are now.
    services : Services
    found : callable
        Is given each repair that has grown, and the request that it grew from, which may be cancelled by then.
    changed : callable
        Is told the id of a repair when somebody else is at work on it, or nobody.
    failed : callable
        Is given the id of a repair, its request, and what ended the search for its fixes before its time.
    text : callable
        Is given a repair, each piece of what a model writes for it, and whether it is the first of its answer.
    """

    def __init__(
        self,
        settings: Callable[[], Settings],
        services: Services,
        *,
        found: Callable[[Repair, Request], None],
        changed: Callable[[str], None],
        failed: Callable[[str, Request, BaseException], None],
        text: Callable[[Repair, str, bool], None],
    ) -> None:
        self._settings = settings
        self._services = services
        self._found = found
        self._changed = changed
        self._failed = failed
        self._text = text
        self._snapshots: dict[str, KernelSnapshot] = {}
        self._workers: dict[str, RepairWorker] = {}

    @functools.cached_property
    def plugins(self) -> tuple[Sequence[FixProvider], Sequence[Checker]]:
        """The providers and the checkers. Looking through all packages takes time, so: not before a failure."""
        return self._services.load()

    def slow(self) -> list[FixProvider]:
        """The providers that cost something and can be asked now."""
        return [provider for provider in self.plugins[0] if not provider.instant and provider.label]

    def question(self, repair: Repair, request: Request) -> Question | None:
        """What would be sent if a model were asked about a repair now; None if no provider sends anything."""
        provider = next((one for one in self.plugins[0] if isinstance(one, Asks)), None)
        return None if provider is None else question(repair, provider, request, self._services.make_redactor())

    # ------------------------------------------------------------------------------- begin and end

    def begin(self, repair: Repair, original: float) -> RepairWorker:
        """Ask the instant providers of a new repair, then the others as the settings say.

        Parameters
        ----------
        repair : Repair
        original : float
            Seconds that the failed run took.
        """
        self._snapshots[repair.id] = KernelSnapshot(original)
        instant = Round(LOOKING, [provider for provider in self.plugins[0] if provider.instant])
        return self._start(repair, [instant, *self._automatic_rounds()], Request())

    def look_again(self, repair: Repair) -> Repair:
        """A repair of an earlier session, with what this kernel knows of its fixes: there is no copy to try them in."""
        self._snapshots[repair.id] = KernelSnapshot(0.0)
        self._snapshots[repair.id].settle()
        untried = Trial("not_tried", EARLIER)
        verdicts = {fix.id: self._judge(repair.failure, fix, untried) for fix in repair.fixes}
        return self.reconsidered(dataclasses.replace(repair, verdicts=verdicts))

    def ask(self, repair: Repair, request: Request) -> None:
        """Ask the providers that cost something."""
        self._start(repair, [self._asking(provider) for provider in self.slow()], request)

    def try_fix(self, repair: Repair, fix: Fix) -> None:
        """Try a fix, whatever is done by itself."""
        self._start(repair, [], Request(), to_try=fix)

    def copy_kernel(self, repair_id: str, *, worth: Callable[[], bool], then: Callable[[], object]) -> None:
        """Copy the kernel as it is now, if there is or may soon be something to try. No reply waits for that.

        Parameters
        ----------
        repair_id : str
        worth : callable
            Whether there are fixes by then.
        then : callable
            Called afterwards.
        """
        worker, snapshot = self._workers[repair_id], self._snapshots[repair_id]
        snapshot.then = then

        def make() -> None:
            try:
                if snapshot.wanted and self._settings().trial != "off":
                    worker.first_look.wait(IMPORTS)
                    if worth() or worker.working:
                        self._services.trials.freeze(repair_id)
            finally:
                snapshot.settle()

        self._services.trials.after_reply(make, worker.first_look.is_set)

    def cancel(self, repair_id: str) -> bool:
        """Stop the worker of a repair; whether somebody was at work."""
        worker = self._workers.get(repair_id)
        if worker is None:
            return False
        was_working = bool(worker.working)
        worker.cancel()
        worker.working = ""
        return was_working

    def release(self, repair_id: str) -> None:
        """A repair was decided: nobody works on it any more, and its copy of the kernel goes."""
        self.cancel(repair_id)
        if repair_id in self._snapshots:
            self._snapshots[repair_id].wanted = False
        self._services.trials.release(repair_id)

    def forget(self, repair_id: str) -> None:
        """A repair is gone."""
        self.release(repair_id)
        self._workers.pop(repair_id, None)
        snapshot = self._snapshots.pop(repair_id, None)
        if snapshot is not None:
            snapshot.made.set()  # and what was put off is not done any more

    def close(self, timeout: float) -> None:
        """Stop all, and wait at most `timeout` seconds for each."""
        workers = list(self._workers.values())
        for worker in workers:
            worker.cancel()
        for snapshot in list(self._snapshots.values()):
            snapshot.settle()
        self._services.trials.close()
        for worker in workers:
            worker.join(timeout)

    # ------------------------------------------------------------------------------- what there is

    def reconsidered(self, repair: Repair) -> Repair:
        """The repair with the ways in which its fixes can be run now: another cell may have run meanwhile."""
        verdicts = {
            fix.id: dataclasses.replace(repair.verdict(fix), ways=tuple(self._services.consequences.ways(fix)))
            for fix in repair.fixes
        }
        return dataclasses.replace(repair, verdicts=verdicts)

    def working(self, repair_id: str) -> str:
        """Who is at work on a repair, in words; empty if nobody is."""
        worker = self._workers.get(repair_id)
        return worker.working if worker is not None else ""

    def wait_for_first_look(self, repair_id: str, seconds: float) -> None:
        """Wait until the instant providers have looked at a repair, at most so long."""
        worker = self._workers.get(repair_id)
        if worker is not None:
            worker.first_look.wait(seconds)

    def wait(self, repair_id: str, seconds: float) -> None:
        """Wait until nobody is at work on a repair, at most so long."""
        worker = self._workers.get(repair_id)
        if worker is not None:
            worker.join(seconds)

    # ------------------------------------------------------------------------------- inside

    def _automatic_rounds(self) -> list[Round]:
        """The rounds of the providers that cost something, as the settings allow."""
        ask = self._settings().ask_model
        if ask == "on request":
            return []
        always = ask == "always"
        return [self._asking(provider, needed=lambda repair: always or not repair.fixes) for provider in self.slow()]

    def _asking(self, provider: FixProvider, needed: Callable[[Repair], bool] = lambda repair: True) -> Round:
        return Round(f"asking {provider.label}", [provider], self._settings().attempts, needed)

    def _start(
        self, repair: Repair, rounds: Sequence[Round], request: Request, to_try: Fix | None = None
    ) -> RepairWorker:
        run = self._runner(repair.id) if to_try or self._settings().trial == "automatic" else None
        context = SearchContext(self._judge, run, self._services.make_redactor(), self._snapshots[repair.id].made)
        worker = RepairWorker(
            repair,
            rounds,
            request,
            context,
            found=lambda grown: self._found(grown, request),
            changed=lambda: self._changed(repair.id),
            failed=lambda error: self._failed(repair.id, request, error),
            text=lambda piece, start: self._text(repair, piece, start),
            to_try=to_try,
        )
        self._workers[repair.id] = worker
        worker.start()
        return worker

    def _judge(self, failure: Failure, fix: Fix, trial: Trial | None) -> Verdict:
        findings = [finding for checker in self.plugins[1] for finding in checker.check(failure, fix, trial)]
        findings += self._services.consequences.findings(fix)
        return verdict(failure, findings, trial)

    def _runner(self, repair_id: str) -> Callable[[Fix], Trial]:
        """What tries the fixes of a repair."""
        original = self._snapshots[repair_id].original
        return lambda fix: self._services.trials.run(repair_id, fix.edits, original)
