"""Looking for fixes and trying them, on a thread of its own, so that the kernel stays free."""

from __future__ import annotations

import contextlib
import contextvars
import dataclasses
import functools
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager

from reflex_ipython.base.working_cache import forget
from reflex_ipython.models import Asked, Cause, Fix, Repair, Trial, Verdict, Wish
from reflex_ipython.protocols import Attempt, FixProvider, Redactor, Request, Reviews, Work
from reflex_ipython.repairs.pipeline import SAME, Judge, grow, is_repeated, worth_another
from reflex_ipython.repairs.ranking import best_first, convincing
from reflex_ipython.repairs.reviewing import reviewed, with_review
from reflex_ipython.repairs.search import FoundFix, is_settled, likeliest, tried, worth_showing

LOOKING = Work("looking")
TRYING = Work("trying")
SEARCHING = Work("searching")
SAME_END = "The last attempts ended alike ({}), so nobody was asked again. Say it in other words, or give a hint."


@dataclasses.dataclass(frozen=True)
class Round:
    """Providers that are asked one after the other.

    Parameters
    ----------
    work : Work
        What is being done meanwhile.
    providers : sequence of FixProvider
        In their order.
    attempts : int
        How often they are asked: again while what they propose does not convince.
    needed : callable
        Given the repair as it stands by then, says whether this round is needed at all.
    told : bool
        Whether they are told what the rounds before have found.
    """

    work: Work
    providers: Sequence[FixProvider]
    attempts: int = 1
    needed: Callable[[Repair], bool] = lambda repair: True
    told: bool = False


@dataclasses.dataclass(frozen=True)
class SearchContext:
    """What a `RepairWorker` works with.

    Parameters
    ----------
    judge : callable
        Says what is known of a fix.
    run : callable or None
        Runs a fix in a copy of the kernel, in so many seconds at most; None: fixes are not tried.
    redactor : callable
        Gives what takes the secrets out of what leaves the machine: each time the same one.
    copied : Event
        Set once the kernel was copied, or will not be. Only then may a provider that is not instant begin: it imports,
        and a copy that is made meanwhile could never import again.
    clock : callable
        Gives seconds.
    several : callable
        Gives a block in which several candidates can be tried at once, and how many.
    search_candidates : int
        How many candidates are tried at most.
    search_time : float
        Seconds that this may take.
    complete : callable
        Adds to a fix the runs of other cells that its edits need.
    enrich : callable
        Adds to the cause what only a provider is told that is not instant.
    review : bool
        Whether who wrote code for a wish is asked whether it does that, once it ran.
    """

    judge: Judge
    run: Callable[[Fix, float | None], Trial] | None
    redactor: Callable[[], Redactor]
    copied: threading.Event
    clock: Callable[[], float] = time.monotonic
    several: Callable[[], AbstractContextManager[int]] = lambda: contextlib.nullcontext(1)
    search_candidates: int = 24
    search_time: float = 2.0
    complete: Callable[[Fix, Cause], Fix] = lambda fix, cause: fix
    enrich: Callable[[Cause], Cause] = lambda cause: cause
    review: bool = False


