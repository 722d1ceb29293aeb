"""Datasets of scikit-learn that are asked as if they were tables."""

from __future__ import annotations

import pytest

from tests.propose.rules.build import offered
from tests.propose.rules.live import best_that_runs, failed

pytest.importorskip("sklearn")

LOAD = "from sklearn.datasets import load_iris\n"


@pytest.mark.parametrize(
    ("cells", "check"),
    [
        ((f"{LOAD}iris = load_iris()\nx = iris.head()",), "x.shape == (5, 5)"),
        ((f"{LOAD}iris = load_iris()", "x = iris.describe()"), "x.shape == (8, 4)"),
        ((f"{LOAD}iris = load_iris()", "x = iris.labels[:2]"), "list(x) == [0, 0]"),
        ((f"{LOAD}iris = load_iris()", "x = iris.features"), "x.shape == (150, 4)"),
    ],
)
def test_a_table_is_made_of_it_or_its_own_name_is_used(cells: tuple[str, ...], check: str) -> None:
    notebook, _ = best_that_runs(*cells)
    assert eval(check, dict(notebook.namespace))


def test_what_it_has_nothing_like_is_left_alone() -> None:
    found = offered(failed(f"{LOAD}iris = load_iris()", "x = iris.banana()"))
    assert not [one for one in found if "frame" in one or "DataFrame" in one]
