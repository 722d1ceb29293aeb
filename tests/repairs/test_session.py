"""A session without a kernel: what it shows, what it remembers, and in which order things may happen."""

from __future__ import annotations

import dataclasses
import gc
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar

import pytest

from reflex_ipython.errors import BadInput, ModelError
from reflex_ipython.models import (
    LONGEST_HINT,
    CellChanges,
    CellRef,
    Edit,
    ExceptionInfo,
    Failure,
    Finding,
    Fix,
    Install,
    Repair,
    RunOption,
    Trial,
    new_id,
)
from reflex_ipython.present.working import working
from reflex_ipython.protocols import Outgoing, Request
from reflex_ipython.repairs import open_repairs
from reflex_ipython.repairs.open_repair import Event, OpenRepair
from reflex_ipython.repairs.open_repairs import KEPT
from reflex_ipython.repairs.progress import TRYING
from reflex_ipython.repairs.repair_worker import RepairWorker
from reflex_ipython.repairs.session import STOPPED, Session
from reflex_ipython.settings import Settings
from reflex_ipython.stages import Question, Work
from tests.repairs.fakes import CELL, Copies, Hiding, Model, Open, Rules, Seen, Ways, a_failure, a_fix, until

RAISED = ExceptionInfo("ValueError", "no")


def test_a_rules_fix_is_in_the_first_thing_shown(session: Session, seen: Seen) -> None:
    repair = session.failed(a_failure(), patience=10)
    assert [(len(shown.fixes), working) for shown, working in seen.shown] == [(1, TRYING)]
    assert repair.fixes[0].edits[-1].source == "total"
    assert repair.verdict(repair.fixes[0]).findings == (Finding("loud", "is loud", "note"),)


def test_a_verdict_that_convinces_and_the_end_of_the_work_are_one_change(session: Session, seen: Seen) -> None:
    repair = session.failed(a_failure(), patience=10)
    until(lambda: session.repairs.open(repair.id).is_settled)
    session.close()
    assert [(shown.verdict(shown.fixes[0]).outcome, work) for shown, work in seen.updates] == [("passed", None)]


@pytest.mark.parametrize("goes_on", ["it does not convince", "somebody else is asked"])
def test_a_verdict_is_shown_at_once_where_the_work_goes_on(
    session: Session, seen: Seen, trials: Copies, model: Model, goes_on: str
) -> None:
    if goes_on == "somebody else is asked":
        session.settings = Settings(ask_model="always")
    else:
        trials.outcomes["total"] = Trial("other_error", ename="ValueError")
    session.failed(a_failure(), patience=10)
    until(lambda: model.requests)
    shown, work = seen.updates[0]
    assert (shown.verdict(shown.fixes[0]).trial is not None, work) == (True, TRYING)


def test_the_model_is_asked_by_itself_only_when_no_rule_fits(session: Session, seen: Seen, model: Model) -> None:
    session.failed(a_failure("toatl"), patience=10)
    until(lambda: session.repairs.open(session.repairs.latest().id).is_settled)
    assert not model.requests
    repair = session.failed(a_failure("other"), patience=10)
    until(lambda: model.requests)
    assert session.repairs.open(repair.id).work == Work("asking", "tiny-1")
    assert seen.pieces == [("thinking", True)]
    model.go.set()
    until(lambda: session.repairs.find(repair.id).fixes)
    until(lambda: seen.updates[-1][1] is None)


def test_on_request_nothing_is_sent_by_itself(session: Session, model: Model) -> None:
    session.settings = Settings(ask_model="on request")
    repair = session.failed(a_failure("other"), patience=10)
    until(lambda: session.repairs.open(repair.id).is_settled)
    assert not model.requests


def test_a_model_that_is_always_asked_is_asked_although_a_rule_fits(session: Session, model: Model) -> None:
    session.settings = Settings(ask_model="always")
    repair = session.failed(a_failure(), patience=10)
    model.go.set()
    until(lambda: len(session.repairs.find(repair.id).fixes) == 2)


def test_asking_with_a_hint_adds_a_fix_and_passes_on_what_was_tried(
    session: Session, model: Model, trials: Copies
) -> None:
    repair = session.failed(a_failure(), patience=10)
    session.repairs.open(repair.id).wait(timeout=10)
    model.go.set()
    session.questions.ask(repair.id, "use a sum")
    until(lambda: len(session.repairs.find(repair.id).fixes) == 2)
    assert {fix.edits[-1].source for fix in session.repairs.find(repair.id).fixes} == {"total", "fixed('use a sum')"}
    assert [attempt.fix.edits[-1].source for attempt in model.requests[0].attempts] == ["total"]
    session.repairs.open(repair.id).wait(timeout=10)
    assert trials.ran == ["total", "fixed('use a sum')"]


def test_a_hint_that_is_too_long_is_refused_and_nothing_is_asked(session: Session, model: Model) -> None:
    repair = session.failed(a_failure(), patience=10)
    with pytest.raises(BadInput, match=f"longer than {LONGEST_HINT:,} characters: say it in fewer words"):
        session.questions.ask(repair.id, "h" * (LONGEST_HINT + 1))
    assert model.requests == []


def test_what_goes_wrong_with_a_model_is_said_in_its_words(session: Session, model: Model) -> None:
    repair = session.failed(a_failure(), patience=10)
    model.go.set()
    session.questions.ask(repair.id, "refuse")
    until(lambda: session.repairs.find(repair.id).trouble == "There is no such model.")
    assert len(session.repairs.find(repair.id).fixes) == 1


def test_cancel_keeps_what_was_found_and_what_comes_later_is_dropped(
    session: Session, seen: Seen, model: Model
) -> None:
    repair = session.failed(a_failure(), patience=10)
    session.questions.ask(repair.id)
    until(lambda: model.requests)
    session.cancel(repair.id)
    assert model.requests[0].cancelled.is_set()
    assert seen.updates[-1][1] is None
    model.go.set()
    session.close()
    assert [fix.edits[-1].source for fix in session.repairs.find(repair.id).fixes] == ["total"]


def test_of_an_answer_that_nobody_waits_for_no_more_is_shown(session: Session, seen: Seen) -> None:
    class Chatty(Model):
        def propose(self, failure: Failure, request: Request) -> Iterator[Fix]:
            self.requests.append(request)
            request.on_text("thinking")
            assert self.go.wait(10)
            request.on_text("too late")
            yield from ()

    chatty = Chatty()
    session.plugins.loaded = ([chatty], [])
    repair = session.failed(a_failure("other"), patience=10)
    until(lambda: seen.pieces)
    session.questions.ask(repair.id)
    until(lambda: len(seen.pieces) == 2)
    session.cancel(repair.id)
    chatty.go.set()
    session.close(10)
    assert seen.pieces == [("thinking", True)] * 2


def test_an_accepted_fix_that_runs_is_the_repairs_outcome(session: Session) -> None:
    repair = session.failed(a_failure(), patience=10)
    session.decisions.accept(repair.id)
    session.starts(CELL, "total")
    session.ended(None)
    rerun = session.repairs.find(repair.id).rerun
    assert rerun is not None
    assert rerun.succeeded
    assert rerun.seconds == 1
    assert session.recorder.get(repair.id).rerun == rerun


def test_an_accepted_fix_that_fails_is_remembered_with_its_error(session: Session) -> None:
    repair = session.failed(a_failure(), patience=10)
    session.decisions.accept(repair.id)
    session.starts(CELL, "total")
    session.ended(ExceptionInfo("ValueError", "no"))
    rerun = session.repairs.find(repair.id).rerun
    assert rerun is not None
    assert (rerun.succeeded, rerun.ename) == (False, "ValueError")


