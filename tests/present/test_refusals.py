"""What is said where a function refuses a value: with the values of the message, not only of the class."""

from __future__ import annotations

import pytest

from reflex_ipython.present.reasons import reason
from reflex_ipython.present.reasons.classes import CLASSES
from tests.present.test_reasons import failure


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("TypeError: <lambda>() missing 1 required positional argument: 'v'", "'v'"),
        ("ValueError: Invalid frequency: month. Failed to parse with error message: KeyError('month')", "`month`"),
        ("ValueError: Invalid frequency: H. Failed to parse with error message. Did you mean h?", "`h` now"),
        ("ValueError: keep must be either \"first\", \"last\" or False", "`keep`"),
        ("ValueError: could not broadcast input array from shape (3,) into shape (4,)", "(4,)"),
        ("ValueError: Number of labels=50 does not match number of samples=60", "60 samples and 50"),
        ("ValueError: Invalid color bleu", "`bleu`"),
        ("ValueError: 'c' is not in list", "'c'"),
        ("ValueError: time data \"17.04.2024\" doesn't match format \"%m.%d.%Y\"", "17.04.2024"),
        ("TypeError: missing a required argument: 'y_pred'", "`y_pred`"),
        ("ValueError: Cannot have number of splits n_splits=10 greater than the number of samples: n_samples=6.", "10"),
    ],
)  # fmt: skip
def test_the_refused_value_is_named(error: str, said: str) -> None:
    found = reason(failure(error))
    assert said in found.text
    assert not found.text.startswith(CLASSES[error.partition(":")[0]][:30])


def test_a_message_that_nobody_knows_is_explained_by_its_class() -> None:
    assert reason(failure("ValueError: frobnication of the knob")).text.startswith("The type is right")
