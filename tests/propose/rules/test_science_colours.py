"""Colours whose names are misspelt."""

from __future__ import annotations

import pytest

from tests.propose.rules.build import best, failure, offered

_NAMED = "ValueError: '{}' is not a valid value for color: supported inputs are (r, g, b) and 'red'"


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [("bleu", "blue"), ("darkgren", "darkgreen"), ("oragne", "orange"), ("lightgren", "lightgreen")],
)
def test_the_nearest_colour_is_likeliest(wrong: str, meant: str) -> None:
    cell = 'plt.plot(x, color="{}")'
    assert best(failure(cell.format(wrong), _NAMED.format(wrong))) == cell.format(meant)


def test_a_word_that_is_like_no_colour_is_left_alone() -> None:
    assert not offered(failure('plt.plot(x, color="banana")', _NAMED.format("banana")))
