"""Frequencies that are written as words."""

from __future__ import annotations

import pytest

from tests.propose.rules.build import failure, offered


@pytest.mark.parametrize(
    ("wrong", "codes"),
    [("day", ["D"]), ("2weeks", ["2W"]), ("month", ["MS", "ME"]), ("years", ["YS", "YE"]), ("hourly", ["h"])],
)
def test_a_word_becomes_its_code_and_a_period_its_start_or_end(wrong: str, codes: list[str]) -> None:
    cell = 's.resample("{}").sum()'
    found = offered(failure(cell.format(wrong), f"ValueError: Invalid frequency: {wrong}. Failed to parse"))
    assert list(found) == [cell.format(code) for code in codes]


def test_a_word_that_is_no_period_is_left_alone() -> None:
    assert not offered(failure('s.resample("banana").sum()', "ValueError: Invalid frequency: banana"))
