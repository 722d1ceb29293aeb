"""Rules about values that are measured against each other, and arrays that are put together; against the libraries."""

from __future__ import annotations

import pytest

from reflex_ipython.models import LIKELY
from tests.propose.rules.build import offered
from tests.propose.rules.live import best_that_runs, failed

pytest.importorskip("sklearn")

SETUP = (
    "import numpy as np\nimport pandas as pd\nfrom sklearn.metrics import mean_absolute_error\n"
    "a, b, c = np.arange(6.0), np.arange(6.0) * 2, np.arange(4.0)\nwide, tall = np.ones((5, 3)), np.ones((3, 2))\n"
    "left = pd.DataFrame({'t': [1.5, 2.5]}, index=[7, 9])\nright = pd.DataFrame({'t': [3.5, 4.5]}, index=[7, 9])"
)


@pytest.mark.parametrize(
    ("cell", "check"),
    [
        ("x = mean_absolute_error(a, b[:-1])", "x == 2.5"),
        ("x = np.vstack([wide, tall])", "x.shape == (7, 3)"),
    ],
)
def test_what_fits_is_meant(cell: str, check: str) -> None:
    notebook, _ = best_that_runs(SETUP, cell)
    assert eval(check, notebook.namespace)


def test_tables_with_labels_of_their_own_are_joined_by_those() -> None:
    found = offered(failed(SETUP, "x = left.join(right)"))
    assert max(found, key=lambda one: found[one]) == 'x = left.join(right, rsuffix="_right")'
    assert max(found.values()) >= LIKELY


def test_two_of_other_lengths_are_not_uncut() -> None:
    assert max(offered(failed(SETUP, "x = mean_absolute_error(a, c[:-1])")).values(), default=0) < LIKELY


def test_of_the_sizes_that_divide_there_is_a_choice() -> None:
    found = offered(failed(SETUP, "x = np.arange(80).reshape(3, -1)"))
    assert set(found) == {"x = np.arange(80).reshape(4, -1)", "x = np.arange(80).reshape(2, -1)"}
    assert max(found.values()) < LIKELY
