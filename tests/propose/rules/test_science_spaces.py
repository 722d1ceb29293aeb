"""Rules about columns with spaces in their names that are asked for as attributes."""

from __future__ import annotations

from reflex_ipython.models import CellRef, ExceptionInfo, Failure, Situation
from tests.propose.rules.build import offered
from tests.propose.rules.scientific import table


def _broken(source: str) -> Failure:
    values = (table("df", "'Age Group': str; '1-5'", "'n': int64; 1"),)
    situation = Situation(CellRef("cell", 7), source, values=values)
    raised = ExceptionInfo("SyntaxError", "invalid syntax")
    return Failure("f", "2024-01-01T00:00:00+00:00", situation, exceptions=(raised,), stage="syntax")


def test_a_column_with_a_space_stands_in_brackets() -> None:
    found = offered(_broken("a = 1\nx = df.Age Group.unique()"))
    assert found['a = 1\nx = df["Age Group"].unique()'] > 0.9


def test_what_does_not_compile_then_is_not_proposed() -> None:
    assert not any('df["Age Group"]' in source for source in offered(_broken("x = df.Age Group.unique() )")))
