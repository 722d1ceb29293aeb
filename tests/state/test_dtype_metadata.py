"""What is in the metadata of an array's dtype is noted with the array."""

from __future__ import annotations

import pytest

numpy = pytest.importorskip("numpy")

from tests.state.halves.half import Half, check, halves  # noqa: E402

MARKED = "import numpy as np\nmarked = np.dtype('i4', metadata={'log': []})"
CHANGE, SHOWS = "a.dtype.metadata['log'].append(1)", "a.dtype.metadata['log']"


@halves(
    Half("an array", f"{MARKED}\na = np.zeros(2, marked); del marked", CHANGE, SHOWS),
    Half("a window", f"{MARKED}\na = np.zeros(2, marked)[1:]; del marked", CHANGE, SHOWS),
    Half(
        "one that is read-only",
        f"{MARKED}\na = np.zeros(2, marked); a.setflags(write=False); del marked",
        CHANGE,
        SHOWS,
    ),
    Half(
        "a field",
        f"{MARKED}\na = np.zeros(2, [('x', marked)]); del marked",
        "a.dtype['x'].metadata['log'].append(1)",
        "a.dtype['x'].metadata['log']",
    ),
)
def test_what_was_done_to_the_metadata_is_undone(half: Half) -> None:
    check(half)