def test_the_news_of_an_acceptance_may_come_after_the_run(session: Session) -> None:
    repair = session.failed(a_failure(), patience=10)
    session.starts(CELL, "total * 2")
    session.ended(None)
    assert session.repairs.find(repair.id).decision.kind == "superseded"
    session.decisions.accept(repair.id, sources=["total * 2"], applied=True)
    after = session.repairs.find(repair.id)
    assert (after.decision.kind, after.rerun.succeeded) == ("accepted", True)


def test_what_changes_while_something_more_urgent_is_sent_is_shown_a_moment_later_or_with_the_next_change(
    session: Session, seen: Seen
) -> None:
    repair = session.failed(a_failure(), patience=10)
    session.show(repair.id)
    until(lambda: session.repairs.open(repair.id).work is None)
    with session.shown_later():
        session.decisions.accept(repair.id)
        assert seen.updates[-1][0].decision is None
    until(lambda: seen.updates[-1][0].decision is not None)
    before = len(seen.updates)
    with session.shown_later(600.0):
        session.decisions.refused(repair.id, "the cell has changed")
    session.decisions.accept(repair.id)
    assert [shown.decision is not None for shown, _ in seen.updates[before:]] == [True]


def test_what_another_thread_has_shown_later_does_not_hurry_what_waits_here(session: Session, seen: Seen) -> None:
    repair, other = (session.failed(a_failure(), patience=10) for _ in range(2))
    for one in (repair, other):
        session.show(one.id)
        until(lambda one=one: session.repairs.open(one.id).is_settled)
    before = len(seen.updates)

    def beside() -> None:
        with session.shown_later(0.0):
            session.decisions.reject(other.id)

    with session.shown_later():
        session.decisions.accept(repair.id)
        thread = threading.Thread(target=beside)
        thread.start()
        thread.join()
        until(lambda: not any(thread.name == "reflex-show" for thread in threading.enumerate()))
        session.decisions.refused(repair.id, "the cell has changed")
        assert len(seen.updates) == before
    until(lambda: len(seen.updates) == before + 2)


