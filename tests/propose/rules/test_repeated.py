"""The same slip more than once in a cell."""

from __future__ import annotations

import pytest

from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.repeated import everywhere
from tests.propose.rules.running import answer


@pytest.mark.parametrize(
    ("setup", "cell", "expected"),
    [
        (
            'prices = {"tea": 2.5, "milk": 1.0}',
            'bill = prices("tea") + prices("milk")\nbill',
            'bill = prices["tea"] + prices["milk"]\nbill',
        ),
        (
            "d = {}",
            "def total(d):\n    return d(1) + sum([d(2), d(3)])\ntotal({1: 1, 2: 2, 3: 3})",
            "def total(d):\n    return d[1] + sum([d[2], d[3]])\ntotal({1: 1, 2: 2, 3: 3})",
        ),
        ('s = "3"\nt = [1, 2]', "a = t(0)\nb = t(1)\na + b", "a = t[0]\nb = t[1]\na + b"),
    ],
)
def test_what_is_written_alike_is_mended_everywhere(setup: str, cell: str, expected: str) -> None:
    assert answer(cell, setup) == expected


def test_nothing_else_is_touched_that_looks_like_it() -> None:
    source = 'a = d("x")\nb = e("y")\nc = "d(\'z\')"'
    assert everywhere(source, Proposal(source.replace('d("x")', 'd["x"]', 1), "", "", 0.9)) is None


def test_another_text_in_the_place_of_one_is_not_put_everywhere() -> None:
    source = 'a = d["x"]\nb = d["y"]'
    assert everywhere(source, Proposal(source.replace('"x"', '"z"'), "", "", 0.9)) is None


def test_the_rest_of_the_cell_stays_as_it_is() -> None:
    source = 'a = f( "x" )  # one\n\nb = f( "yy" )  # two\n'
    found = everywhere(source, Proposal(source.replace('f( "x" )', 'g( "x" )[0]'), "Why.", "rule", 0.9))
    assert found is not None
    assert found.source == 'a = g( "x" )[0]  # one\n\nb = g( "yy" )[0]  # two\n'
    assert found.explanation == "Why. The cell has 2 places like this."
