"""Searching for a fix: candidates are tried on copies of the kernel, and what runs is ranked.

That a candidate runs proves little: most wrong ones run as well. So those that come to the same are one, the likeliest
of them, and a repair whose fixes come to different things is a choice (`Repair.is_choice`), not an answer.
"""

from __future__ import annotations

import dataclasses
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from reflex_ipython.base.own_threads import OwnThread
from reflex_ipython.models import LIKELY, Failure, Fix, Repair, Trial, Verdict, is_rival
from reflex_ipython.repairs.kernel_snapshot import KernelSnapshot
from reflex_ipython.repairs.pipeline import Judge
from reflex_ipython.repairs.ranking import best_first, convincing, size

SHOWN = 5
"""Fixes of a search that are shown."""
_LEAST = 2.0
"""Seconds that each may take, where there are as many left: one that hangs takes no more than its share of more."""
_OF_TWO = 0.4
"""The prior of each of two that are about as likely, and leave little else: shown where they may not be tried."""
_UNPROVEN = 3
"""Of those that could not be tried, or lead to a later error."""


@dataclass(frozen=True)
class FoundFix:
    """A candidate and what is known of it."""

    fix: Fix
    verdict: Verdict


def searched(
    repair: Repair,
    candidates: Sequence[Fix],
    judge: Judge,
    snapshot: KernelSnapshot | None,
    seconds: float,
    cancelled: threading.Event,
) -> Iterator[Repair]:
    """Try candidates for a repair, and add those that are worth showing.

    Parameters
    ----------
    repair : Repair
    candidates : sequence of Fix
        The likeliest first.
    judge : callable
        Says what is known of each.
    snapshot : KernelSnapshot or None
        In which they are tried; None: they are not.
    seconds : float
        That this may take.
    cancelled : threading.Event
        When it is set, nothing more is yielded.

    Yields
    ------
    Repair
        An answer that nothing can change any more, at once; then what the end is.
    """

    def judged(fix: Fix, trial: Trial | None) -> Verdict:
        return judge(repair.cause, fix, trial)

    found, answered = list[FoundFix](), False
    for one in _ended(candidates, judged, snapshot, seconds, cancelled):
        found.append(one)
        if not answered and is_settled(found, candidates):
            answered = True
            answer = _with(repair, found, candidates)
            if not answer.is_choice:
                yield answer
    if not cancelled.is_set():
        ended = {
            one.fix.id for one in found
        }  # there was no time for the others: they are as where nothing can be tried
        found += [FoundFix(fix, judged(fix, None)) for fix in candidates if fix.id not in ended]
        yield _with(repair, found, candidates)


def _ended(
    candidates: Sequence[Fix],
    judged: Callable[[Fix, Trial | None], Verdict],
    snapshot: KernelSnapshot | None,
    seconds: float,
    cancelled: threading.Event,
) -> Iterator[FoundFix]:
    """The candidates with what their trials found out, in the order in which those end; none where none is tried."""
    if snapshot is not None:
        with snapshot.several() as at_once:
            yield from tried(
                candidates,
                snapshot.run,
                judged,
                time.monotonic,
                seconds=seconds,
                cancelled=cancelled,
                at_once=at_once,
            )


def _with(repair: Repair, found: Iterable[FoundFix], candidates: Sequence[Fix]) -> Repair:
    """The repair with the candidates that are worth showing."""
    places = {fix.id: place for place, fix in enumerate(candidates)}
    in_order = sorted(found, key=lambda one: places[one.fix.id])  # not as their trials happened to end
    shown = worth_showing(in_order, repair.failure)
    verdicts = {**repair.verdicts, **{one.fix.id: one.verdict for one in shown}}
    fixes = (*repair.fixes, *(one.fix for one in shown))
    return best_first(dataclasses.replace(repair, fixes=fixes, verdicts=verdicts))


def tried(
    candidates: Sequence[Fix],
    run: Callable[[Fix, float], Trial],
    judge: Callable[[Fix, Trial], Verdict],
    clock: Callable[[], float],
    *,
    seconds: float,
    cancelled: threading.Event,
    at_once: int = 1,
) -> Iterator[FoundFix]:
    """Try candidates, several at a time, the likeliest first.

    Parameters
    ----------
    candidates : sequence of Fix
    run : callable
        Runs one in a copy of the kernel, in so many seconds at most.
    judge : callable
        Says what is known of it then.
    clock : callable
        Gives seconds.
    seconds : float
        After which nothing more is begun, and what runs is ended.
    cancelled : threading.Event
        When it is set, nothing more is begun.
    at_once : int
        How many are tried at a time.

    Yields
    ------
    FoundFix
        In the order in which they end.
    """
    end = clock() + seconds
    waiting = deque(likeliest(candidates))
    ended: queue.SimpleQueue[FoundFix | BaseException | None] = queue.SimpleQueue()

    def work() -> None:
        try:
            while waiting and (left := end - clock()) > 0 and not cancelled.is_set():
                try:
                    fix = waiting.popleft()
                except IndexError:  # another thread was faster
                    break
                share = left * at_once / (len(waiting) + 1)
                ended.put(FoundFix(fix, judge(fix, run(fix, min(left, max(share, _LEAST))))))
        except BaseException as error:  # noqa: BLE001 - who waits for the results raises it
            ended.put(error)
        ended.put(None)

    threads = min(len(waiting), at_once)
    for _ in range(threads):
        # Not a pool's: Python waits for those before it ends.
        OwnThread(target=work, name="reflex-try").start()
    while threads:
        found = ended.get()
        if isinstance(found, BaseException):
            raise found
        if found is None:
            threads -= 1
        else:
            yield found


