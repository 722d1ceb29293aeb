"""What is run again after an accept."""

from __future__ import annotations

import ast

import pytest

from reflex_ipython.state.plan import Plan, plan


def planned(old: str, new: str, failed: int | None, effects: dict[int, list[str]] | None = None, **more: bool) -> Plan:
    started = len(ast.parse(old).body) if failed is None else failed + 1
    per_statement = [(effects or {}).get(place, []) for place in range(started)]
    return plan(ast.parse(old).body, ast.parse(new).body, failed, per_statement, **more)


def test_an_equal_beginning_is_not_run_again() -> None:
    found = planned("a = 1\nb = 2\nnope\nc", "a = 1  # why\n\nb = 2\nfixed\nc", 2)
    assert found == Plan("resume", 2, 2, words="resumes at line 4")


def test_a_changed_beginning_is_run_again_from_the_change_on() -> None:
    assert planned("a = 1\nb = 2\nnope", "a = 1\nb = 3\nnope", 2) == Plan("resume", 1, 1, words="resumes at line 2")
    assert planned("a = 1\nb = 2\nnope", "a = 2\nb = 2\nnope", 2).action == "whole"


def test_a_failure_of_the_first_statement_runs_the_whole_cell_after_undoing() -> None:
    assert planned("nope", "fixed", 0) == Plan("whole", 0, 0, words="runs the whole cell")


def test_the_last_statement_always_runs_since_its_value_is_displayed() -> None:
    assert planned("a = 1\na\nnope", "a = 1\na", 2) == Plan("resume", 1, 1, words="resumes at line 2")
    assert planned("a\nnope", "a", 1).action == "whole"


def test_decorators_count_as_the_beginning_of_their_statement() -> None:
    assert planned("a = 1\n@x\ndef f(): pass", "a = 1\n@y\ndef f(): pass", 1).words == "resumes at line 2"


def test_an_unknown_statement_means_the_whole_cell() -> None:
    found = planned("a = 1; nope", "a = 1; fixed", None)
    assert (found.action, found.rollback) == ("whole", 0)


def test_after_another_cell_nothing_is_put_back_and_the_whole_cell_runs() -> None:
    found = planned("a = 1\nnope", "a = 1\nfixed", 1, other_cell_ran=True)
    assert (found.action, found.rollback, found.start) == ("whole", None, 0)


def test_what_would_happen_twice_is_asked_about_first_and_listed() -> None:
    effects = {0: ["wrote a.csv"], 1: ["wrote b.csv"], 2: ["wrote b.csv", "cursor (sqlite3.Cursor)"]}
    found = planned("a()\nb()\nnope", "a()\nb()\nfixed", 2, effects)
    assert (found.action, found.start, found.rollback) == ("ask", 2, 2)
    assert found.repeats == ("wrote b.csv", "cursor (sqlite3.Cursor)")
    assert found.words == "resumes at line 3; repeats: wrote b.csv, cursor (sqlite3.Cursor)"


def test_what_lies_before_the_range_is_not_asked_about() -> None:
    assert planned("a()\nnope", "a()\nfixed", 1, {0: ["wrote a.csv"]}).action == "resume"


@pytest.mark.parametrize("more", [{}, {"other_cell_ran": True}])
def test_not_running_needs_no_question(more: dict[str, bool]) -> None:
    found = planned("nope", "fixed", 0, {0: ["wrote a.csv"]}, run=False, **more)
    assert found == Plan("rewrite only", words="the cell is rewritten, not run")
