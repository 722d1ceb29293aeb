"""Cells that succeed, as their libraries' own documentation has them: with the extension they do what they do without.

`make test-health` runs all of them, `make test` an even sample.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.health.corpus import Comparison, compare, succeeding
from tests.health.docstrings import notebooks, sample
from tests.health.kernels import Subject

LIBRARIES = ("pandas", "numpy", "sklearn")
SAMPLED = 450
"""Examples that are run by `make test`. Each is run alone, and in one cell with its neighbours."""


@pytest.fixture(scope="module")
def comparison(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Comparison]:
    """What came of running them without and with the extension."""
    found = notebooks(*LIBRARIES)
    if not os.environ.get("HEALTH_WHOLE"):
        found = sample(found, SAMPLED)
    folder = tmp_path_factory.mktemp("docstrings")
    subjects = [Subject(folder / "first", loaded=False)]
    try:
        cells = succeeding(subjects[0], found)
        subjects += [Subject(folder / name, loaded=name == "loaded") for name in ("checked", "plain", "loaded")]
        yield compare(subjects[1], subjects[2], subjects[3], cells)
    finally:
        for subject in subjects:
            subject.close()


def test_at_least_five_hundred_cells_succeed_the_same_way_each_time(comparison: Comparison) -> None:
    assert comparison.cells >= 500


def test_examples_of_documentation_have_the_same_outputs_as_without_the_extension(comparison: Comparison) -> None:
    assert not comparison.differences, "\n\n".join(map(str, comparison.differences))


def test_examples_of_documentation_take_no_more_memory_than_without_the_extension(comparison: Comparison) -> None:
    plain, loaded = comparison.peaks
    assert loaded <= 1.05 * plain