def likeliest(candidates: Iterable[Fix]) -> list[Fix]:
    """Candidates in the order in which they are tried."""
    return sorted(candidates, key=lambda fix: (-fix.prior, size(fix)))


def is_settled(found: Sequence[FoundFix], candidates: Iterable[Fix]) -> bool:
    """Whether the likeliest one that passed stays the first, and what stands beside it no choice, however others end.

    Parameters
    ----------
    found : sequence of FoundFix
        Those that have ended.
    candidates : iterable of Fix
        All that are tried.
    """
    prior = max((one.fix.prior for one in found if _convinces(one)), default=0.0)
    ended = {one.fix.id for one in found}
    return prior >= LIKELY and all(fix.id in ended or not is_rival(fix.prior, prior) for fix in candidates)


def worth_showing(found: Sequence[FoundFix], failure: Failure | None) -> list[FoundFix]:
    """Which candidates are shown, the best first.

    Those that pass; of several that come to the same, the likeliest. If none does: those that pass with a finding;
    the likely ones that get beyond the error; the likely ones of which a trial could say nothing. That cells did not
    run which would give what was lacking is a fact, whatever their trial came to: it is left out for an answer alone.

    Parameters
    ----------
    found : sequence of FoundFix
        All that were tried.
    failure : Failure or None
        What they are for.
    """
    ordered = sorted(found, key=lambda one: (-one.fix.prior, size(one.fix)))
    shown = _shown(ordered, failure)
    if any(_convinces(one) and one.fix.prior >= LIKELY for one in shown):
        return shown
    return [*shown, *(one for one in ordered if one.fix.runs_first and not _convinces(one) and one not in shown)]


def _shown(ordered: Sequence[FoundFix], failure: Failure | None) -> list[FoundFix]:
    """Those of one kind, as far as their trials speak for them."""
    likely = [one for one in ordered if one.fix.prior >= LIKELY]
    for kind in (_convinces, _passes):
        shown = _distinct(filter(kind, ordered))[:SHOWN]
        if shown and all(one.fix.prior < LIKELY for one in shown):
            return [*shown, *[one for one in likely if _says_nothing(one)][:_UNPROVEN]]  # no guess hides what is likely
        if shown:
            return shown
    beyond = [one for one in likely if failure is not None and _gets_beyond(one, failure)]
    unproven = [one for one in likely if _says_nothing(one)]
    blocked = [one for one in ordered if one.fix.prior >= _OF_TWO and one.verdict.outcome == "blocked"]
    return (beyond or unproven or blocked)[:_UNPROVEN]


def _convinces(one: FoundFix) -> bool:
    return convincing(one.verdict)


def _passes(one: FoundFix) -> bool:
    """Whether it runs. What is dangerous is not guessed at; but cells that are the user's own may be run again."""
    return one.verdict.outcome == "passed" and (not one.verdict.dangerous or bool(one.fix.runs_first))


def _says_nothing(one: FoundFix) -> bool:
    return one.verdict.outcome in ("not_tried", "blocked", "timed_out", "inconclusive")


def _gets_beyond(one: FoundFix, failure: Failure) -> bool:
    """Whether it comes further than the cell did, or fails later with another error; what did not parse never ran."""
    if one.verdict.is_past:
        return True
    trial = one.verdict.trial
    if one.verdict.outcome != "other_error" or trial is None:
        return False
    if failure.stage == "syntax":
        return not _does_not_parse(trial.ename)
    if trial.lineno is None or failure.lineno is None:
        return False
    grown = sum(edit.source.count("\n") - edit.expected.count("\n") for edit in one.fix.edits)
    other = (trial.ename, trial.evalue) != (failure.error.ename, failure.error.evalue)
    return other and trial.lineno > failure.lineno + max(0, grown)


def _does_not_parse(ename: str) -> bool:
    return ename in ("SyntaxError", "IndentationError", "TabError")


def _distinct(found: Iterable[FoundFix]) -> list[FoundFix]:
    """The first of all that came to the same."""
    known: dict[str, FoundFix] = {}
    for one in found:
        trial = one.verdict.trial
        known.setdefault((trial.digest if trial else "") or one.fix.id, one)
    return list(known.values())
