"""Functions with two parameters that are called with one pair."""

from __future__ import annotations

import pytest

from tests.propose.rules.running import answer, sources


@pytest.mark.parametrize(
    ("cell", "fixed"),
    [
        ("x = sorted(d.items(), key=lambda k, v: v)", "x = sorted(d.items(), key=lambda pair: pair[1])"),
        ("x = max(d.items(), key=lambda k, v: -v)[0]", "x = max(d.items(), key=lambda pair: -pair[1])[0]"),
        ("x = list(filter(lambda k, v: v > 1, d.items()))", "x = list(filter(lambda pair: pair[1] > 1, d.items()))"),
        ("x = sorted(d, key=lambda k, v: v)", "x = sorted(d, key=lambda k: d[k])"),
    ],
)
def test_the_parts_are_asked_of_the_pair(cell: str, fixed: str) -> None:
    assert answer(cell, "d = {'a': 2, 'b': 1}") == fixed


def test_a_function_that_is_no_key_is_left_alone() -> None:
    assert not [one for one in sources("f = lambda k, v: v\nx = f(1)") if "pair" in one]
