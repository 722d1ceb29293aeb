"""Looking for fixes and trying them, on a thread of its own, so that the kernel stays free."""

from __future__ import annotations

import contextvars
import dataclasses
import functools
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence

from reflex_ipython.base.own_threads import OwnThread
from reflex_ipython.base.working_cache import forget
from reflex_ipython.models import Asked, Fix, Repair, Verdict, Wish
from reflex_ipython.protocols import Attempt, Request, Reviews
from reflex_ipython.repairs.asking_again import AskingAgain
from reflex_ipython.repairs.kernel_snapshot import KernelSnapshot
from reflex_ipython.repairs.pipeline import Judge, grow
from reflex_ipython.repairs.progress import SEARCHING, TRYING, Progress
from reflex_ipython.repairs.ranking import best_first, convincing
from reflex_ipython.repairs.reviewing import reviewed, with_review
from reflex_ipython.repairs.rounds import Round
from reflex_ipython.repairs.search import likeliest, searched
from reflex_ipython.repairs.services import Services
from reflex_ipython.settings import Settings
from reflex_ipython.stages import Work


class RepairWorker:
    """Works on one repair on a thread of its own, in rounds. Nothing begins before `start`.

    Parameters
    ----------
    repair : Repair
        What is known at the beginning.
    rounds : callable
        Gives the rounds in their order, on its thread: plugins may have to be loaded for that. When the first has
        proposed, `first_look` is set.
    request : Request
        What the providers are asked.
    progress : Progress
        Is told what it does and finds, and whatever ended it before its time: no error passes unsaid.
    snapshot : KernelSnapshot
        Only once it is made may a provider that is not instant begin: it imports, and a copy that is made meanwhile
        could never import again.
    judge : callable
        Says what is known of a fix.
    services : Services
    settings : Settings
        As they are when it begins.
    tries : bool
        Whether what is found is tried in the copy of the kernel.
    to_try : Fix or None
        One of the repair's fixes, to be tried first.
    """

    def __init__(
        self,
        repair: Repair,
        rounds: Callable[[], Sequence[Round]],
        request: Request,
        progress: Progress,
        snapshot: KernelSnapshot,
        *,
        judge: Judge,
        services: Services,
        settings: Settings,
        tries: bool,
        to_try: Fix | None = None,
    ) -> None:
        self.progress = progress
        self.first_look = threading.Event()
        self._repair = repair
        self._rounds = rounds
        self._later: deque[Round] = deque()
        self._request = dataclasses.replace(request, cancelled=progress.cancelled)
        self._snapshot = snapshot
        self._judge = judge
        self._services = services
        self._redactor = functools.cache(services.make_redactor)
        self._settings = settings
        self._tries = tries
        self._to_try = to_try
        self._candidates: list[Fix] = []
        # The copied context carries the cell that a message belongs to.
        self._thread = OwnThread(target=contextvars.copy_context().run, args=(self._run,), name="reflex-search")

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def cancel(self) -> None:
        """Ask it to stop soon; it says nothing more."""
        self.progress.cancelled.set()

    def join(self, timeout: float) -> None:
        """Wait at most `timeout` seconds for the thread's end."""
        if self._thread.ident is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout)

    def _run(self) -> None:
        try:
            self._look()
        except BaseException as error:  # noqa: BLE001 - providers, checkers, copies: a thread's end is seen by nobody
            self.progress.failed(error)
        finally:
            try:
                self.progress.begins(None)
            finally:
                self.first_look.set()
                forget()

    def _look(self) -> None:
        if self._to_try is not None:
            self._snapshot.made.wait()
            self._try(self._to_try)
        self._later.extend(self._rounds())
        while self._later:
            part = self._later.popleft()
            if self._needed(part):
                self.progress.begins(part.work)
                self._work(part)

    def _work(self, part: Round) -> None:
        """Ask, try, and ask again with what was found out."""
        again = AskingAgain(part, self._repair.cause, self.progress)
        started = time.monotonic()

        def unusable(problem: str) -> bool:
            nonlocal started
            self._note("", problem, started)
            started = time.monotonic()
            return again.begins(problem)

        request = dataclasses.replace(self._request, ask_again=unusable)
        if part.told:
            request = dataclasses.replace(request, attempts=self._found_so_far())
        while True:
            fresh = self._propose(part, request)
            verdicts = [self._try(fix, last=fix is fresh[-1] and part.work.kind == "looking") for fix in fresh]
            verdicts = [self._reviewed(part, fix, verdict) for fix, verdict in zip(fresh, verdicts)]
            if fresh and part.work.kind == "asking":
                self._note(fresh[-1].id, "", started)
            started = time.monotonic()
            if self._candidates and not any(map(convincing, verdicts)):
                self._search()
            if not fresh or self.progress.is_cancelled:
                return
            if trouble := again.trouble(verdicts[-1]):
                self._grown(dataclasses.replace(self._repair, trouble=trouble))
            if not again.begins_after(verdicts[-1]):
                return
            request = dataclasses.replace(request, attempts=(*request.attempts, Attempt(fresh[-1], verdicts[-1])))

    def _note(self, fix_id: str, problem: str, started: float) -> None:
        """One more question was asked, and this came of it."""
        seconds = round(time.monotonic() - started, 3)
        asked = (*self._repair.asked, Asked(len(self._repair.asked) + 1, fix_id, problem, seconds))
        self._grown(dataclasses.replace(self._repair, asked=asked))

    def _reviewed(self, part: Round, fix: Fix, verdict: Verdict) -> Verdict:
        """The verdict with what who wrote the code for a wish says of it, if it ran and nothing else speaks against it.

        Who can't be asked has no opinion: what ran is an answer.
        """
        cause, provider = self._repair.cause, part.providers[0] if part.providers else None
        wanted = self._settings.review and isinstance(cause, Wish) and convincing(verdict)
        if not wanted or self.progress.is_cancelled or not isinstance(provider, Reviews):
            return verdict
        self.progress.begins(Work("reviewing", part.work.whom))
        request = dataclasses.replace(self._request, on_wait=functools.partial(self._waits, part.work))
        opinion = reviewed(provider, cause, Attempt(fix, verdict), request, self._redactor)
        if opinion is None or self.progress.is_cancelled:
            return verdict
        repair, verdict = with_review(self._repair, fix, verdict, opinion, part.work.whom)
        self._found(repair)
        return verdict

    def _found_so_far(self) -> tuple[Attempt, ...]:
        """The attempts that the request tells of, and what was found besides."""
        known = {attempt.fix.id for attempt in self._request.attempts}
        repair = self._repair
        more = (Attempt(fix, repair.verdict(fix)) for fix in repair.fixes if fix.id not in known)
        return (*self._request.attempts, *more)

    def _propose(self, part: Round, request: Request) -> list[Fix]:
        known = {fix.id for fix in self._repair.fixes}
        candidates: list[Fix] = []
        waits = functools.partial(self._waits, part.work)
        request = _marking_the_first(dataclasses.replace(request, on_wait=waits), self.progress.writes)
        growing = grow(
            self._repair,
            part.providers,
            self._judge,
            request,
            self._redactor,
            candidates,
            self._services.complete,
            self._services.enrich,
        )
        for repair in growing:
            self._found(dataclasses.replace(repair, asked=self._repair.asked))  # it was asked again meanwhile
        fresh = [fix for fix in self._repair.fixes if fix.id not in known]
        self._candidates = likeliest(candidates)[: self._settings.search_candidates]
        if self._candidates and not fresh:
            self.progress.begins(SEARCHING)
        elif fresh and self._tries and not self.progress.is_cancelled:
            self.progress.begins(TRYING)
        elif not any(self._needed(after) for after in self._later):
            self.progress.begins(None)
        self.first_look.set()
        self._snapshot.made.wait()
        return fresh

    def _try(self, fix: Fix, *, last: bool = False) -> Verdict:
        """Run a fix in a copy of the kernel, and look at it again with what was seen there.

        If it is the `last` and convinces, that is told together with the end of the work: all that is drawn once more
        keeps the page from showing the verdict.
        """
        if self._tries and not self.progress.is_cancelled:
            verdict = self._judge(self._repair.cause, fix, self._snapshot.run(fix))
            verdicts = {**self._repair.verdicts, fix.id: verdict}
            self._repair = best_first(dataclasses.replace(self._repair, verdicts=verdicts))
            over = last and convincing(verdict) and not any(map(self._needed, self._later))
            self.progress.found(self._repair, over=over)
        return self._repair.verdict(fix)

    def _search(self) -> None:
        """Try the candidates, and show those that are worth it."""
        if self.progress.is_cancelled:
            return
        self.progress.begins(SEARCHING)
        for repair in searched(
            self._repair,
            self._candidates,
            self._judge,
            self._snapshot if self._tries else None,
            self._settings.search_time,
            self.progress.cancelled,
        ):
            self._grown(repair)

    def _found(self, repair: Repair) -> None:
        self._repair = repair
        self.progress.found(repair)

    def _grown(self, repair: Repair) -> None:
        if repair != self._repair and not self.progress.is_cancelled:
            self._found(repair)

    def _waits(self, work: Work, words: str) -> None:
        self.progress.begins(dataclasses.replace(self.progress.work or work, waits=words))

    def _needed(self, part: Round) -> bool:
        return not self.progress.is_cancelled and part.needed(self._repair)


def _marking_the_first(request: Request, text: Callable[[str, bool], None]) -> Request:
    """The request, such that the pieces of each answer are passed on, and which of them is the first."""
    first = True

    def on_text(piece: str) -> None:
        nonlocal first
        text(piece, first)
        first = False

    def ask_again(problem: str) -> bool:
        nonlocal first
        first = True
        return request.ask_again(problem)

    return dataclasses.replace(request, on_text=on_text, ask_again=ask_again)
