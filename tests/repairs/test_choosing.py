"""A name that the user picks becomes a fix like any other: judged, tried on the copy, shown with its verdict."""

from __future__ import annotations

import dataclasses

import pytest

from reflex_ipython.errors import BadInput
from reflex_ipython.models import Failure, Lookup, Repair, Trial
from reflex_ipython.repairs.choosing import offered
from reflex_ipython.repairs.progress import LOOKING, SEARCHING
from reflex_ipython.repairs.session import Session
from reflex_ipython.repairs.trying import NOT_OFFERED
from reflex_ipython.settings import Settings
from reflex_ipython.stages import Work
from tests.repairs.fakes import Copies, Seen, a_failure


def without_a_fix(source: str = "df['area']") -> Failure:
    """No rule knows it; the table has other columns."""
    lookup = Lookup("column", "area", "df", "pandas.DataFrame", ("region", "sales"))
    return dataclasses.replace(a_failure(source), lookup=lookup)


@pytest.fixture(autouse=True)
def on_request(session: Session) -> None:
    session.settings = Settings(ask_model="on request")


def opened(session: Session) -> Repair:
    repair = session.failed(without_a_fix(), patience=10)
    session.repairs.open(repair.id).wait(timeout=10)
    return session.repairs.find(repair.id)


def names(session: Session, repair: Repair) -> list[str]:
    return sorted(match.name for match in offered(session.repairs.open(repair.id)))


def test_a_chosen_name_is_tried_on_the_copy_and_shown_with_its_verdict(session: Session, trials: Copies) -> None:
    repair = opened(session)
    assert names(session, repair) == ["region", "sales"]
    assert repair.id in trials.frozen  # though nothing was proposed
    session.trying.name(repair.id, "region")
    session.repairs.open(repair.id).wait(timeout=10)
    repair = session.repairs.find(repair.id)
    [fix] = repair.fixes
    assert (fix.origin, fix.edits[0].source) == ("you: chosen name", "df['region']")
    assert trials.ran == ["df['region']"]
    assert repair.verdict(fix).outcome == "passed"
    assert repair.decision is None
    assert names(session, repair) == []


def test_where_the_first_name_fails_the_others_are_still_offered(session: Session, trials: Copies) -> None:
    repair = opened(session)
    trials.outcomes["df['region']"] = Trial("other_error", "raises KeyError")
    session.trying.name(repair.id, "region")
    session.repairs.open(repair.id).wait(timeout=10)
    assert names(session, repair) == ["sales"]
    session.trying.name(repair.id, "sales")
    session.repairs.open(repair.id).wait(timeout=10)
    repair = session.repairs.find(repair.id)
    assert [fix.edits[0].source for fix in repair.fixes] == ["df['sales']", "df['region']"]


@pytest.mark.parametrize("name", ["", "nonsense", "region'] or evil()['", "area"])
def test_a_name_that_is_not_offered_changes_nothing(session: Session, seen: Seen, trials: Copies, name: str) -> None:
    repair = opened(session)
    with pytest.raises(BadInput, match=NOT_OFFERED[:20]):
        session.trying.name(repair.id, name)
    assert session.repairs.find(repair.id) == repair
    assert not trials.ran


def test_nothing_is_offered_once_it_is_decided_nor_chosen_then(session: Session) -> None:
    repair = opened(session)
    session.trying.name(repair.id, "region")
    session.repairs.open(repair.id).wait(timeout=10)
    session.decisions.reject(repair.id)
    with pytest.raises(BadInput):
        session.trying.name(repair.id, "sales")


def test_where_fixes_are_not_tried_a_chosen_name_is_only_shown(session: Session, trials: Copies) -> None:
    session.settings = Settings(ask_model="on request", trial="off")
    repair = opened(session)
    session.trying.name(repair.id, "region")
    [fix] = session.repairs.find(repair.id).fixes
    assert session.repairs.find(repair.id).verdict(fix).outcome == "not_tried"
    assert not trials.ran


def test_nothing_is_offered_while_fixes_are_looked_for(session: Session) -> None:
    repair = opened(session)
    worker = session.repairs.open(repair.id).worker
    assert worker is not None
    for work, there in ((LOOKING, []), (SEARCHING, []), (Work("asking", "m"), ["region", "sales"])):
        worker.progress.work = work
        assert names(session, repair) == there
