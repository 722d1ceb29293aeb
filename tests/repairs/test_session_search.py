"""What a session makes of candidates: an answer, a choice, or nothing."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from reflex_ipython.models import CellChanges, Failure, Fix, Repair, Trial
from reflex_ipython.protocols import Request
from reflex_ipython.repairs import repair_workers
from reflex_ipython.repairs.open_repair import OpenRepair
from reflex_ipython.repairs.progress import LOOKING, SEARCHING
from reflex_ipython.repairs.session import Session
from reflex_ipython.settings import Settings
from reflex_ipython.stages import Withdrawal, Work
from tests.repairs.fakes import Copies, Model, Seen, a_failure, a_fix, until


class Guesses:
    """An instant provider of fixes with priors."""

    name, where, cost, label = "rule", "instant", "", "rules"

    def __init__(self, **priors: float) -> None:
        self.priors = priors

    def propose(self, failure: Failure, request: Request) -> Iterable[Fix]:
        for source, prior in self.priors.items():
            yield dataclasses.replace(a_fix(failure, source), prior=prior)


def passed(digest: str) -> Trial:
    return Trial("passed", digest=digest)


def settled(session: Session, **priors: float) -> Repair:
    session.plugins.loaded = ([Guesses(**priors)], [])
    repair = session.failed(a_failure("other"), patience=10)
    session.repairs.open(repair.id).wait(timeout=10)
    return session.repairs.find(repair.id)


def sources(repair: Repair) -> list[str]:
    return [fix.edits[-1].source for fix in repair.fixes]


def test_candidates_are_shown_once_they_were_tried(session: Session, seen: Seen, trials: Copies) -> None:
    trials.outcomes = {"a": passed("1"), "b": Trial("other_error", ename="TypeError", lineno=1), "c": passed("2")}
    repair = settled(session, a=0.8, b=0.9, c=0.3)
    assert sources(repair) == ["a", "c"]
    assert not repair.is_choice
    assert (seen.shown[0][0].fixes, seen.shown[0][1]) == ((), SEARCHING)
    assert sorted(trials.ran) == ["a", "b", "c"]


def test_an_answer_that_nothing_can_change_is_shown_while_the_others_are_tried(
    session: Session, seen: Seen, trials: Copies
) -> None:
    shown_before: list[list[str]] = []
    run = trials.run

    def slowly(
        repair_id: str,
        changes: CellChanges,
        most: float | None = None,
        withdrawal: Withdrawal | None = None,
    ) -> Trial:
        if changes.failing.source == "guess":
            until(lambda: any(repair.fixes for repair, _ in seen.updates))
            shown_before.extend(sources(repair) for repair, _ in seen.updates)
        return run(repair_id, changes, most, withdrawal)

    trials.run = slowly  # type: ignore[method-assign]  # of this one object, to look at that moment
    trials.outcomes = {"likely": passed("1"), "guess": passed("2")}
    repair = settled(session, likely=0.8, guess=0.3)
    assert shown_before[-1] == ["likely"]
    assert (sources(repair), repair.is_choice) == (["likely", "guess"], False)


def test_a_choice_is_shown_whole(session: Session, seen: Seen, trials: Copies) -> None:
    trials.outcomes = {"a": passed("1"), "b": passed("2"), "c": passed("3")}
    settled(session, a=0.8, b=0.5, c=0.1)
    assert {len(repair.fixes) for repair, _ in seen.updates} <= {0, 3}


def test_two_that_come_to_different_things_are_a_choice(session: Session, trials: Copies) -> None:
    trials.outcomes = {"a": passed("1"), "b": passed("2")}
    assert settled(session, a=0.6, b=0.5).is_choice


def test_a_sure_fix_that_passes_ends_the_search_before_it_begins(session: Session, trials: Copies) -> None:
    repair = settled(session, sure=1.0, guess=0.9)
    assert (sources(repair), trials.ran) == (["sure"], ["sure"])


def test_a_sure_fix_that_fails_lets_the_candidates_be_tried(session: Session, trials: Copies) -> None:
    trials.outcomes = {"sure": Trial("other_error", ename="TypeError", lineno=1), "guess": passed("1")}
    assert sources(settled(session, sure=1.0, guess=0.9)) == ["guess", "sure"]


def test_no_more_are_tried_than_the_settings_say(session: Session, trials: Copies) -> None:
    session.settings = Settings(search_candidates=2)
    settled(session, a=0.2, b=0.9, c=0.5, d=0.1)
    assert sorted(trials.ran) == ["b", "c"]


def test_where_nothing_is_tried_by_itself_the_likely_ones_are_a_choice(session: Session, trials: Copies) -> None:
    session.settings = Settings(trial="on click")
    repair = settled(session, likely=0.6, guess=0.2)
    assert (sources(repair), trials.ran, repair.is_choice) == (["likely"], [], True)


@pytest.mark.parametrize(("other", "asked"), [(0.5, True), (0.2, False)])
def test_the_model_is_asked_by_itself_where_the_rules_leave_a_choice(
    session: Session, trials: Copies, model: Model, other: float, asked: bool
) -> None:
    trials.outcomes = {"a": passed("1"), "b": passed("2")}
    session.plugins.loaded = ([Guesses(a=0.8, b=other), model], [])
    repair = session.failed(a_failure("other"), patience=10)
    opened = session.repairs.open(repair.id)
    until(lambda: opened.is_settled or model.requests)
    assert bool(model.requests) is asked
    assert not asked or opened.work == Work("asking", "tiny-1")


def test_a_failure_is_shown_while_the_plugins_are_still_loaded(session: Session, seen: Seen) -> None:
    loaded = threading.Event()

    def load() -> tuple[list[Any], list[Any]]:
        assert loaded.wait(60)
        return [Guesses(sure=1.0)], []

    workers, session.plugins._load = session.workers, load
    shown_first: list[tuple[Work | None, bool]] = []
    copy_kernel = workers.copy_kernel

    def copy(opened: OpenRepair, *, then: Callable[[], object]) -> None:  # it is what waits for the first look
        shown_first.append((seen.shown[-1][1], session.plugins.are_loaded))
        loaded.set()
        copy_kernel(opened, then=then)

    workers.copy_kernel = copy  # type: ignore[method-assign]  # of this one object, to look at that moment
    repair = session.failed(a_failure("other"), patience=0.0)
    session.repairs.open(repair.id).wait(timeout=10)
    assert shown_first == [(LOOKING, False)]
    assert sources(session.repairs.find(repair.id)) == ["sure"]


class Slow(Guesses):
    """Takes as long as it likes for a cell, if it is not the first one."""

    def __init__(self) -> None:
        super().__init__(sure=1.0)
        self.go, self.asked = threading.Event(), 0

    def propose(self, failure: Failure, request: Request) -> Iterable[Fix]:
        self.asked += 1
        assert self.asked == 1 or self.go.wait(60)
        return super().propose(failure, request)


def test_after_the_first_failure_no_cell_waits_for_rules_that_take_long(
    session: Session, trials: Copies, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repair_workers, "IMPORTS", 600.0)
    slow = Slow()
    session.plugins.loaded = ([slow], [])
    first = session.failed(a_failure("other"), patience=10)
    session.repairs.open(first.id).wait(timeout=10)
    second = session.failed(a_failure("another"), patience=0.0)  # the copy is made here, as if another cell began
    assert trials.frozen == [first.id, second.id]
    assert not session.repairs.find(second.id).fixes
    slow.go.set()
    session.repairs.open(second.id).wait(timeout=10)
    assert sources(session.repairs.find(second.id)) == ["sure"]
    assert trials.ran == ["sure", "sure"]


def test_what_there_was_no_time_for_is_offered_as_not_tried_if_it_is_likely(session: Session, trials: Copies) -> None:
    session.settings = Settings(search_time=0.0)
    repair = settled(session, likely=0.8, guess=0.3)
    assert trials.ran == []
    assert (sources(repair), repair.is_choice) == (["likely"], True)
    assert repair.verdict(repair.fixes[0]).outcome == "not_tried"


def test_a_guess_that_runs_does_not_hide_what_is_likely_and_could_not_be_tried(
    session: Session, trials: Copies
) -> None:
    trials.outcomes = {"likely": Trial("timed_out"), "guess": passed("1")}
    repair = settled(session, likely=0.88, guess=0.38)
    assert sorted(sources(repair)) == ["guess", "likely"]
    assert repair.is_choice
