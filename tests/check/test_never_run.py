"""Statements that have never run, and runs that have come to them."""

from __future__ import annotations

import pytest

from reflex_ipython.check.never_run import is_past
from reflex_ipython.check.verdict import verdict
from reflex_ipython.models import Outcome, Trial
from tests.check.build import failure

CELL = "rows = load()\nmodel = Modle(rows)\nmodel.fit()\nprint(model)"


@pytest.mark.parametrize(
    ("source", "line", "past"),
    [
        (CELL, 2, True),
        ("%matplotlib inline\nx = toatl\nfit(x)", 2, True),
        ("for row in rows:\n    toatl\n    fit(row)", 2, False),
        ("def f():\n    toatl\nf()\nfit()", 2, False),
        ("class A:\n    x = toatl\nfit()", 1, True),
        ("@toatl\ndef f():\n    pass\nfit()", 1, True),
        ("x = 1\n@toatl\ndef f():\n    pass", 2, False),
        ("x = toatl\nfit()", None, False),
    ],
)
def test_what_stands_behind_the_failed_statement_has_never_run(source: str, line: int | None, past: bool) -> None:
    assert is_past(failure(source, "NameError", line), source, source.count("\n") + 1) is past


@pytest.mark.parametrize(
    ("source", "line", "past"),
    [
        (CELL.replace("Modle", "Model"), 3, True),
        (CELL.replace("Modle", "Model"), 4, True),
        (CELL.replace("Modle", "Model"), 2, False),
        ("from models import Model\n" + CELL.replace("Modle", "Model"), 3, False),
        ("from models import Model\n" + CELL.replace("Modle", "Model"), 4, True),
        (CELL.replace("Modle", "Model").replace("fit()", "fit(3)"), 3, False),
        (CELL.replace("Modle", "Model"), None, False),
        (CELL.replace("Modle", "Model").replace("\nmodel.fit", "; model.fit"), 2, False),
        ("x = (", 3, False),
    ],
)
def test_a_run_that_has_come_there_is_past_the_error(source: str, line: int | None, past: bool) -> None:
    assert is_past(failure(CELL, "NameError", 2), source, line) is past


def test_what_is_found_as_its_statement_is_compiled_has_let_those_before_it_run() -> None:
    cause = failure("save()\nreturn 5\nfit()", "SyntaxError", 2, stage="syntax")
    assert not is_past(cause, "import os\nsave()\nreturn 6\nfit()", 2)
    assert is_past(cause, "import os\nsave()\nfit()", 3)


def test_a_run_of_a_decorator_behind_the_failed_statement_is_past_the_error() -> None:
    cause = failure("x = toatl\n@cached('a')\ndef f():\n    pass", "NameError", 1)
    assert is_past(cause, "x = total\n@cached('a')\ndef f():\n    pass", 2)


@pytest.mark.parametrize(("line", "past"), [(1, True), (None, False)])
def test_where_nothing_did_parse_whatever_runs_is_past_that(line: int | None, past: bool) -> None:
    assert is_past(failure("x = (", "SyntaxError", stage="syntax"), "x = ()", line) is past


def test_a_tree_that_is_too_deep_to_be_compared_raises_nothing() -> None:
    deep = "x = toatl\ny = " + " + ".join(["x"] * 1_200)
    assert is_past(failure(deep, "NameError", 1), deep.replace("toatl", "total"), 2) in (True, False)


@pytest.mark.parametrize("outcome", ["timed_out", "inconclusive"])
def test_of_a_trial_that_was_stopped_there_that_is_known(outcome: Outcome) -> None:
    cause, source = failure(CELL, "NameError", 2), CELL.replace("Modle", "Model")
    stopped = Trial(outcome, "timed out after 10 s on line 3", lineno=3)
    found = verdict(cause, (), stopped, source)
    assert (found.outcome, found.reason, found.is_past) == ("inconclusive", "timed out after 10 s on line 3", True)
    at_once = Trial(outcome, "timed out after 10 s on line 2", lineno=2)
    assert (found := verdict(cause, (), at_once, source)).outcome == outcome
    assert not found.is_past
    blocked = verdict(cause, (), Trial("blocked", "wants to write to a.txt", lineno=4), source)
    assert (blocked.outcome, blocked.reason, blocked.is_past) == ("blocked", "wants to write to a.txt", True)
    raised = Trial("other_error", "", "ValueError", "no", lineno=3)
    assert verdict(cause, (), raised, source).outcome == "other_error"
