"""Cells to go to, where no fix has passed: only those that apply, with the numbers that the notebook shows."""

from __future__ import annotations

from typing import Any

from reflex_ipython.models import (
    CellRef,
    CellSource,
    Decision,
    Edit,
    Failure,
    Fix,
    Frame,
    Lookup,
    Repair,
    SyntaxProblem,
    Verdict,
)
from reflex_ipython.present.next_steps import next_steps
from reflex_ipython.present.offers import Offers
from reflex_ipython.present.panel import panel_state
from tests.propose.rules.build import CELL, broken, failure

SETTER = CellSource(CellRef("two", 2), "x = 1 / 0", "ZeroDivisionError: division by zero", 3)


def undefined(**fields: Any) -> Failure:
    return failure("y = 1\nx", "NameError: x", lookup=Lookup("name", "x", setters=(SETTER,)), line=2, **fields)


def shown(failed: Failure, **fields: Any) -> list[tuple[str, str | None, int | None, bool]]:
    repair = Repair("r", "s", failed, **fields)
    return [(step.label, step.cell.id, step.line, step.edit) for step in next_steps(repair)]


def test_the_cell_that_should_have_set_the_name_comes_first() -> None:
    assert shown(undefined()) == [("Go to In [2]", "two", 3, False), ("Edit this cell", "cell", 2, True)]


def test_the_cell_whose_function_failed_is_one_to_go_to() -> None:
    failed = failure("f()", "ZeroDivisionError: division by zero", cell=CellRef("def", 5), line=4)
    assert shown(failed)[0] == ("Go to In [5]", "def", 4, False)


def test_a_cell_that_does_not_compile_is_edited_where_it_breaks() -> None:
    failed = Failure(**{**vars(broken("a = (\nb = 2")), "syntax": SyntaxProblem("'(' was never closed", 1, 5)})
    assert shown(failed) == [("Edit this cell", "cell", 1, True)]


def test_a_cell_without_an_id_can_not_be_gone_to() -> None:
    lookup = Lookup("name", "x", setters=(CellSource(CellRef(None, 2), "x = 1 / 0"),))
    assert [step[0] for step in shown(failure("x", "NameError: x", lookup=lookup))] == ["Edit this cell"]


def test_there_are_none_once_a_fix_has_passed_or_it_is_decided() -> None:
    fix = Fix("f", (Edit(CELL, "x", "1"),), "", "rule")
    assert shown(undefined(), fixes=(fix,), verdicts={"f": Verdict("other_error", "raises")}) != []
    assert shown(undefined(), fixes=(fix,), verdicts={"f": Verdict("passed")}) == []
    assert shown(undefined(), decision=Decision("rejected", "2024-01-01T00:00:00+00:00")) == []


def test_names_and_steps_wait_until_the_work_is_done() -> None:
    repair = Repair("r", "s", undefined())
    assert panel_state(repair, offers=Offers(names=("xs",))).names == ("xs",)
    working = panel_state(repair, working="searching", offers=Offers(names=("xs",)))
    assert (working.names, working.steps) == ((), ())


def test_a_model_can_be_chosen_where_nothing_is_decided_and_nobody_can_be_asked() -> None:
    nobody, somebody = Offers(chooses_model=True), Offers(model="tiny")
    fix = Fix("f", (Edit(CELL, "x", "1"),), "", "rule")
    undecided = Repair("r", "s", undefined())
    passed = Repair("r", "s", undefined(), fixes=(fix,), verdicts={"f": Verdict("passed")})
    rejected = Repair("r", "s", undefined(), decision=Decision("rejected", "2024-01-01T00:00:00+00:00"))
    assert panel_state(undecided, offers=nobody).chooses_model
    assert not panel_state(undecided, offers=somebody).chooses_model
    assert not panel_state(undecided, offers=Offers()).chooses_model, "the providers are not loaded yet"
    assert not panel_state(undecided, working="searching", offers=nobody).chooses_model
    assert panel_state(passed, offers=nobody).chooses_model
    assert not panel_state(rejected, offers=nobody).chooses_model


def test_frames_of_libraries_are_no_cells() -> None:
    failed = failure("f()", line=1)
    inner = Frame("/lib/x.py", "g", 70)
    raised = failed.exceptions[0]
    exceptions = (type(raised)(raised.ename, raised.evalue, frames=(*raised.frames, inner)),)
    assert shown(Failure(**{**vars(failed), "exceptions": exceptions})) == [("Edit this cell", "cell", 1, True)]
