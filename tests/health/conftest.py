"""Two kernels that run the same cells: one without and one with the extension."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence

import pytest

from tests.health.kernels import Subject, run_notebook
from tests.health.outcomes import Outcome


@dataclasses.dataclass
class Pair:
    """A kernel without the extension, and one with it."""

    plain: Subject
    loaded: Subject

    def differences(self, cells: Sequence[str], view: Callable[[Outcome], Outcome] = list) -> str:
        """In words, where a notebook's outcomes in the two differ; empty if nowhere.

        `view`: what of an outcome is compared.
        """
        for subject in (self.plain, self.loaded):
            subject.settle()
        outcomes = run_notebook((self.plain, self.loaded), cells)
        outcomes = [[view(each) for each in cell] for cell in outcomes]
        return "\n".join(
            f"{cell}\n  without: {without}\n  with:    {with_it}"
            for cell, (without, with_it) in zip(cells, outcomes)
            if with_it != without
        )

    def close(self) -> None:
        for subject in (self.plain, self.loaded):
            subject.close()


@pytest.fixture(scope="module")
def new_pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Pair]]:
    """Starts pairs of kernels, with the libraries that are named."""
    pairs: list[Pair] = []

    def start(libraries: str = "") -> Pair:
        folder = tmp_path_factory.mktemp("pair")
        subjects = [Subject(folder / n, loaded=n == "loaded", libraries=libraries) for n in ("plain", "loaded")]
        pairs.append(Pair(*subjects))
        return pairs[-1]

    yield start
    for pair in pairs:
        pair.close()


@pytest.fixture(scope="module")
def pair(new_pair: Callable[..., Pair]) -> Pair:
    """A pair that the tests of a file share."""
    return new_pair()


@pytest.fixture(scope="module")
def quick_pair(pair: Pair) -> Pair:
    """The same, whose cells count as quick ones however busy the machine is."""
    pair.loaded.be_quick()
    return pair
