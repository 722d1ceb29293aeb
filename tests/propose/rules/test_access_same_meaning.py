"""Columns that go by another word of the same meaning: one of a choice, never the answer."""

from __future__ import annotations

import pytest

from reflex_ipython.models import LIKELY
from reflex_ipython.propose.rules.same_meaning import same_meaning
from tests.propose.rules.build import candidates, no_column


def test_a_column_of_the_same_meaning_is_proposed_as_a_guess() -> None:
    failed = no_column('df.groupby("place").size()', "place", "species", "site", "weight")
    [(source, prior)] = candidates(failed)
    assert source == 'df.groupby("site").size()'
    assert prior < LIKELY


def test_a_word_of_another_meaning_is_not_proposed() -> None:
    assert candidates(no_column('df["altitude"]', "altitude", "species", "site", "weight")) == []


@pytest.mark.parametrize(
    ("ours", "theirs", "same"),
    [
        ({"place"}, {"site"}, True),
        ({"unit", "price"}, {"unit", "cost"}, True),
        ({"unit", "price"}, {"cost"}, False),
        ({"unit", "price"}, {"unit", "weight"}, False),
        (set(), set(), False),
    ],
)
def test_all_words_of_two_names_must_say_the_same(ours: set[str], theirs: set[str], same: bool) -> None:
    assert same_meaning(ours, theirs) is same