class RepairWorker:
    """Works on one repair on a thread of its own, in rounds. Nothing begins before `start`.

    Parameters
    ----------
    repair : Repair
        What is known at the beginning.
    work : Work or None
        What it does at first.
    rounds : callable
        Gives the rounds in their order, on its thread: plugins may have to be loaded for that. When the first has
        proposed, `first_look` is set.
    request : Request
        What the providers are asked.
    context : SearchContext
    found : callable
        Called on its thread with each repair that has grown.
    begins : callable
        Called on its thread with what it does from now on; has `work` say so, and tells whoever listens.
    failed : callable
        Called on its thread with whatever ended it before its time: no error passes unsaid.
    text : callable
        Is given each piece of what a provider writes, and whether it is the first of its answer.
    to_try : Fix or None
        One of the repair's fixes, to be tried first.
    """

    def __init__(
        self,
        repair: Repair,
        work: Work | None,
        rounds: Callable[[], Sequence[Round]],
        request: Request,
        context: SearchContext,
        *,
        found: Callable[[Repair], None],
        begins: Callable[[Work | None], None],
        failed: Callable[[BaseException], None],
        text: Callable[[str, bool], None],
        to_try: Fix | None = None,
    ) -> None:
        self.request = request
        self.work = work
        """What it does just now; None: nothing any more. Whoever started it changes this."""
        self.first_look = threading.Event()
        self._repair = repair
        self._rounds = rounds
        self._later: deque[Round] = deque()
        self._context = context
        self._found = found
        self._begins = begins
        self._failed = failed
        self._text = text
        self._to_try = to_try
        self._candidates: list[Fix] = []
        # The copied context carries the cell that a message belongs to.
        self._thread = threading.Thread(
            target=contextvars.copy_context().run, args=(self._run,), name="reflex-search", daemon=True
        )

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def cancel(self) -> None:
        """Ask it to stop soon; it says nothing more."""
        self.request.cancelled.set()

    def join(self, timeout: float) -> None:
        """Wait at most `timeout` seconds for the thread's end."""
        if self._thread.ident is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout)

    def _run(self) -> None:
        try:
            self._look()
        except BaseException as error:  # noqa: BLE001 - providers, checkers, copies: a thread's end is seen by nobody
            self._failed(error)
        finally:
            try:
                self._begins(None)
            finally:
                self.first_look.set()
                forget()

    def _look(self) -> None:
        if self._to_try is not None:
            self._context.copied.wait()
            self._try(self._to_try)
        self._later.extend(self._rounds())
        while self._later:
            part = self._later.popleft()
            if self._needed(part):
                self._begins(part.work)
                self._work(part)

    def _work(self, part: Round) -> None:
        """Ask, try, and ask again with what was found out."""
        questions = _Questions(part, self._begins, self.request.cancelled.is_set)
        started = self._context.clock()

        def unusable(problem: str) -> bool:
            nonlocal started
            self._note("", problem, started)
            started = self._context.clock()
            return questions.another(problem)

        request = dataclasses.replace(self.request, ask_again=unusable)
        if part.told:
            request = dataclasses.replace(request, attempts=self._found_so_far())
        ends: list[Verdict] = []
        while True:
            fresh = self._propose(part, request)
            verdicts = [self._try(fix) for fix in fresh]
            verdicts = [self._reviewed(part, fix, verdict) for fix, verdict in zip(fresh, verdicts)]
            if fresh and part.work.kind == "asking":
                self._note(fresh[-1].id, "", started)
            started = self._context.clock()
            if self._candidates and not any(map(convincing, verdicts)):
                self._search()
            if not fresh or self._cancelled:
                return
            if not worth_another(verdicts[-1], ends, times := self._same_ends):
                if is_repeated(verdicts[-1], ends, times):
                    self._grown(dataclasses.replace(self._repair, trouble=SAME_END.format(_why_again(verdicts[-1]))))
                return
            ends.append(verdicts[-1])
            request = dataclasses.replace(request, attempts=(*request.attempts, Attempt(fresh[-1], ends[-1])))
            if not questions.another(_why_again(ends[-1])):
                return

    @property
    def _same_ends(self) -> int:
        """So many attempts in a row that come to the same end are the last ones."""
        return 2 if isinstance(self._repair.cause, Wish) else SAME

    def _note(self, fix_id: str, problem: str, started: float) -> None:
        """One more question was asked, and this came of it."""
        seconds = round(self._context.clock() - started, 3)
        asked = (*self._repair.asked, Asked(len(self._repair.asked) + 1, fix_id, problem, seconds))
        self._grown(dataclasses.replace(self._repair, asked=asked))

    def _reviewed(self, part: Round, fix: Fix, verdict: Verdict) -> Verdict:
        """The verdict with what who wrote the code for a wish says of it, if it ran and nothing else speaks against it.

        Who can't be asked has no opinion: what ran is an answer.
        """
        cause, provider = self._repair.cause, part.providers[0] if part.providers else None
        wanted = self._context.review and isinstance(cause, Wish) and not self._cancelled and convincing(verdict)
        if not wanted or not isinstance(provider, Reviews):
            return verdict
        self._begins(Work("reviewing", part.work.whom))
        request = dataclasses.replace(self.request, on_wait=functools.partial(self._waits, part.work))
        opinion = reviewed(provider, cause, Attempt(fix, verdict), request, self._context.redactor)
        if opinion is None or self._cancelled:
            return verdict
        self._repair, verdict = with_review(self._repair, fix, verdict, opinion, part.work.whom)
        self._found(self._repair)
        return verdict

    def _found_so_far(self) -> tuple[Attempt, ...]:
        """The attempts that the request tells of, and what was found besides."""
        known = {attempt.fix.id for attempt in self.request.attempts}
        repair = self._repair
        more = (Attempt(fix, repair.verdict(fix)) for fix in repair.fixes if fix.id not in known)
        return (*self.request.attempts, *more)

    def _propose(self, part: Round, request: Request) -> list[Fix]:
        known = {fix.id for fix in self._repair.fixes}
        candidates: list[Fix] = []
        waits = functools.partial(self._waits, part.work)
        request = _marking_the_first(dataclasses.replace(request, on_wait=waits), self._say)
        context = self._context
        growing = grow(
            self._repair,
            part.providers,
            context.judge,
            request,
            context.redactor,
            candidates,
            context.complete,
            context.enrich,
        )
        for repair in growing:
            self._repair = dataclasses.replace(repair, asked=self._repair.asked)  # it was asked again meanwhile
            self._found(self._repair)
        fresh = [fix for fix in self._repair.fixes if fix.id not in known]
        self._candidates = likeliest(candidates)[: context.search_candidates]
        if self._candidates and not fresh:
            self._begins(SEARCHING)
        elif fresh and self._context.run is not None and not self._cancelled:
            self._begins(TRYING)
        elif not any(self._needed(after) for after in self._later):
            self._begins(None)
        self.first_look.set()
        self._context.copied.wait()
        return fresh

    def _try(self, fix: Fix) -> Verdict:
        """Run a fix in a copy of the kernel, and look at it again with what was seen there."""
        if self._context.run is not None and not self._cancelled:
            trial = self._context.run(fix, None)
            verdict = self._context.judge(self._repair.cause, fix, trial)
            verdicts = {**self._repair.verdicts, fix.id: verdict}
            self._repair = best_first(dataclasses.replace(self._repair, verdicts=verdicts))
            self._found(self._repair)
        return self._repair.verdict(fix)

    def _search(self) -> None:
        """Try the candidates, and show those that are worth it; an answer that nothing can change any more at once."""
        if self._cancelled:
            return
        self._begins(SEARCHING)
        before, found, told = self._repair, list[FoundFix](), False
        for one in self._results():
            found.append(one)
            if not told and is_settled(found, self._candidates):
                told = True
                answer = self._with(before, found)
                if not answer.is_choice:
                    self._grown(answer)
        self._grown(self._with(before, [*found, *self._left(found)]))

    def _left(self, found: Sequence[FoundFix]) -> list[FoundFix]:
        """The candidates that there was no time for, as they are where nothing can be tried."""
        if self._cancelled:
            return []
        ended = {one.fix.id for one in found}
        judge, cause = self._context.judge, self._repair.cause
        return [FoundFix(fix, judge(cause, fix, None)) for fix in self._candidates if fix.id not in ended]

    def _results(self) -> Iterator[FoundFix]:
        """The candidates with what their trials found out, in the order in which those end."""
        context, cause = self._context, self._repair.cause
        if context.run is None:
            yield from (FoundFix(fix, context.judge(cause, fix, None)) for fix in self._candidates)
            return
        with context.several() as at_once:
            yield from tried(
                self._candidates,
                context.run,
                lambda fix, trial: context.judge(cause, fix, trial),
                context.clock,
                seconds=context.search_time,
                cancelled=self.request.cancelled,
                at_once=at_once,
            )

    def _with(self, repair: Repair, found: Sequence[FoundFix]) -> Repair:
        """The repair with the candidates that are worth showing."""
        places = {fix.id: place for place, fix in enumerate(self._candidates)}
        in_order = sorted(found, key=lambda one: places[one.fix.id])  # not as their trials happened to end
        shown = worth_showing(in_order, repair.failure)
        verdicts = {**repair.verdicts, **{one.fix.id: one.verdict for one in shown}}
        fixes = (*repair.fixes, *(one.fix for one in shown))
        return best_first(dataclasses.replace(repair, fixes=fixes, verdicts=verdicts))

    def _grown(self, repair: Repair) -> None:
        if repair != self._repair and not self._cancelled:
            self._repair = repair
            self._found(repair)

    def _say(self, piece: str, first: bool) -> None:
        if not self._cancelled:
            self._text(piece, first)

    def _waits(self, work: Work, words: str) -> None:
        self._begins(dataclasses.replace(self.work or work, waits=words))

    @property
    def _cancelled(self) -> bool:
        return self.request.cancelled.is_set()

    def _needed(self, part: Round) -> bool:
        return not self._cancelled and part.needed(self._repair)


class _Questions:
    """How often the providers of a round were asked."""

    def __init__(self, part: Round, begins: Callable[[Work], None], cancelled: Callable[[], bool]) -> None:
        self._part = part
        self._begins = begins
        self._cancelled = cancelled
        self._asked = 1

    def another(self, why: str) -> bool:
        """Begin one more; False if there were enough."""
        if self._asked >= self._part.attempts or self._cancelled():
            return False
        self._asked += 1
        self._begins(dataclasses.replace(self._part.work, attempt=self._asked, of=self._part.attempts, why=why))
        return True


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


def _why_again(verdict: Verdict) -> str:
    """What was wrong with an attempt, in a few words."""
    if verdict.outcome != "passed":
        return verdict.reason
    return next((finding.text for finding in verdict.doubts), "not convincing")