def test_what_is_decided_meanwhile_is_noted_at_once_and_saved_a_moment_later_or_with_the_next_change(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    repair = session.failed(a_failure(), patience=10)
    until(lambda: session.repairs.open(repair.id).work is None)
    told = list[tuple[str, str]]()
    for name in ("save", "note"):
        plain = getattr(session.recorder, name)

        def telling(changed: Repair, name: str = name, plain: Callable[[Repair], None] = plain) -> None:
            told.append((name, changed.outcome))
            plain(changed)

        monkeypatch.setattr(session.recorder, name, telling)
    with session.shown_later():
        session.decisions.accept(repair.id)
        assert told == [("note", "accepted")]
    until(lambda: len(told) > 1)
    assert told == [("note", "accepted"), ("save", "accepted")]
    told.clear()
    with session.shown_later(600.0):
        session.decisions.refused(repair.id, "the cell has changed")
    session.decisions.reject(repair.id)
    assert told == [("save", "open"), ("save", "rejected")]
    told.clear()
    session.close()
    assert told == []


def test_a_cell_that_runs_again_does_not_wait_until_its_old_panel_is_drawn(
    session: Session, seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reflex_ipython.repairs.session.MUCH_LATER", 600.0)
    repair = session.failed(a_failure(), patience=10)
    until(lambda: session.repairs.open(repair.id).is_settled)
    before = len(seen.updates)
    session.starts(CELL, "total * 2")
    assert (session.repairs.find(repair.id).decision.kind, seen.updates[before:]) == ("superseded", [])
    session.close()
    assert [shown.decision.kind for shown, _ in seen.updates[before:]] == ["superseded"], "nothing is forgotten"


def test_how_an_accepted_cell_went_is_said_below_it_and_saved_at_once_and_all_else_is_drawn_later(
    session: Session, seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reflex_ipython.repairs.session.LATER", 600.0)
    repair = session.failed(a_failure(), patience=10)
    session.show(repair.id)
    until(lambda: session.repairs.open(repair.id).is_settled)
    saved = list[bool]()
    monkeypatch.setattr(session.recorder, "save", lambda repair: saved.append(repair.rerun is not None))
    session.decisions.accept(repair.id, applied=True)
    session.starts(CELL, "total")
    before = len(seen.updates)
    session.ended(None)
    assert [one.rerun.succeeded for one in seen.notes] == [True]
    assert saved[-1]
    assert seen.updates[before:] == []
    session.close()
    assert [shown.rerun.succeeded for shown, _ in seen.updates[before:]] == [True], "nothing is forgotten"


def test_running_another_text_in_that_cell_withdraws_the_proposal(session: Session, model: Model) -> None:
    repair = session.failed(a_failure("other"), patience=10)
    until(lambda: model.requests)
    session.starts(CELL, "something else")
    assert session.repairs.find(repair.id).decision.kind == "superseded"
    assert model.requests[0].cancelled.is_set()
    with pytest.raises(BadInput, match="superseded"):
        session.decisions.accept(repair.id)


def test_typing_the_fix_by_hand_counts_as_accepting_it(session: Session) -> None:
    repair = session.failed(a_failure(), patience=10)
    session.starts(CELL, "total")
    session.ended(None)
    after = session.repairs.find(repair.id)
    assert (after.decision.kind, after.rerun.succeeded) == ("accepted", True)


def test_other_cells_do_not_matter(session: Session) -> None:
    repair = session.failed(a_failure(), patience=10)
    session.starts(CellRef("b", 8), "1 + 1")
    session.ended(None)
    session.starts(CellRef(None, 9), "1 + 1")
    session.ended(None)
    assert session.repairs.find(repair.id).decision is None


def test_a_refused_acceptance_is_open_again_with_the_reason(session: Session) -> None:
    repair = session.failed(a_failure(), patience=10)
    session.decisions.accept(repair.id)
    session.decisions.refused(repair.id, "The cell has changed.")
    after = session.repairs.find(repair.id)
    assert (after.decision, after.trouble) == (None, "The cell has changed.")
    session.decisions.accept(repair.id)
    assert session.repairs.find(repair.id).trouble == ""


def test_deciding_twice_is_refused_in_words(session: Session) -> None:
    repair = session.failed(a_failure(), patience=10)
    session.decisions.reject(repair.id)
    with pytest.raises(BadInput, match="rejected"):
        session.decisions.accept(repair.id)


def test_undo_gives_the_old_text_back_and_only_once(session: Session) -> None:
    repair = session.failed(a_failure(), patience=10)
    with pytest.raises(BadInput, match="not accepted"):
        session.decisions.undo(repair.id)
    session.decisions.accept(repair.id, sources=["total  # mine"])
    assert session.decisions.undo(repair.id).edits == (Edit(CELL, "total  # mine", "toatl"),)
    with pytest.raises(BadInput, match="not accepted"):
        session.decisions.undo(repair.id)


def test_a_provider_that_breaks_does_not_break_the_others(session: Session) -> None:
    class Broken:
        name, where, cost, label = "broken", "instant", "", "broken"

        def propose(self, failure: Failure, request: Request) -> Iterator[Fix]:
            raise RuntimeError("oh")
            yield

    session.plugins.loaded = ([Broken(), Rules()], [])
    repair = session.failed(a_failure(), patience=10)
    assert len(repair.fixes) == 1


def test_a_provider_that_is_not_instant_sees_no_secret_and_the_cell_gets_it_back(
    session: Session, seen: Seen, redactors: list[type[Open]]
) -> None:
    class Echo(Model):
        def propose(self, failure: Failure, request: Request) -> Iterator[Fix]:
            self.saw.append(failure)
            self.requests.append(request)
            request.on_text("I saw <1>")
            request.on_text(" there")
            yield a_fix(failure, failure.situation.source + f" + {len(self.saw)}")

    echo = Echo()
    session.plugins.loaded = ([echo], [])
    redactors.append(Hiding)
    repair = session.failed(a_failure("key = 'SECRET'"), patience=10)
    until(lambda: session.repairs.find(repair.id).fixes)
    edit = session.repairs.find(repair.id).fixes[0].edits[-1]
    assert (edit.expected, edit.source) == ("key = 'SECRET'", "key = 'SECRET' + 1")
    assert seen.pieces == [("I saw SECRET", True), (" there", False)]
    session.questions.ask(repair.id, "SECRET is my key")
    until(lambda: len(session.repairs.find(repair.id).fixes) == 2)
    assert seen.pieces == [("I saw SECRET", True), (" there", False)] * 2
    assert "SECRET" not in repr((echo.saw, [(r.hint, r.attempts) for r in echo.requests]))


def test_a_fix_is_tried_and_the_verdict_is_shown(session: Session, seen: Seen, trials: Copies) -> None:
    repair = session.failed(a_failure(), patience=10)
    until(lambda: session.repairs.find(repair.id).verdict(repair.fixes[0]).outcome == "passed")
    assert trials.frozen == [repair.id]
    until(lambda: seen.updates[-1][1] is None)
    session.decisions.reject(repair.id)
    assert repair.id in trials.released


def test_with_trials_off_nothing_is_copied(session: Session, trials: Copies) -> None:
    session.settings = Settings(trial="off")
    repair = session.failed(a_failure(), patience=10)
    session.repairs.open(repair.id).wait(timeout=10)
    assert (trials.frozen, trials.ran) == ([], [])
    assert session.repairs.find(repair.id).verdict(repair.fixes[0]).outcome == "not_tried"


def test_what_is_found_before_the_panel_is_shown_is_no_change_of_it(session: Session, seen: Seen) -> None:
    session.settings = Settings(trial="off")
    repair = session.failed(a_failure(), patience=10)
    session.repairs.open(repair.id).wait(timeout=10)
    assert (len(seen.shown), seen.updates) == (1, [])


def test_on_click_a_fix_is_tried_when_it_is_asked_for(session: Session, trials: Copies) -> None:
    session.settings = Settings(trial="on click")
    repair = session.failed(a_failure(), patience=10)
    until(lambda: session.repairs.open(repair.id).is_settled)
    assert (trials.frozen, trials.ran) == ([repair.id], [])
    session.trying.fix(repair.id, repair.fixes[0].id)
    until(lambda: session.repairs.find(repair.id).verdict(repair.fixes[0]).outcome == "passed")
    assert trials.ran == [repair.fixes[0].edits[-1].source]


def test_a_fix_that_is_not_open_is_not_tried(session: Session, trials: Copies) -> None:
    session.settings = Settings(trial="on click")
    repair = session.failed(a_failure(), patience=10)
    with pytest.raises(BadInput, match="no longer open"):
        session.trying.fix(repair.id, "another")
    session.decisions.reject(repair.id)
    with pytest.raises(BadInput, match="no longer open"):
        session.trying.fix(repair.id, repair.fixes[0].id)
    session.settings = Settings(trial="off")
    with pytest.raises(BadInput, match="on click"):
        session.trying.fix(repair.id, repair.fixes[0].id)
    assert trials.ran == []


def test_a_fix_is_tried_again_in_a_new_copy_and_counts_as_not_tried_until_then(
    session: Session, seen: Seen, trials: Copies
) -> None:
    repair = session.failed(a_failure(), patience=10)
    fix = repair.fixes[0]
    session.repairs.open(repair.id).wait(timeout=10)
    trials.outcomes["total"] = Trial("other_error", "it was spoilt")
    with session.repairs.lock:
        session.trying.again(repair.id, fix.id)
        shown, work = seen.updates[-1]
        assert (shown.verdict(fix).outcome, work) == ("not_tried", TRYING)
    session.repairs.open(repair.id).wait(timeout=10)
    assert session.repairs.find(repair.id).verdict(fix).outcome == "other_error"
    assert (trials.frozen, trials.ran) == ([repair.id, repair.id], ["total", "total"])
    session.decisions.reject(repair.id)
    with pytest.raises(BadInput, match="no longer open"):
        session.trying.again(repair.id, fix.id)


def a_fix_of_two_cells(failure: Failure) -> Fix:
    earlier = Edit(CellRef("earlier", 3), "def f(): nope", "def f(): pass")
    return Fix(
        new_id(),
        (earlier, Edit(failure.situation.cell, failure.situation.source, failure.situation.source)),
        "There.",
        "rule",
    )


class Elsewhere(Rules):
    def propose(self, failure: Failure, request: Request) -> Iterable[Fix]:
        return [a_fix_of_two_cells(failure)]


def test_a_fix_of_two_cells_is_decided_undone_and_its_run_noted(session: Session) -> None:
    session.plugins.loaded = ([Elsewhere()], [])
    session.starts(CELL, "f()")
    session.ended(ExceptionInfo("NameError", "nope"))
    repair = session.failed(a_failure("f()"), patience=10)
    with pytest.raises(BadInput, match="those are not the cells"):
        session.decisions.accept(repair.id, sources=["f()"])
    repair, _ = session.decisions.accept(repair.id, sources=["def f(): pass  # mine", "f()"], applied=True)
    assert [edit.source for edit in repair.applied] == ["def f(): pass  # mine", "f()"]
    assert repair.rerun is None
    session.starts(CELL, "f()")
    session.ended(None)
    rerun = session.repairs.find(repair.id).rerun
    assert rerun is not None
    assert rerun.succeeded
    assert [edit.source for edit in session.decisions.undo(repair.id).edits] == ["def f(): nope", "f()"]


def test_the_failing_cell_of_a_fix_of_two_cells_run_by_hand_is_not_its_acceptance(session: Session) -> None:
    session.plugins.loaded = ([Elsewhere()], [])
    repair = session.failed(a_failure("f()"), patience=10)
    session.starts(CELL, "f()")
    decision = session.repairs.find(repair.id).decision
    assert decision is not None
    assert decision.kind == "superseded"


def test_of_several_fixes_the_ones_that_pass_come_first_the_shortest_in_front(session: Session, trials: Copies) -> None:
    class Three(Rules):
        def propose(self, failure: Failure, request: Request) -> Iterable[Fix]:
            return [a_fix(failure, source) for source in ("fails", "a much longer text than the other", "short")]

    trials.outcomes["fails"] = Trial("other_error", ename="ValueError", lineno=1)
    session.plugins.loaded = ([Three()], [])
    repair = session.failed(a_failure(), patience=10)
    until(lambda: len(session.repairs.find(repair.id).verdicts) == 3 and session.repairs.open(repair.id).is_settled)
    sources = [fix.edits[-1].source for fix in session.repairs.find(repair.id).fixes]
    assert sources == ["short", "a much longer text than the other", "fails"]


def test_of_candidates_as_many_are_tried_at_once_as_the_copy_of_the_kernel_can(
    session: Session, trials: Copies
) -> None:
    class Guessing(Rules):
        def propose(self, failure: Failure, request: Request) -> Iterable[Fix]:
            return [dataclasses.replace(a_fix(failure, f"guess {number}"), prior=0.4) for number in range(6)]

    trials.meet = threading.Barrier(3, timeout=60)  # none ends before three have begun
    session.plugins.loaded = ([Guessing()], [])
    repair = session.failed(a_failure(), patience=10)
    until(lambda: session.repairs.open(repair.id).is_settled)
    assert sorted(trials.ran) == [f"guess {number}" for number in range(6)]
    assert trials.blocks == [f"{repair.id} begins", f"{repair.id} ends after 6"]


class Improving(Model):
    """A model whose first answers raise."""

    def __init__(self, *answers: str) -> None:
        super().__init__()
        self.answers = list(answers)

    def propose(self, failure: Failure, request: Request) -> Iterator[Fix]:
        self.requests.append(request)
        yield a_fix(failure, self.answers[len(self.requests) - 1], "tiny-1")


def test_a_fix_that_fails_its_trial_goes_back_to_the_model_with_what_was_seen(
    session: Session, seen: Seen, trials: Copies
) -> None:
    model = Improving("first", "second", "third")
    session.plugins.loaded = ([model], [])
    trials.outcomes["first"] = Trial("other_error", ename="KeyError", lineno=4)
    repair = session.failed(a_failure("other"), patience=10)
    until(lambda: len(session.repairs.find(repair.id).fixes) == 2 and session.repairs.open(repair.id).is_settled)
    assert [fix.edits[-1].source for fix in session.repairs.find(repair.id).fixes] == ["second", "first"]
    assert model.requests[1].attempts[0].verdict.reason == "raises KeyError on line 4 instead"
    assert "asking tiny-1, 2 of 5: raises KeyError on line 4 instead" in [working(work) for _, work in seen.updates]


def test_the_same_error_three_times_ends_the_attempts(session: Session, trials: Copies) -> None:
    model = Improving("first", "second", "third", "fourth")
    session.plugins.loaded = ([model], [])
    trials.outcomes.update(dict.fromkeys(model.answers, Trial("other_error", ename="KeyError", lineno=4)))
    repair = session.failed(a_failure("other"), patience=10)
    until(lambda: len(session.repairs.find(repair.id).fixes) == 3 and session.repairs.open(repair.id).is_settled)
    assert len(model.requests) == 3


class Asking(Improving):
    """A provider whose first answers hold no fix."""

    def __init__(self, *problems: str) -> None:
        super().__init__("fixed")
        self.problems = problems
        self.allowed: list[bool] = []

    def propose(self, failure: Failure, request: Request) -> Iterator[Fix]:
        self.requests.append(request)
        for problem in self.problems:
            request.on_text("what")
            self.allowed.append(request.ask_again(problem))
            if not self.allowed[-1]:
                raise ModelError(problem, "bad-reply")
        request.on_text("well")
        yield a_fix(failure, "fixed", "tiny-1")


def test_an_answer_without_a_fix_is_one_of_the_attempts_and_the_next_one_begins_anew(
    session: Session, seen: Seen
) -> None:
    model = Asking("The model answered with the same cell.")
    session.plugins.loaded = ([model], [])
    repair = session.failed(a_failure("other"), patience=10)
    session.repairs.open(repair.id).wait(timeout=10)
    assert [fix.edits[0].source for fix in session.repairs.find(repair.id).fixes] == ["fixed"]
    assert seen.pieces == [("what", True), ("well", True)]
    words = "asking tiny-1, 2 of 5: The model answered with the same cell."
    assert words in [working(work) for _, work in seen.updates]


def test_answers_without_a_fix_are_bounded_by_the_attempts(session: Session) -> None:
    model = Asking(*["The model answered with the same cell."] * 9)
    session.settings = Settings(attempts=3)
    session.plugins.loaded = ([model], [])
    repair = session.failed(a_failure("other"), patience=10)
    session.repairs.open(repair.id).wait(timeout=10)
    assert model.allowed == [True, True, False]
    assert session.repairs.find(repair.id).trouble == "The model answered with the same cell."


def test_the_model_is_asked_where_a_rules_fix_failed_its_trial_and_is_told_of_it(
    session: Session, trials: Copies
) -> None:
    model = Improving("fixed")
    session.plugins.loaded = ([Rules(), model], [])
    trials.outcomes["total"] = Trial("other_error", ename="KeyError", lineno=4)
    repair = session.failed(a_failure(), patience=10)
    session.repairs.open(repair.id).wait(timeout=10)
    [request] = model.requests
    assert [(attempt.fix.provider, attempt.verdict.outcome) for attempt in request.attempts] == [
        ("rule", "other_error")
    ]
    assert [fix.provider for fix in session.repairs.find(repair.id).fixes] == ["tiny-1", "rule"]


def test_the_model_is_not_asked_where_a_rules_fix_could_not_be_tried(session: Session, trials: Copies) -> None:
    model = Improving("fixed")
    session.plugins.loaded = ([Rules(), model], [])
    trials.outcomes["total"] = Trial("inconclusive", "there is no copy")
    repair = session.failed(a_failure(), patience=10)
    session.repairs.open(repair.id).wait(timeout=10)
    assert model.requests == []


def test_the_same_code_twice_ends_the_attempts(session: Session, trials: Copies) -> None:
    model = Improving("first", "first", "third")
    session.plugins.loaded = ([model], [])
    trials.outcomes["first"] = Trial("other_error", ename="KeyError", lineno=4)
    repair = session.failed(a_failure("other"), patience=10)
    until(lambda: len(model.requests) == 2 and session.repairs.open(repair.id).is_settled)
    assert len(session.repairs.find(repair.id).fixes) == 1


def test_the_attempts_are_bounded(session: Session, seen: Seen, trials: Copies) -> None:
    model = Improving("0", "1", "2", "3", "4")
    session.settings = Settings(attempts=3)
    session.plugins.loaded = ([model], [])
    trials.outcomes.update({str(n): Trial("other_error", ename="KeyError", lineno=n) for n in range(5)})
    repair = session.failed(a_failure("other"), patience=10)
    until(lambda: len(model.requests) == 3 and session.repairs.open(repair.id).is_settled)
    assert len(session.repairs.find(repair.id).fixes) == 3
    assert [len(request.attempts) for request in model.requests] == [0, 1, 2]
    assert not any("4 of 3" in working(work) for _, work in seen.updates)


@pytest.mark.parametrize(("rules", "asked"), [([], 1), ([Rules()], 0)])
def test_a_search_that_is_stopped_during_a_trial_asks_nobody_after_that(
    session: Session, trials: Copies, monkeypatch: pytest.MonkeyPatch, rules: list[Rules], asked: int
) -> None:
    def run(repair_id: str, changes: CellChanges, most: float | None, withdrawal: object) -> Trial:
        session.cancel(repair_id)
        return Trial("other_error", ename="KeyError", lineno=4)

    monkeypatch.setattr(trials, "run", run)
    session.settings = Settings(ask_model="always")
    model = Improving("first", "second")
    session.plugins.loaded = ([*rules, model], [])
    repair = session.failed(a_failure(), patience=10)
    session.repairs.open(repair.id).wait(timeout=10)
    session.close(10)  # what was stopped may still be on its way
    assert len(model.requests) == asked


def test_what_speaks_against_a_fix_that_passed_goes_back_to_the_model(session: Session, seen: Seen) -> None:
    class Doubting:
        name = "doubt"

        def check(self, failure: Failure, fix: Fix, trial: Trial | None = None) -> Iterator[Finding]:
            yield Finding("loud", "is loud", "note")
            yield Finding("empty", "does nothing", "warning")

    model = Improving("first", "second")
    session.settings = Settings(attempts=2)
    session.plugins.loaded = ([model], [Doubting()])
    repair = session.failed(a_failure("other"), patience=10)
    session.repairs.open(repair.id).wait(timeout=10)
    assert len(model.requests) == 2
    assert "asking tiny-1, 2 of 2: does nothing" in [working(work) for _, work in seen.updates]


def test_a_search_belongs_to_the_cell_in_which_it_began(session: Session) -> None:
    cell, found = ContextVar("cell", default=""), []

    class Looking(Rules):
        def propose(self, failure: Failure, request: Request) -> Iterable[Fix]:
            found.append(cell.get())
            return []

    session.plugins.loaded = ([Looking()], [])
    cell.set("mine")
    session.failed(a_failure(), patience=10)
    assert found == ["mine"]


def test_what_could_not_be_tried_is_not_asked_again(session: Session, trials: Copies) -> None:
    model = Improving("first", "second")
    session.plugins.loaded = ([model], [])
    trials.outcomes["first"] = Trial("not_tried", "too little memory")
    repair = session.failed(a_failure("other"), patience=10)
    until(lambda: session.repairs.find(repair.id).verdicts and session.repairs.open(repair.id).is_settled)
    assert len(model.requests) == 1


@pytest.mark.parametrize(
    ("error", "plainly", "notes"), [(None, True, 1), (None, False, 1), (RAISED, True, 0), (RAISED, False, 1)]
)
def test_how_it_went_is_told_unless_the_panel_of_its_failure_says_all(
    session: Session, seen: Seen, error: ExceptionInfo | None, plainly: bool, notes: int
) -> None:
    repair = session.failed(a_failure(), patience=10)
    session.decisions.accept(repair.id)
    assert session.starts(CELL, "total") is not None
    session.resumed("resumed at line 3, state restored exactly", plainly=plainly)
    session.ended(error)
    assert session.repairs.find(repair.id).rerun.state == "resumed at line 3, state restored exactly"
    assert len(seen.notes) == notes


def test_without_a_model_nobody_can_be_asked(session: Session) -> None:
    nameless = Model()
    nameless.label = ""
    session.plugins.loaded = ([Rules(), nameless], [])
    repair = session.failed(a_failure("other"), patience=10)
    with pytest.raises(BadInput, match="No model is chosen"):
        session.questions.ask(repair.id)


def test_who_can_be_asked_is_who_takes_time_and_has_a_label(session: Session) -> None:
    nameless, colleague = Model(), Model()
    nameless.label, colleague.label = "", "a colleague"
    session.plugins.loaded = ([Rules(), nameless, colleague], [])
    assert session.rounds.slow() == [colleague]
    repair = session.failed(a_failure(), patience=10)
    session.questions.ask(repair.id, "by hand")
    assert session.repairs.open(repair.id).work == Work("asking", "a colleague")
    until(lambda: colleague.requests)
    colleague.go.set()
    session.repairs.open(repair.id).wait(timeout=10)
    assert [request.hint for request in colleague.requests] == ["by hand"]
    assert not nameless.requests


class Showing(Model):
    """A model that shows beforehand what it would send."""

    def would_send(self, failure: Failure, request: Request) -> Outgoing:
        return Outgoing("http://here/", f"{self.label}: {request.hint}".encode())


def test_what_would_be_sent_is_that_of_those_who_can_be_asked(session: Session) -> None:
    nameless, showing, silent = Showing(), Showing(), Model()
    nameless.label, showing.label, silent.label = "", "big", "small"
    session.plugins.loaded = ([Rules(), nameless, showing, silent], [])
    session.settings = Settings(ask_model="on request")
    repair = session.failed(a_failure(), patience=10)
    shown = Question("big", Outgoing("http://here/", b"big: why"))
    assert session.questions.preview(repair.id, "why") == [shown, Question("small")]
    session.plugins.loaded = ([Rules(), nameless], [])
    assert session.questions.preview(repair.id, "why") == [Question("", Outgoing("http://here/", b": why"))]
    session.plugins.loaded = ([Rules()], [])
    with pytest.raises(BadInput, match="nothing is sent"):
        session.questions.preview(repair.id)


def test_asking_who_can_be_asked_is_free_only_once_a_cell_has_failed(session: Session) -> None:
    assert not session.plugins.are_loaded
    session.failed(a_failure(), patience=10)
    assert session.plugins.are_loaded


def test_a_rejected_repair_is_open_again_once_the_model_is_asked(session: Session) -> None:
    repair = session.failed(a_failure(), patience=10)
    session.decisions.reject(repair.id)
    session.questions.ask(repair.id)
    assert session.repairs.find(repair.id).decision is None


def test_the_model_is_not_asked_about_a_cell_that_has_moved_on(session: Session) -> None:
    accepted, superseded = session.failed(a_failure(), patience=10), session.failed(a_failure(), patience=10)
    session.decisions.accept(accepted.id)
    session.starts(CELL, "something else")
    for repair in (accepted, superseded):
        with pytest.raises(BadInput, match="changed or run since"):
            session.questions.ask(repair.id)


def test_what_is_accepted_while_the_model_is_asked_stays_accepted(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    repair = session.failed(a_failure(), patience=10)
    accepting = threading.Thread(target=lambda: session.decisions.accept(repair.id))
    cancel = session.workers.cancel

    def slowly(opened: OpenRepair) -> bool:
        if accepting.ident is None:
            accepting.start()
            accepting.join(0.2)  # it has to wait; if it had not, it would be done by now
        return cancel(opened)

    monkeypatch.setattr(session.workers, "cancel", slowly)
    session.questions.ask(repair.id)
    accepting.join()
    assert session.repairs[repair.id].decision.kind == "accepted"
    assert session.repairs.open(repair.id).is_settled


def test_only_the_latest_of_two_searches_for_a_repair_goes_on(session: Session, seen: Seen, model: Model) -> None:
    repair = session.failed(a_failure(), patience=10)
    session.questions.ask(repair.id, "first")
    until(lambda: model.requests)
    session.questions.ask(repair.id, "second")
    until(lambda: len(model.requests) == 2)
    assert [request.cancelled.is_set() for request in model.requests] == [True, False]
    assert seen.updates[-1][1] == Work("asking", "tiny-1")
    with session.repairs.lock:
        session.trying.fix(repair.id, repair.fixes[0].id)
        assert seen.updates[-1][1] == TRYING
    assert model.requests[1].cancelled.is_set()


def test_a_search_that_was_stopped_without_a_fix_says_so_until_the_next_one(session: Session, model: Model) -> None:
    repair = session.failed(a_failure("other"), patience=10)
    until(lambda: model.requests)
    session.cancel(repair.id)
    assert session.repairs.find(repair.id).trouble == STOPPED
    session.questions.ask(repair.id)
    assert session.repairs.find(repair.id).trouble == ""


def test_where_nobody_is_at_work_or_a_fix_was_found_stopping_says_nothing(session: Session, model: Model) -> None:
    session.settings = Settings(ask_model="on request")
    empty, found = session.failed(a_failure("other"), patience=10), session.failed(a_failure(), patience=10)
    until(lambda: session.repairs.open(empty.id).is_settled)
    session.cancel(empty.id)
    session.questions.ask(found.id)
    session.cancel(found.id)
    assert [session.repairs.find(repair.id).trouble for repair in (empty, found)] == ["", ""]


def test_the_fix_that_was_chosen_is_accepted_as_it_was_asked_for(session: Session) -> None:
    class Two(Rules):
        def propose(self, failure: Failure, request: Request) -> Iterable[Fix]:
            return [a_fix(failure, "one"), a_fix(failure, "two")]

    session.plugins.loaded = ([Two()], [])
    repair = session.failed(a_failure(), patience=10)
    chosen = repair.fixes[-1]
    repair, changes = session.decisions.accept(repair.id, chosen.id, run=False, whole=True)
    assert (changes.edits, repair.decision.fix_id) == (chosen.steps, chosen.id)
    assert (repair.applied, repair.decision.run, repair.decision.whole) == (chosen.steps, False, True)


def test_where_there_is_no_fix_yet_there_is_none_to_accept(session: Session) -> None:
    repair = session.failed(a_failure("other"), patience=10)
    with pytest.raises(BadInput, match="no fix to accept"):
        session.decisions.accept(repair.id)


def test_a_fix_that_was_accepted_without_running_it_is_not_resumed_by_a_later_run(session: Session) -> None:
    repair = session.failed(a_failure(), patience=10)
    session.decisions.accept(repair.id, run=False)
    assert session.starts(CELL, "total") is None
    session.ended(None)
    assert session.repairs.find(repair.id).rerun.succeeded


def test_a_fix_may_run_in_the_cell_of_the_command_that_accepted_it(session: Session) -> None:
    repair = session.failed(a_failure(), patience=10)
    session.decisions.accept(repair.id)
    assert session.starts(CellRef("b", 9), "total", becomes=repair.id) is not None
    session.ended(None)
    assert session.repairs.find(repair.id).rerun.succeeded


def test_without_cell_ids_a_run_is_the_outcome_of_the_latest_acceptance_of_that_text(session: Session) -> None:
    first, second = (session.failed(a_failure(cell=CellRef(None, n)), patience=10) for n in (7, 8))
    for repair in (first, second):
        session.decisions.accept(repair.id)
    session.starts(CellRef(None, 9), "total")
    session.ended(None)
    assert [session.repairs.find(repair.id).rerun is not None for repair in (first, second)] == [False, True]


def test_what_is_accepted_cannot_be_rejected(session: Session) -> None:
    repair = session.failed(a_failure(), patience=10)
    session.decisions.accept(repair.id)
    with pytest.raises(BadInput, match="accepted"):
        session.decisions.reject(repair.id)


def test_an_undoing_that_was_refused_leaves_the_fix_accepted(session: Session) -> None:
    repair = session.failed(a_failure(), patience=10)
    session.decisions.accept(repair.id, sources=["total  # mine"])
    session.decisions.undo(repair.id)
    session.decisions.refused(repair.id, "The cell has changed.")
    after = session.repairs.find(repair.id)
    assert (after.decision.kind, after.applied[-1].source, after.trouble) == (
        "accepted",
        "total  # mine",
        "The cell has changed.",
    )


def test_what_became_of_an_undoing_is_not_noted_where_it_was_decided_anew_meanwhile(
    session: Session, model: Model
) -> None:
    repair = session.failed(a_failure(), patience=10)
    session.decisions.accept(repair.id)
    session.decisions.undo(repair.id)
    session.questions.ask(repair.id)
    session.decisions.undone(repair.id, "state restored exactly")
    assert session.repairs[repair.id].decision is None
    session.decisions.accept(repair.id)
    session.decisions.undone(repair.id, "state restored exactly")
    assert session.repairs[repair.id].decision.reason == ""
    session.decisions.undone("no such", "")


def test_a_cell_mended_by_hand_is_shown_only_as_it_is_decided(session: Session, seen: Seen) -> None:
    repair = session.failed(a_failure(), patience=10)
    proposed = {fix.id for fix in repair.fixes}
    session.decisions.mended(repair.id, "x = 7")
    more = [repair for repair, _ in seen.updates if {fix.id for fix in repair.fixes} - proposed]
    assert more
    assert all(repair.decision is not None and repair.decision.kind == "accepted" for repair in more)


@pytest.mark.parametrize("decided", ["rejected", "superseded"])
def test_a_refusal_that_comes_late_opens_nothing_again(session: Session, decided: str) -> None:
    repair = session.failed(a_failure(), patience=10)
    session.decisions.accept(repair.id)
    session.decisions.refused(repair.id, "The cell has changed.")
    if decided == "rejected":
        session.decisions.reject(repair.id)
    else:
        session.starts(CELL, "something else")
    session.decisions.refused(repair.id, "It could not be run.")
    assert session.repairs[repair.id].decision.kind == decided


def test_an_undone_fix_that_is_accepted_again_awaits_another_run(session: Session) -> None:
    repair = session.failed(a_failure(), patience=10)
    session.decisions.accept(repair.id)
    session.starts(CELL, "total")
    session.ended(ExceptionInfo("ValueError", "no"))
    session.decisions.undo(repair.id)
    session.decisions.accept(repair.id)
    assert session.repairs.find(repair.id).rerun is None
    session.starts(CELL, "total")
    session.ended(None)
    assert session.repairs.find(repair.id).rerun.succeeded


def test_the_news_of_an_acceptance_that_was_noticed_before_changes_no_outcome(session: Session) -> None:
    repair = session.failed(a_failure(), patience=10)
    session.starts(CELL, "total")
    session.ended(None)
    session.decisions.accept(repair.id, applied=True)
    assert session.repairs.find(repair.id).rerun.succeeded


def test_the_repair_to_which_an_undone_run_has_led_is_closed_unless_it_was_decided(session: Session) -> None:
    for decide, kind in ((lambda repair_id: None, "superseded"), (session.decisions.reject, "rejected")):
        first = session.failed(a_failure(), patience=10)
        session.decisions.accept(first.id)
        session.starts(CELL, "total")
        session.ended(ExceptionInfo("ValueError", "no"))
        second = session.failed(a_failure("total"), patience=10)
        decide(second.id)
        session.decisions.undo(first.id)
        session.decisions.undone(first.id, "state restored exactly")
        assert session.repairs.find(first.id).decision.reason == "state restored exactly"
        assert session.repairs.find(second.id).decision.kind == kind


def test_where_there_is_nothing_to_try_and_nobody_looks_no_copy_is_made(session: Session, trials: Copies) -> None:
    session.settings = Settings(ask_model="on request")
    repair = session.failed(a_failure("other"), patience=10)
    assert trials.frozen == []
    session.settings = Settings()
    repair = session.failed(a_failure("other"), patience=10)
    assert trials.frozen == [repair.id]


def test_what_accepting_would_do_and_what_the_trial_showed_are_in_the_verdict(
    session: Session, consequences: Ways
) -> None:
    class Watching:
        name = "watch"

        def check(self, failure: Failure, fix: Fix, trial: Trial | None = None) -> Iterator[Finding]:
            yield Finding("trial", trial.outcome if trial else "none", "note")

    consequences.said = (Finding("stale", "`total` was computed before", "note"),)
    session.plugins.loaded = ([Rules()], [Watching()])
    repair = session.failed(a_failure(), patience=10)
    until(lambda: session.repairs.find(repair.id).verdict(repair.fixes[0]).outcome == "passed")
    findings = session.repairs.find(repair.id).verdict(repair.fixes[0]).findings
    assert [finding.text for finding in findings] == ["passed", "`total` was computed before"]


def test_only_checkers_that_look_at_the_trial_are_asked_again_once_there_is_one(session: Session) -> None:
    asked = list[tuple[str, bool]]()

    class Watching:
        name = "watch"

        def check(self, failure: Failure, fix: Fix, trial: Trial | None = None) -> Iterator[Finding]:
            asked.append((type(self).__name__, trial is not None))
            yield Finding(type(self).__name__, "", "note")

    class Reading(Watching):
        needs_trial = False

    session.plugins.loaded = ([Rules()], [Reading(), Watching(), Reading()])
    repair = session.failed(a_failure(), patience=10)
    until(lambda: session.repairs.open(repair.id).is_settled)
    first = [("Reading", False), ("Watching", False), ("Reading", False)]
    assert asked == [*first, ("Watching", True)]
    found = session.repairs.find(repair.id).verdict(repair.fixes[0]).findings
    assert [finding.code for finding in found] == ["Reading", "Watching", "Reading"]
    session.verdicts.of(repair.cause, dataclasses.replace(repair.fixes[0], explanation="another"), Trial("passed"))
    assert asked[4:] == [("Reading", True), ("Watching", True), ("Reading", True)]


def test_how_a_fix_can_be_run_is_looked_up_again_once_another_cell_has_run(
    session: Session, consequences: Ways
) -> None:
    consequences.now = (RunOption(3, (), True),)
    repair = session.failed(a_failure(), patience=10)
    until(lambda: session.repairs.find(repair.id).verdict(repair.fixes[0]).run_options == consequences.now)
    until(lambda: session.repairs.open(repair.id).is_settled)
    consequences.now = (RunOption(None, (), False),)
    session.another_ran()
    assert session.repairs.find(repair.id).verdict(repair.fixes[0]).run_options == consequences.now


def _reject(session: Session, repair: Repair, another: Callable[[], None]) -> None:
    session.decisions.reject(repair.id)
    another()
    session.decisions.reopen(repair.id)


def _accept(session: Session, repair: Repair, another: Callable[[], None]) -> None:
    session.decisions.accept(repair.id, run=False)
    another()
    session.decisions.undo(repair.id)


def _undo_first(session: Session, repair: Repair, another: Callable[[], None]) -> None:
    session.decisions.accept(repair.id, run=False)
    session.decisions.undo(repair.id)
    another()


@pytest.mark.parametrize("decide", [_reject, _accept, _undo_first])
def test_what_is_open_again_can_be_run_as_it_can_be_now(
    session: Session, consequences: Ways, decide: Callable[[Session, Repair, Callable[[], None]], None]
) -> None:
    consequences.now = (RunOption(3, (), True),)
    repair = session.failed(a_failure(), patience=10)
    until(lambda: session.repairs.open(repair.id).is_settled)

    def another() -> None:
        consequences.now = (RunOption(None, ("wrote x.txt",), False),)
        session.another_ran()

    decide(session, repair, another)
    assert session.repairs.find(repair.id).verdict(repair.fixes[0]).run_options == consequences.now


def test_a_cell_that_has_run_waits_for_no_drawing_of_the_panels_that_were_open_before(
    session: Session, consequences: Ways, seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reflex_ipython.repairs.session.LATER", 600.0)
    consequences.now = (RunOption(3, (), True),)
    repair = session.failed(a_failure(), patience=10)
    until(lambda: session.repairs.open(repair.id).is_settled)
    drawn = len(seen.updates)
    consequences.now = (RunOption(None, (), False),)
    session.another_ran()
    assert len(seen.updates) == drawn
    session.close()
    (last,) = seen.updates[drawn:]
    assert last[0].verdict(repair.fixes[0]).run_options == consequences.now


def test_a_repair_that_is_too_old_is_forgotten_with_all_that_is_done_for_it(
    session: Session, seen: Seen, trials: Copies, model: Model
) -> None:
    oldest = session.failed(a_failure("other"), patience=10)
    opened = session.repairs.open(oldest.id)
    until(lambda: model.requests)
    session.settings = Settings(ask_model="on request", trial="off")
    for _ in range(KEPT):
        latest = session.failed(a_failure(), patience=10)
    assert len(session.repairs.all()) == KEPT
    assert oldest.id not in session.repairs
    assert oldest.id in trials.released
    assert model.requests[0].cancelled.is_set()
    assert opened.is_settled
    assert session.repairs.latest() == session.repairs.find(latest.id)


def test_nothing_of_a_forgotten_repair_is_held(
    session: Session, seen: Seen, trials: Copies, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_repairs, "KEPT", 2)
    model.go.set()
    held = weakref.WeakSet[object]()
    for number in range(12):
        repair = session.failed(a_failure(f"{'toatl' if number % 2 else 'other'} + {number}"), patience=10)
        opened = session.repairs.open(repair.id)
        assert opened.wait(timeout=10)
        if number % 3 == 0:
            _, changes = session.decisions.accept(repair.id)
            session.starts(CELL, changes.failing.source)
            session.ended(ExceptionInfo("ValueError", "no"))
        held.update([opened, opened.worker, opened.snapshot, opened.worker._thread])
    kept = session.repairs.all_open()
    del repair, opened, changes
    for told in (seen.shown, seen.updates, seen.notes, model.requests, model.saw):
        told.clear()

    def still() -> set[object]:
        gc.collect()
        return set(held) - {part for one in kept for part in (one, one.worker, one.snapshot, one.worker._thread)}

    until(lambda: not still())
    assert len(held) == 4 * len(kept) == 8


def test_a_listener_that_raises_keeps_no_old_repair_in_memory(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_repairs, "KEPT", 1)
    first = session.failed(a_failure(), patience=10)

    def refuse(event: Event, opened: OpenRepair) -> None:
        if event == "forgotten":
            raise OSError("the front end has gone")

    session.repairs.listen(refuse)
    with pytest.raises(OSError, match="gone"):
        session.failed(a_failure(), patience=10)
    assert first.id not in session.repairs
    session.repairs.open(session.repairs.latest().id)


def test_an_id_that_fits_no_repair_or_several_is_refused_in_words(session: Session) -> None:
    for repair_id in ("aa1", "aa2"):
        session.repairs.add(Repair(repair_id, session.id, a_failure()))
    for prefix in ("", "no such", "aa"):
        with pytest.raises(BadInput, match="no repair"):
            session.repairs.find(prefix)


@pytest.mark.parametrize(("failed", "ran"), [(CELL, CellRef("b", 8)), (CellRef(None, 7), CellRef(None, 8))])
def test_that_text_in_another_cell_was_no_run_of_the_fix(session: Session, failed: CellRef, ran: CellRef) -> None:
    repair = session.failed(a_failure(cell=failed), patience=10)
    session.starts(ran, "total")
    session.ended(None)
    session.decisions.accept(repair.id)
    assert session.repairs.find(repair.id).rerun is None


def test_another_text_in_that_cell_is_no_run_of_the_fix_whenever_the_news_comes(session: Session) -> None:
    before, after = session.failed(a_failure(), patience=10), session.failed(a_failure(), patience=10)
    session.decisions.accept(before.id)
    session.starts(CELL, "something else")
    session.ended(None)
    session.decisions.accept(after.id, applied=True)
    assert [session.repairs.find(repair.id).rerun for repair in (before, after)] == [None, None]


def test_a_run_of_an_undone_fix_is_none_of_the_repair(session: Session) -> None:
    repair = session.failed(a_failure(), patience=10)
    session.decisions.accept(repair.id)
    session.decisions.undo(repair.id)
    assert session.starts(CELL, "total") is None
    session.ended(None)
    assert session.repairs.find(repair.id).rerun is None


@pytest.mark.parametrize("source", ["total", "toatl", "something else"])
def test_what_was_undone_is_open_until_its_cell_runs(session: Session, source: str) -> None:
    repair = session.failed(a_failure(), patience=10)
    session.decisions.accept(repair.id)
    session.decisions.undo(repair.id)
    assert not session.repairs.find(repair.id).is_decided
    session.starts(CELL, source)
    assert session.repairs.find(repair.id).is_decided
    assert session.repairs.find(repair.id).outcome == "undone"
    with pytest.raises(BadInput, match="already been decided: it was undone"):
        session.decisions.accept(repair.id)


def test_only_the_first_end_of_the_first_run_counts(session: Session) -> None:
    repair = session.failed(a_failure(), patience=10)
    session.decisions.accept(repair.id)
    session.starts(CELL, "total")
    session.ended(None)
    session.ended(ExceptionInfo("ValueError", "an earlier error, looked at again"))
    session.starts(CELL, "total")
    session.ended(ExceptionInfo("ValueError", "later"))
    assert session.repairs.find(repair.id).rerun.succeeded


def test_a_run_is_the_outcome_of_one_repair_alone(session: Session) -> None:
    first, second = session.failed(a_failure(), patience=10), session.failed(a_failure(), patience=10)
    session.decisions.accept(second.id)
    session.starts(CELL, "total")
    session.ended(None)
    session.decisions.accept(first.id, applied=True)
    assert [session.repairs.find(repair.id).rerun is not None for repair in (first, second)] == [False, True]


def test_of_several_repairs_to_which_a_fix_has_led_the_latest_is_closed(session: Session) -> None:
    first = session.failed(a_failure(), patience=10)
    for number in range(2):
        session.decisions.accept(first.id)
        session.starts(CELL, "total")
        session.ended(ExceptionInfo("ValueError", "no"))
        led_to = session.failed(a_failure(f"total{number}"), patience=10)
        session.decisions.undo(first.id)
        session.decisions.undone(first.id, "")
        assert session.repairs.find(led_to.id).decision.reason == "The failed run was undone."


@pytest.fixture
def replies(trials: Copies, monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], None]]:
    """What waits for the kernel's replies: a test that takes this has to do it."""
    waiting: list[Callable[[], None]] = []
    monkeypatch.setattr(trials, "after_reply", lambda work, ready: waiting.append(work))
    return waiting


def test_what_is_decided_before_the_reply_needs_no_copy_and_is_remembered_at_once(
    session: Session, trials: Copies, replies: list[Callable[[], None]]
) -> None:
    repair = session.decisions.reject(session.failed(a_failure(), patience=10).id)
    assert session.recorder.recent(1) == [repair]
    replies.pop()()
    assert trials.frozen == []
    assert session.recorder.get(repair.id) == repair


def test_a_copy_that_was_being_made_when_the_repair_was_decided_goes(
    session: Session, trials: Copies, replies: list[Callable[[], None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    repair = session.failed(a_failure(), patience=10)

    def freeze(repair_id: str) -> None:
        session.decisions.reject(repair_id)
        trials.released.clear()  # there was nothing yet
        trials.frozen.append(repair_id)

    monkeypatch.setattr(trials, "freeze", freeze)
    replies.pop()()
    assert trials.frozen == trials.released == [repair.id]


def test_what_is_forgotten_before_the_reply_is_neither_copied_nor_remembered(
    session: Session, trials: Copies, replies: list[Callable[[], None]]
) -> None:
    repairs = [session.failed(a_failure(), patience=10) for _ in range(KEPT + 1)]
    replies[0]()
    assert trials.frozen == []
    assert repairs[0].id not in [repair.id for repair in session.recorder.recent(KEPT)]


def test_what_waits_for_the_reply_is_remembered_and_ends_with_the_session(
    session: Session, replies: list[Callable[[], None]]
) -> None:
    repair = session.failed(a_failure(), patience=10)
    session.workers.close(10)
    assert session.recorder.get(repair.id).id == repair.id
    assert "reflex-search" not in [thread.name for thread in threading.enumerate()]


def test_closing_waits_for_the_end_of_what_is_under_way(session: Session, trials: Copies) -> None:
    class Patient(Model):
        def propose(self, failure: Failure, request: Request) -> Iterator[Fix]:
            self.requests.append(request)
            assert request.cancelled.wait(10)
            yield from ()

    patient = Patient()
    session.plugins.loaded = ([patient], [])
    session.failed(a_failure("other"), patience=10)
    until(lambda: patient.requests)
    session.close(10)
    assert "reflex-search" not in [thread.name for thread in threading.enumerate()]
    assert "all" in trials.released


def test_closing_waits_for_those_as_well_that_others_have_followed(
    session: Session, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    joined: list[RepairWorker] = []
    monkeypatch.setattr(RepairWorker, "join", lambda worker, timeout: joined.append(worker))
    repair = session.failed(a_failure("other"), patience=10)
    until(lambda: model.requests)
    session.questions.ask(repair.id)
    until(lambda: len(model.requests) == 2)
    session.close(10)
    assert len(joined) == 2
    assert all(worker.progress.is_cancelled for worker in joined)


def test_a_fix_that_is_to_be_tried_waits_for_the_copy(
    session: Session, trials: Copies, replies: list[Callable[[], None]]
) -> None:
    session.settings = Settings(trial="on click")
    repair = session.failed(a_failure(), patience=10)
    session.trying.fix(repair.id, repair.fixes[0].id)
    assert trials.ran == []
    replies.pop()()
    until(lambda: trials.ran == ["total"])


# ------------------------------------------------------------------------------------------ who listens, and who waits


def test_whoever_listens_is_told_what_happened_in_order(session: Session) -> None:
    told: list[Event] = []
    session.repairs.listen(lambda event, opened: told.append(event))
    repair = session.failed(a_failure(), patience=10)
    session.repairs.open(repair.id).wait(timeout=10)
    session.decisions.accept(repair.id)
    session.starts(CELL, "total")
    session.ended(None)
    names = list(dict.fromkeys(event for event in told if event != "working"))
    assert names == ["opened", "found", "settled", "decided", "rerun"]


def test_who_waits_for_a_repair_goes_on_once_all_that_listen_were_told(
    session: Session, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = session.repairs.open(session.failed(a_failure("other"), patience=10).id)
    went_on: list[bool] = []
    waiting = threading.Thread(target=lambda: went_on.append(opened.wait(timeout=10)))

    tell = session.repairs.tell

    def slowly(event: Event, repair_id: str) -> None:
        if event == "settled":
            waiting.start()
            waiting.join(0.2)  # it has to wait; if it had not, it would be done by now
            went_on.append(False)
        tell(event, repair_id)

    monkeypatch.setattr(session.repairs, "tell", slowly)
    model.go.set()
    until(lambda: len(went_on) == 2)
    waiting.join()
    assert went_on == [False, True]


def test_what_can_be_asked_for_is_shown_anew_where_it_matters_and_not_remembered(
    session: Session, seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    decided, undone, undecided = (session.failed(a_failure(cell=CellRef(name)), patience=10) for name in "abc")
    for repair in (decided, undone):
        session.decisions.accept(repair.id)
    session.decisions.undo(undone.id)
    assert session.repairs.open(undecided.id).wait(timeout=10)
    seen.updates.clear()
    monkeypatch.setattr(session.recorder, "save", pytest.fail)
    session.repairs.offers_changed()
    assert [repair.id for repair, _ in seen.updates] == [undone.id, undecided.id]


def test_a_repair_recalled_before_the_first_failure_shows_what_can_be_asked_for_once_that_is_known(
    session: Session, seen: Seen
) -> None:
    recalled = Repair("a1", session.id, a_failure("other"))
    session.repairs.reopen(recalled)
    assert seen.updates == []
    repair = session.failed(a_failure(), patience=10)
    assert session.repairs.open(repair.id).wait(timeout=10)
    assert [shown.id for shown, _ in seen.updates if shown.id == recalled.id] == [recalled.id]


def test_a_repair_can_be_waited_for_until_a_condition_holds(session: Session, model: Model) -> None:
    repair = session.failed(a_failure("other"), patience=10)
    opened = session.repairs.open(repair.id)
    assert not opened.wait(timeout=0)
    assert opened.wait(lambda opened: opened.work == Work("asking", "tiny-1"), 10)
    model.go.set()
    assert opened.wait(lambda opened: bool(opened.repair.fixes), 10)
    assert opened.wait(timeout=10)


def test_what_a_listener_can_not_take_is_not_kept(session: Session) -> None:
    repair = session.failed(a_failure(), patience=10)
    worker = session.repairs.open(repair.id).worker
    assert worker is not None
    worker.join(10)  # it has told its last, so that the refusal meets no other thread

    def refuse(event: Event, opened: OpenRepair) -> None:
        raise OSError("no room")

    session.repairs.listen(refuse)
    with pytest.raises(OSError, match="no room"):
        session.repairs.change(repair.id, lambda repair: dataclasses.replace(repair, trouble="x"))
    assert session.repairs[repair.id].trouble == ""


class Installing(Rules):
    """Proposes a step that nothing can do yet."""

    def propose(self, failure: Failure, request: Request) -> Iterable[Fix]:
        return [Fix(new_id(), (Install("pyarrow --pre"), *a_fix(failure, "total").steps), "It is missing.", "rule")]


def test_a_fix_with_a_step_that_can_not_be_done_is_shown_not_tried_and_refused_in_words(
    session: Session, trials: Copies
) -> None:
    session.plugins.loaded = ([Installing()], [])
    repair = session.failed(a_failure(), patience=10)
    assert session.repairs.open(repair.id).wait(timeout=10)
    repair = session.repairs.find(repair.id)
    verdict = repair.verdict(repair.fixes[0])
    assert (verdict.outcome, trials.ran) == ("not_tried", [])
    assert "'pyarrow --pre' is more than that" in verdict.reason
    with pytest.raises(BadInput, match="install it yourself, then run the failed cell again"):
        session.decisions.accept(repair.id)
    assert session.repairs.find(repair.id).decision is None, "nothing is lost"
    session.starts(CELL, "toatl")
    assert session.repairs.find(repair.id).decision is not None
