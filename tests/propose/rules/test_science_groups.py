"""Rules about functions of groups, against pandas itself."""

from __future__ import annotations

import pytest

from reflex_ipython.models import LIKELY
from tests.propose.rules.build import offered
from tests.propose.rules.live import best_that_runs, failed

pytest.importorskip("pandas")

SETUP = (
    "import pandas as pd\n"
    "df = pd.DataFrame({'crew': ['a', 'b', 'a'], 'km': [4, 9, 2], 'cost': [1.5, 2.0, 3.0]})\nby = df.groupby('crew')"
)


@pytest.mark.parametrize(
    ("cell", "check"),
    [
        ("x = by['km'].transform('average')", "list(x) == [3, 9, 3]"),
        ("x = by.agg(total_km=('km', 'sum'), highest='cost')", "list(x.highest) == [3.0, 2.0]"),
        ("x = by['km'].agg(['max', 'maximum', 'min'])", "list(x.columns) == ['max', 'min']"),
        ("x = by['km'].agg(['maximum', 'max'])", "list(x.columns) == ['max']"),
        ("x = df.nsmallest('km', 2)", "list(x.km) == [2, 4]"),
    ],
)
def test_the_function_that_is_meant_is_asked_for(cell: str, check: str) -> None:
    notebook, prior = best_that_runs(SETUP, cell)
    assert prior >= LIKELY
    assert eval(check, notebook.namespace)


def test_a_new_column_whose_name_says_nothing_is_a_choice() -> None:
    found = offered(failed(SETUP, "x = by.agg(figure='km', n=('cost', 'count'))"))
    assert {'figure=("km", "sum")'.replace('"km"', "'km'") in source for source in found} == {True, False}
    assert max(found.values()) < LIKELY


def test_what_no_word_means_is_not_made_up() -> None:
    assert not offered(failed(SETUP, "x = by['km'].transform('zigzag')"))
