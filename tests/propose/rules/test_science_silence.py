"""Rules for the scientific libraries where they have nothing to say."""

from __future__ import annotations

import time

import pytest

from reflex_ipython.propose.rules.science.rules import FIRST, RULES
from tests.propose.rules.build import failure


@pytest.mark.parametrize("error", ["ZeroDivisionError: division by zero", "ValueError: " + "x" * 3_000])
def test_the_rules_cost_little_where_they_have_nothing_to_say(error: str) -> None:
    found = failure("y = df['a'].mean() / x\n" * 30, error)
    took = []
    for _ in range(5):  # the quickest of them: a busy machine makes any of them slow
        start = time.process_time()
        for rule in (*FIRST, *RULES):
            assert not list(rule(found))
        took.append(time.process_time() - start)
    assert min(took) < 0.02
