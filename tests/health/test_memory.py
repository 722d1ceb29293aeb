"""A cell's peak of memory, and what it holds afterwards, are what they are without the extension."""

from __future__ import annotations

import sys

import pytest

from tests.health.conftest import Pair
from tests.health.kernels import Subject
from tests.health.rows import rows

pytestmark = [
    pytest.mark.alone,
    pytest.mark.skipif(sys.platform != "linux", reason="the peak of a process is read and reset through /proc"),
]
MB = 1_000_000
BIG = rows("memory")


@pytest.mark.parametrize("cells", BIG.values(), ids=BIG.keys())
def test_a_cell_of_big_objects_takes_no_more_memory_than_without_the_extension(
    pair: Pair, cells: tuple[str, ...]
) -> None:
    plain, loaded = ([taken(subject, *cells) for _ in range(3)] for subject in (pair.plain, pair.loaded))
    least_peak, least_after = (min(each[i] for each in plain) for i in (0, 1))
    assert min(peak for peak, _ in loaded) <= 1.05 * least_peak + 4 * MB
    # Python gives an arena of 1 MB back only when nothing lies in it: one small object that came by chance into it
    # keeps it. What a cell really leaves behind is there each time.
    assert min(after for _, after in loaded) <= least_after + 4 * MB


def taken(subject: Subject, prelude: str, setup: str, cell: str) -> tuple[int, int]:
    """Bytes that a cell takes at most above what the process holds before it, and bytes that are there after it."""
    subject.run(prelude)
    subject.run(setup)
    subject.run("pass")
    before = subject.forget_peak()
    assert subject.run(cell)[-1][1]["status"] == "ok"
    peak = subject.peak()
    subject.run("pass")
    after = subject.forget_peak()
    subject.forget_names()
    return peak - before, after - before
