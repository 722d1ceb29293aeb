"""Names of types behind their articles."""

from __future__ import annotations

import pytest

from reflex_ipython.base.article import a


@pytest.mark.parametrize(
    "told",
    [
        "a list", "a str", "a dict", "an int", "an object", "an array", "an ndarray", "an numpy.ndarray",
        "a DataFrame", "an Index", "a pandas.Series", "an `int`", "a `set`", "a OneHotEncoder", "a uint8", "a URL",
        "an HTTPResponse", "an SVC", "a PCA", "a NoneType", "a UserString", "a unit", "a ",
    ],
)  # fmt: skip
def test_it_is_the_one_that_people_say(told: str) -> None:
    article, _, word = told.partition(" ")
    assert a(word) == f"{article} {word}"


def test_a_sentence_may_begin_with_it() -> None:
    assert a("`IsolationForest`", capital=True) == "An `IsolationForest`"
