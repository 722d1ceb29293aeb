"""Columns of dates beside numbers and texts that are no dates to pandas."""

from __future__ import annotations

import pytest

from reflex_ipython.models import LIKELY
from tests.propose.rules.build import offered
from tests.propose.rules.live import best_that_runs, failed

pd = pytest.importorskip("pandas")

TABLE = (
    "import pandas as pd\n"
    "df = pd.DataFrame({'day': pd.to_datetime(['2023-12-31', '2024-05-01', '2024-05-06']), 'n': [1, 2, 3]})"
)


@pytest.mark.parametrize(
    ("cell", "check"),
    [
        ('x = df[df["day"] > 20240501]', "x.n.tolist() == [3]"),
        ('x = df[df["day"] >= 2024]', "x.n.tolist() == [2, 3]"),
        ('x = df[df.day > "2024-13-01"]', "x.n.tolist() == [2, 3]"),
        ("x = df[2024 <= df.day]", "x.n.tolist() == [2, 3]"),
        ('x = df["day"].max() > 2023', "x == True"),
        ('x = df["day"].max() > 20240505', "x == True"),
        ('x = df.set_index("day").index.max() > 2023', "x == True"),
    ],
)
def test_the_number_or_text_is_read_as_the_date_or_the_part_of_one_that_it_is(cell: str, check: str) -> None:
    notebook, prior = best_that_runs(TABLE, cell)
    assert eval(check, dict(notebook.namespace))
    assert prior >= LIKELY


def test_a_small_number_is_a_guess_about_its_part() -> None:
    found = offered(failed(TABLE, 'x = df[df["day"] > 5]'))
    assert found['x = df[df["day"].dt.month > 5]'] < LIKELY


def test_a_number_that_is_no_date_has_no_answer() -> None:
    assert not [one for one in offered(failed(TABLE, 'x = df[df["day"] > 99999]')) if "dt." in one or "-" in one]
