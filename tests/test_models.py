"""The words of the project: what a fix's steps come to, what is refused and how, and the way through JSON."""

from __future__ import annotations

import json

import pytest

from reflex_ipython.errors import BadInput, StepRefused
from reflex_ipython.models import (
    CellChanges,
    CellRef,
    CellSource,
    Decision,
    DefinitionRef,
    Edit,
    ExceptionInfo,
    Failure,
    FileRef,
    Fix,
    Install,
    Repair,
    RunCell,
    Situation,
    Step,
    Target,
    ValueSummary,
    Wish,
    applied_changes,
    cell_changes,
    from_json,
    to_json,
    why_not,
)

EARLIER, FAILING = CellRef("cell-1", 1), CellRef("cell-7", 7)
HERE = Situation(FAILING, "f()", earlier=(CellSource(EARLIER, "def f(): 1 / 0"),))
OWN = Edit(FAILING, "f()", "g()")
OTHER = Edit(EARLIER, "def f(): 1 / 0", "def f(): pass")


def fix(*steps: Step) -> Fix:
    return Fix("x1", steps, "", "rule")


def test_the_failing_cells_edit_is_found_wherever_it_stands() -> None:
    expected = CellChanges((OTHER,), OWN)
    assert cell_changes(fix(OTHER, OWN), HERE) == expected
    assert cell_changes(fix(OWN, OTHER), HERE) == expected
    assert expected.edits == (OTHER, OWN)


def test_a_failing_cell_that_no_step_rewrites_runs_as_it_is() -> None:
    assert cell_changes(fix(OTHER), HERE) == CellChanges((OTHER,), Edit(FAILING, "f()", "f()"))


def test_backwards_gives_every_cell_its_old_text() -> None:
    changes = cell_changes(fix(OTHER, OWN), HERE)
    assert [(edit.expected, edit.source) for edit in changes.backwards.edits] == [
        (edit.source, edit.expected) for edit in changes.edits
    ]
    assert changes.backwards.backwards == changes


def test_what_was_decided_for_counts_and_not_what_was_proposed() -> None:
    mine = Edit(FAILING, "f()", "h()")
    failure = Failure("f1", "", HERE, "run", (ExceptionInfo("NameError", ""),))
    repair = Repair("r1", "s1", failure, (fix(OWN),), decision=Decision("accepted", "", "x1", (mine,)))
    assert applied_changes(repair).failing == mine


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (Install("pyarrow --pre"), "'pyarrow --pre' is more than that"),
        (
            Edit(FileRef("/home/ann/model.py"), "a", "b"),
            "only rewrites files that the error came through, and model.py",
        ),
        (Edit(DefinitionRef("model", "Model.fit"), "a", "b"), "rewrite `Model.fit` in memory yet"),
    ],
    ids=["install", "file", "definition"],
)
def test_a_step_that_nothing_can_do_yet_is_refused_with_what_to_do_instead(step: Step, words: str) -> None:
    assert words in why_not(fix(step, OWN), HERE)
    with pytest.raises(StepRefused) as refusal:
        cell_changes(fix(step, OWN), HERE)
    assert words in str(refusal.value)
    assert isinstance(refusal.value, BadInput), "so that every command says it in words"


def test_what_is_installed_comes_before_the_edits_and_stays_when_they_are_undone() -> None:
    changes = cell_changes(fix(OWN, Install("pyarrow>=15")), HERE)
    assert changes.steps == (Install("pyarrow>=15"), OWN)
    assert changes.backwards.installs == ()


def test_cells_that_run_first_run_in_their_order_and_are_no_edits() -> None:
    first = (RunCell(EARLIER, "import numpy as np"), RunCell(CellRef("new"), "x = 1\n", 3, "was not run"))
    changes = cell_changes(fix(*first), HERE)
    assert (changes.first, changes.edits) == (first, (Edit(FAILING, "f()", "f()"),))
    assert changes.steps == (*first, *changes.edits)
    assert changes.in_one == "import numpy as np\n\nx = 1\n\nf()"
    assert changes.backwards.first == ()
    assert [step.name for step in first] == ["In [1]", "cell 3"]


def test_a_cell_with_a_magic_of_its_own_does_not_fit_into_one_with_others() -> None:
    assert not cell_changes(fix(RunCell(CellRef("new"), "%%time\nx = 1")), HERE).fits_in_one
    assert cell_changes(fix(OWN), HERE).fits_in_one


def test_the_failing_cell_is_not_run_beforehand() -> None:
    assert "runs the failed cell beforehand" in why_not(fix(RunCell(FAILING, "f()")), HERE)


def test_a_cell_that_is_rewritten_runs_first_with_its_new_text_and_no_other() -> None:
    assert "another text" in why_not(fix(RunCell(OTHER.cell, OTHER.expected), OTHER), HERE)
    changes = cell_changes(fix(RunCell(OTHER.cell, OTHER.source), OTHER), HERE)
    assert (changes.run_anew, changes.swapped) == ((OTHER,), ())
    assert changes.expected_of(changes.first[0]) == OTHER.expected
    edited = changes.with_sources(["mine", "f()"])
    assert [step.source for step in (*edited.first, *edited.edits)] == ["mine", "mine", "f()"]
    assert changes.backwards.first == ()


def test_more_cells_than_a_person_reads_are_not_run() -> None:
    steps = [RunCell(CellRef(f"c{number}"), "1") for number in range(21)]
    assert "more than 20 cells" in why_not(fix(*steps), HERE)
    assert why_not(fix(*steps[:20]), HERE) == ""


def test_a_cell_can_not_be_rewritten_twice() -> None:
    assert "twice" in why_not(fix(OWN, Edit(FAILING, "g()", "h()")), HERE)


@pytest.mark.parametrize("place", [FileRef("/m.py"), DefinitionRef("m", "f")])
def test_code_that_is_no_cell_can_not_be_run_by_a_fix_of_cells(place: Target) -> None:
    situation = Situation(place, "def f(): 1 / 0")
    assert "yet" in why_not(fix(OTHER), situation)
    assert situation.cell == CellRef(), "it is no cell, and equals none that is known"


@pytest.mark.parametrize("place", [FAILING, CellRef(), FileRef("/m.py"), DefinitionRef("m", "f")])
@pytest.mark.parametrize("kind", [Failure, Wish])
def test_a_repair_of_anything_goes_through_json_and_back(place: Target, kind: type) -> None:
    situation = Situation(place, "x", ("a",), {"np": "numpy"}, (ValueSummary("a", "int", "1"),), HERE.earlier)
    failure = Failure("f1", "2026", situation, "run", (ExceptionInfo("NameError", "x"),))
    cause = failure if kind is Failure else Wish("w1", "2026", situation, "plot it")
    steps = (Edit(place, "x", "y"), RunCell(EARLIER, "z"), Install("numpy"))
    repair = Repair("r1", "s1", cause, (fix(*steps),), decision=Decision("accepted", "2026", "x1", steps))
    assert from_json(Repair, json.loads(json.dumps(to_json(repair)))) == repair
    assert (repair.failure is None) == (kind is Wish)
