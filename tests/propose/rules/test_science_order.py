"""Rules about what has to be in order, against pandas itself."""

from __future__ import annotations

import pytest

from reflex_ipython.models import LIKELY
from tests.propose.rules.build import offered
from tests.propose.rules.live import best_that_runs, failed

pytest.importorskip("pandas")

SETUP = (
    "import pandas as pd\n"
    "places = pd.DataFrame({'land': ['no', 'it', 'no', 'fr'], 'town': ['Oslo', 'Rome', 'Bergen', 'Lyon'],"
    " 'n': [1, 2, 3, 4]})\n"
    "places = places.set_index(['land', 'town'])\n"
    "sizes = pd.Series(pd.Categorical(['L', 'S', 'M'], categories=['S', 'M', 'L']))\n"
    "days = pd.DataFrame({'n': [1, 2, 3]}, index=pd.to_datetime(['2024-03-01', '2024-01-01', '2024-02-01']))"
)


@pytest.mark.parametrize(
    ("cell", "check"),
    [
        ("x = places.loc[('fr', 'Lyon'):('it', 'Rome')]", "list(x.n) == [4, 2]"),
        ("x = days.loc['2024-01-15':'2024-02-15']", "list(x.n) == [3]"),
        ("x = sizes[sizes >= 'M']", "list(x) == ['L', 'M']"),
        ("x = sizes.max()", "x == 'L'"),
    ],
)
def test_what_has_to_be_in_order_is_put_in_order(cell: str, check: str) -> None:
    notebook, prior = best_that_runs(SETUP, cell)
    assert prior >= LIKELY
    assert eval(check, notebook.namespace)


def test_a_label_that_is_not_there_is_no_question_of_order() -> None:
    assert not any("sort_index" in source for source in offered(failed(SETUP, "x = places.loc[('fr', 'Nice')]")))
