"""Candidates are tried on copies, and what is shown of them is what speaks for itself."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from reflex_ipython.models import (
    CellRef,
    Edit,
    ExceptionInfo,
    Failure,
    Finding,
    Fix,
    Repair,
    RunCell,
    Situation,
    Trial,
    Verdict,
)
from reflex_ipython.repairs.search import FoundFix, is_settled, likeliest, tried, worth_showing

CELL = CellRef("c", 1)
FAILURE = Failure("f", "", Situation(CELL, "old"), "run", (ExceptionInfo("TypeError", "no"),), lineno=1)


def candidate(name: str, prior: float, source: str = "") -> Fix:
    return Fix(name, (Edit(CELL, "old", source or f"{name:9}"),), "", "rule", prior=prior)


def found(name: str, prior: float, digest: str = "", outcome: str = "passed", **fields: object) -> FoundFix:
    trial = Trial(outcome, digest=digest, **fields)  # type: ignore[arg-type]  # as the cases below have them
    return FoundFix(candidate(name, prior), Verdict(trial.outcome, trial=trial))


def shown(*several: FoundFix) -> list[str]:
    return [one.fix.id for one in worth_showing(several, FAILURE)]


def repair(*several: FoundFix) -> Repair:
    return Repair("r", "s", FAILURE, tuple(one.fix for one in several), {one.fix.id: one.verdict for one in several})


class Kernel:
    """Tries what it is given, each in a tenth of a second of its own clock."""

    def __init__(self) -> None:
        self.now = 0.0
        self.ran: list[str] = []
        self.lock = threading.Lock()

    def run(self, fix: Fix, most: float) -> Trial:
        with self.lock:
            self.now += 0.1
            self.ran.append(fix.id)
        return Trial("passed", seconds=most)


def try_all(kernel: Kernel, *fixes: Fix, seconds: float = 2.0, cancelled: bool = False, at_once: int = 1) -> list[str]:
    stop = threading.Event()
    if cancelled:
        stop.set()
    judge = lambda fix, trial: Verdict(trial.outcome, trial=trial)  # noqa: E731 - shorter than a function
    ended = tried(fixes, kernel.run, judge, lambda: kernel.now, seconds=seconds, cancelled=stop, at_once=at_once)
    return sorted(one.fix.id for one in ended)


def test_the_likeliest_is_tried_first_and_of_equals_the_one_that_changes_least() -> None:
    fixes = [candidate("long", 0.4, "old" * 9), candidate("short", 0.4, "olds"), candidate("likely", 0.9)]
    assert [fix.id for fix in likeliest(fixes)] == ["likely", "short", "long"]


def test_all_candidates_are_tried() -> None:
    assert try_all(Kernel(), candidate("a", 0.9), candidate("b", 0.4)) == ["a", "b"]


def test_so_many_are_tried_at_once_and_no_more() -> None:
    class Meeting(Kernel):
        """Goes on once so many are in it."""

        def __init__(self, count: int) -> None:
            super().__init__()
            self.all_there = threading.Barrier(count, timeout=60)
            self.inside: list[int] = []

        def run(self, fix: Fix, most: float) -> Trial:
            self.inside.append(self.all_there.wait())
            return super().run(fix, most)

    for count in (1, 2, 3):
        kernel = Meeting(count)
        fixes = [candidate(str(number), 0.5) for number in range(2 * count)]
        assert len(try_all(kernel, *fixes, at_once=count)) == 2 * count
        assert sorted(kernel.inside) == sorted([*range(count)] * 2)


def test_nothing_more_is_begun_once_time_is_up() -> None:
    kernel = Kernel()
    fixes = [candidate(str(number), 0.5) for number in range(20)]
    assert len(try_all(kernel, *fixes, seconds=0.45)) < 10
    assert len(kernel.ran) < 10


@pytest.mark.parametrize(("seconds", "shares"), [(30.0, [10.0, 14.95, 29.8]), (3.0, [2.0, 2.0, 2.8])])
def test_each_gets_its_share_of_the_time_and_two_seconds_where_there_are_as_many(
    seconds: float, shares: list[float]
) -> None:
    kernel, judged = Kernel(), list[float]()

    def judge(fix: Fix, trial: Trial) -> Verdict:
        judged.append(trial.seconds)
        return Verdict(trial.outcome, trial=trial)

    candidates = [candidate(name, 0.5) for name in "abc"]
    list(tried(candidates, kernel.run, judge, lambda: kernel.now, seconds=seconds, cancelled=threading.Event()))
    assert judged == pytest.approx(shares)


def test_what_goes_wrong_while_one_is_tried_is_not_lost() -> None:
    kernel = Kernel()
    kernel.run = lambda fix, most: 1 / 0  # type: ignore[assignment, return-value, misc]  # it raises
    with pytest.raises(ZeroDivisionError):
        try_all(kernel, candidate("a", 0.9))


def test_nothing_is_tried_once_it_is_cancelled() -> None:
    kernel = Kernel()
    assert try_all(kernel, candidate("a", 0.9), cancelled=True) == kernel.ran == []


def test_of_those_that_come_to_the_same_the_likeliest_is_shown() -> None:
    assert shown(found("a", 0.4, "1"), found("b", 0.6, "1"), found("c", 0.3, "2")) == ["b", "c"]


def test_what_passes_with_a_finding_is_shown_only_if_nothing_else_passes() -> None:
    doubtful = FoundFix(candidate("d", 0.9), Verdict("passed", findings=(Finding("x", "drops rows"),)))
    dangerous = FoundFix(candidate("e", 0.9), Verdict("passed", findings=(Finding("x", "removes all", "danger"),)))
    assert shown(doubtful, found("a", 0.3, "1")) == ["a"]
    assert shown(doubtful, dangerous) == ["d"]


def test_where_none_passes_the_likely_one_that_was_stopped_past_the_error_is_shown() -> None:
    stopped = found("a", 0.6, outcome="inconclusive")
    past = replace(stopped, verdict=replace(stopped.verdict, is_past=True))
    assert shown(past, found("b", 0.7, outcome="not_tried")) == ["a"]
    assert shown(stopped, found("b", 0.7, outcome="not_tried")) == ["b", "a"]


def test_where_none_passes_the_likely_one_that_gets_beyond_the_error_is_shown() -> None:
    later = found("a", 0.6, outcome="other_error", ename="KeyError", lineno=2)
    same = found("b", 0.6, outcome="other_error", ename="KeyError", lineno=1)
    unlikely = found("c", 0.3, outcome="other_error", ename="KeyError", lineno=2)
    untried = found("d", 0.6, outcome="not_tried")
    assert shown(later, same, unlikely, untried) == ["a"]


@pytest.mark.parametrize("outcome", ["other_error", "blocked", "timed_out"])
def test_cells_that_did_not_run_are_told_of_unless_there_is_an_answer(
    outcome: str,
) -> None:
    tried = found("r", 0.4, outcome=outcome, ename="OSError")
    first = replace(tried, fix=replace(tried.fix, steps=(RunCell(CellRef("d"), "orders = 1"),)))
    assert shown(first) == ["r"]
    assert shown(first, found("a", 0.3, "1")) == ["a", "r"]
    assert shown(first, found("a", 0.6, "1")) == ["a"]


def test_cells_that_come_to_the_same_as_what_is_shown_are_not_shown_twice() -> None:
    ran = found("r", 0.4, "1")
    first = replace(ran, fix=replace(ran.fix, steps=(RunCell(CellRef("d"), "orders = 1"),)))
    assert shown(first, found("a", 0.45, "1")) == ["a"]


@pytest.mark.parametrize(("ename", "expected"), [("NameError", ["a"]), ("IndentationError", [])])
def test_an_error_while_it_runs_is_beyond_one_that_kept_the_cell_from_running(ename: str, expected: list[str]) -> None:
    error = (ExceptionInfo("SyntaxError", "invalid syntax"),)
    failure = Failure("f", "", Situation(CELL, "old"), "syntax", error, lineno=3)
    one = found("a", 0.9, outcome="other_error", ename=ename, lineno=1)
    assert [one.fix.id for one in worth_showing([one], failure)] == expected


def test_where_nothing_can_be_tried_the_likely_ones_are_shown() -> None:
    assert shown(found("a", 0.6, outcome="not_tried"), found("b", 0.4, outcome="not_tried")) == ["a"]


def test_a_likely_fix_that_runs_is_an_answer_unless_a_rival_comes_to_something_else() -> None:
    assert not repair(found("a", 0.8, "1"), found("b", 0.3, "2")).is_choice
    assert repair(found("a", 0.8, "1"), found("b", 0.6, "2")).is_choice
    assert not repair(found("a", 0.8, "1"), found("b", 0.6, "1")).is_choice


def test_what_nothing_but_its_running_speaks_for_is_a_choice() -> None:
    assert repair(found("a", 0.4, "1")).is_choice
    assert repair(found("a", 0.8, outcome="not_tried")).is_choice
    assert not repair(FoundFix(candidate("a", 1.0), Verdict())).is_choice


def test_two_likely_ones_that_were_stopped_past_the_error_are_a_choice() -> None:
    def past(name: str, prior: float) -> FoundFix:
        return FoundFix(candidate(name, prior), Verdict("blocked", is_past=True))

    assert repair(past("a", 0.6), past("b", 0.5)).is_choice
    assert not repair(past("a", 0.6), past("b", 0.2)).is_choice
    assert not repair(past("a", 0.6), found("b", 0.5, outcome="blocked")).is_choice


@pytest.mark.parametrize(
    ("ended", "waiting", "settled"),
    [
        ([found("a", 0.8, "1")], [("b", 0.3)], True),
        ([found("a", 0.8, "1")], [("b", 0.4)], False),
        ([found("a", 0.4, "1")], [("b", 0.1)], False),
        ([found("a", 0.8, outcome="other_error")], [("b", 0.1)], False),
        ([found("a", 0.8, outcome="other_error"), found("b", 0.6, "1")], [("c", 0.2)], True),
        ([found("b", 0.6, "1")], [("a", 0.8)], False),
    ],
)
def test_an_answer_is_settled_once_its_rivals_have_ended(
    ended: list[FoundFix], waiting: list[tuple[str, float]], settled: bool
) -> None:
    candidates = [one.fix for one in ended] + [candidate(name, prior) for name, prior in waiting]
    assert is_settled(ended, candidates) is settled
