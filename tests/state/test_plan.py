"""What is run again after an accept."""

from __future__ import annotations

import ast

from reflex_ipython.state.plan import Plan, plan


def planned(old: str, new: str, failed: int | None, effects: dict[int, list[str]] | None = None, **more: bool) -> Plan:
    started = len(ast.parse(old).body) if failed is None else failed + 1
    per_statement = [(effects or {}).get(place, []) for place in range(started)]
    return plan(ast.parse(old).body, ast.parse(new).body, failed, per_statement, **more)


def test_an_equal_beginning_is_not_run_again() -> None:
    found = planned("a = 1\nb = 2\nnope\nc", "a = 1  # why\n\nb = 2\nfixed\nc", 2)
    assert found == Plan(2, line=4, rollback=2)


def test_a_changed_beginning_is_run_again_from_the_change_on() -> None:
    assert planned("a = 1\nb = 2\nnope", "a = 1\nb = 3\nnope", 2) == Plan(1, line=2, rollback=1)
    assert planned("a = 1\nb = 2\nnope", "a = 2\nb = 2\nnope", 2) == Plan(rollback=0)


def test_what_came_after_the_failure_has_not_run_although_it_is_equal() -> None:
    assert planned("a = 1\nf()\nb = 2\nc", "a = 1\nf()\nb = 2\nc", 1) == Plan(1, line=2, rollback=1)


def test_a_failure_of_the_first_statement_runs_the_whole_cell_after_undoing() -> None:
    assert planned("nope", "fixed", 0) == Plan(rollback=0)


def test_a_last_expression_always_runs_since_its_value_is_displayed() -> None:
    assert planned("a = 1\na\nnope", "a = 1\na", 2) == Plan(1, line=2, rollback=1)
    assert planned("a\nnope", "a", 1) == Plan(rollback=0)


def test_a_last_statement_that_displays_nothing_does_not_run_again() -> None:
    assert planned("for i in a:\n    i()\nnope", "for i in a:\n    i()", 1) == Plan(1, line=3, rollback=1)


def test_decorators_count_as_the_beginning_of_their_statement() -> None:
    assert planned("a = 1\n@x\ndef f(): pass", "a = 1\n@y\ndef f(): pass", 1).line == 2


def test_an_unknown_statement_means_the_whole_cell() -> None:
    assert planned("a = 1; nope", "a = 1; fixed", None) == Plan(rollback=0)


def test_after_another_cell_nothing_is_put_back_and_the_whole_cell_runs() -> None:
    assert planned("a = 1\nnope", "a = 1\nfixed", 1, other_cell_ran=True) == Plan()
    found = planned("a()\nnope", "a()\nfixed", 1, {0: ["wrote a.csv"]}, other_cell_ran=True)
    assert found == Plan(repeats=("wrote a.csv",))


def test_what_would_happen_twice_is_asked_about_first_and_listed() -> None:
    effects = {0: ["wrote a.csv"], 1: ["wrote b.csv"], 2: ["wrote b.csv", "cursor (sqlite3.Cursor)", "wrote b.csv"]}
    found = planned("a()\nb()\nnope", "a()\nb()\nfixed", 2, effects)
    assert (found.start, found.rollback) == (2, 2)
    assert found.repeats == ("wrote b.csv", "cursor (sqlite3.Cursor)")


def test_what_lies_before_the_range_is_not_asked_about() -> None:
    assert planned("a()\nnope", "a()\nfixed", 1, {0: ["wrote a.csv"]}) == Plan(1, line=2, rollback=1)


def test_all_of_it_runs_on_demand_and_all_that_it_repeats_is_listed() -> None:
    found = planned("a()\nnope", "a()\nfixed", 1, {0: ["wrote a.csv"]}, whole=True)
    assert found == Plan(rollback=0, repeats=("wrote a.csv",))
