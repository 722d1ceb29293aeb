"""A fix as the user has changed it is tried as every fix is: of each repair one text at a time, the newest."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from reflex_ipython.errors import BadInput
from reflex_ipython.models import Fix, Repair, RunOption, Trial, Verdict
from reflex_ipython.repairs.session import Session
from reflex_ipython.settings import Settings
from reflex_ipython.stages import Withdrawal
from tests.repairs.fakes import Copies, Ways, a_failure, until


@pytest.fixture
def repair(session: Session) -> Repair:
    opened = session.failed(a_failure(), patience=10)
    session.repairs.open(opened.id).wait(timeout=10)
    return session.repairs.find(opened.id)


class Told:
    """Is told what came of texts."""

    def __init__(self) -> None:
        self.verdicts: list[tuple[str, Verdict]] = []

    def __call__(self, fix: Fix, verdict: Verdict) -> None:
        self.verdicts.append((fix.edits[-1].source, verdict))


def test_a_text_of_the_users_own_gets_a_verdict_and_the_proposal_keeps_its_own(
    session: Session, repair: Repair, trials: Copies, consequences: Ways
) -> None:
    trials.outcomes["total / 0"] = Trial("other_error", "", ename="ZeroDivisionError", evalue="division by zero")
    consequences.now = (RunOption(line=4),)
    told = Told()
    assert session.trying.text(repair.id, repair.fixes[0].id, ["total / 0"], told)
    until(lambda: told.verdicts)
    [(source, verdict)] = told.verdicts
    assert source == "total / 0"
    assert verdict.reason == "raises ZeroDivisionError instead"
    assert verdict.run_options == (RunOption(line=4),)
    assert [finding.code for finding in verdict.findings] == ["loud"]
    assert session.repairs.find(repair.id).verdict(repair.fixes[0]).outcome == "passed"


def test_where_the_copy_has_ended_a_new_one_is_made_for_a_text_and_for_a_fix(
    session: Session, repair: Repair, trials: Copies
) -> None:
    told, fix = Told(), repair.fixes[0].id
    trials.gone, trials.frozen = {repair.id}, []
    assert session.trying.text(repair.id, fix, ["total + 1"], told)
    until(lambda: told.verdicts)
    assert (trials.frozen, told.verdicts[0][1].outcome) == ([repair.id], "passed")
    trials.gone.add(repair.id)
    session.trying.fix(repair.id, fix)
    session.repairs.open(repair.id).wait(timeout=10)
    assert trials.frozen == [repair.id, repair.id]
    assert session.repairs.find(repair.id).verdict(repair.fixes[0]).outcome == "passed"


def test_a_newer_text_ends_the_trial_of_the_older_of_which_nothing_is_said(
    session: Session, repair: Repair, trials: Copies
) -> None:
    told = Told()
    fix = repair.fixes[0].id
    session.trying.text(repair.id, fix, ["endless"], told)
    until(lambda: "endless" in trials.ran)
    session.trying.text(repair.id, fix, ["total + 1"], told)
    until(lambda: told.verdicts)
    session.close()
    assert [source for source, _ in told.verdicts] == ["total + 1"]


@pytest.mark.parametrize("decide", ["accept", "reject"])
def test_a_decision_ends_it(session: Session, repair: Repair, trials: Copies, decide: str) -> None:
    told = Told()
    session.trying.text(repair.id, repair.fixes[0].id, ["endless"], told)
    until(lambda: "endless" in trials.ran)
    getattr(session.decisions, decide)(repair.id)
    session.close()
    assert told.verdicts == []
    assert not session.trying.text(repair.id, repair.fixes[0].id, ["total + 1"], told)


@pytest.mark.parametrize("trial", ["off", "on click"])
def test_where_fixes_are_not_tried_by_themselves_no_text_is(
    session: Session, repair: Repair, trials: Copies, trial: str
) -> None:
    session.settings = Settings(trial=trial)
    assert not session.trying.text(repair.id, repair.fixes[0].id, ["total + 1"], Told())
    assert trials.ran == ["total"]


def test_texts_for_other_cells_than_the_fix_has_are_refused(session: Session, repair: Repair) -> None:
    with pytest.raises(BadInput, match="not the cells of this fix"):
        session.trying.text(repair.id, repair.fixes[0].id, ["one", "two"], Told())


def test_a_checker_that_fails_is_said_and_not_waited_for_without_end(session: Session, repair: Repair) -> None:
    class Broken:
        name = "broken"

        def check(self, *given: object) -> Iterable[object]:
            raise RuntimeError("boom")

    session.plugins.loaded = ([], [Broken()])  # type: ignore[list-item]
    told = Told()
    session.trying.text(repair.id, repair.fixes[0].id, ["total + 1"], told)
    until(lambda: told.verdicts)
    assert told.verdicts[0][1].outcome == "inconclusive"
    assert "boom" in told.verdicts[0][1].reason


def test_what_is_withdrawn_before_it_begins_does_not_begin() -> None:
    withdrawal, done = Withdrawal(), list[str]()
    withdrawal.withdraw()
    assert not withdrawal.begin(lambda: done.append("begun"), lambda: done.append("ended"))
    assert done == []


def test_what_is_over_is_not_ended_once_more() -> None:
    withdrawal, done = Withdrawal(), list[str]()
    assert withdrawal.begin(lambda: done.append("begun"), lambda: done.append("ended"))
    withdrawal.done()
    withdrawal.withdraw()
    assert done == ["begun"]
