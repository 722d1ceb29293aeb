"""Dates in tables: asked for by another name, beside numbers and texts, and what belongs to columns or to one date."""

from __future__ import annotations

import pytest

from tests.propose.rules.build import offered
from tests.propose.rules.live import best_that_runs, failed

pytest.importorskip("pandas")

TABLE = (
    "import pandas as pd\n"
    "df = pd.DataFrame({'made': pd.to_datetime(['2024-03-01', '2024-03-05']), 'amount': [3, 1], 'n': ['a', 'b']})"
)


@pytest.mark.parametrize(
    ("cell", "check"),
    [
        ('x = df.sort_values("date").amount.tolist()', "x == [3, 1]"),
        ('x = "2024-03-06" - df["made"]', "x.dt.days.tolist() == [5, 1]"),
        ('x = df["made"] + 7', "x[0] == pd.Timestamp('2024-03-08')"),
        ('x = df["made"] + df["amount"]', "x[0] == pd.Timestamp('2024-03-04')"),
        ('x = (df["made"].max() - df["made"].min()).dt.days', "x == 4"),
        ('x = df["made"].dt.weekday_name', "x[0] == 'Friday'"),
        ('x = df.drop_duplicates("n", keep="frist")', "len(x) == 2"),
        ('x = df["amount"].sum() + " pieces"', "x == '4 pieces'"),
    ],
)
def test_what_is_meant_is_likeliest_of_what_runs(cell: str, check: str) -> None:
    notebook, _ = best_that_runs(TABLE, cell)
    assert eval(check, dict(notebook.namespace))


def test_of_two_columns_of_dates_none_is_the_only_one() -> None:
    found = offered(failed(TABLE, 'df["sent"] = df["made"]', 'x = df.sort_values("date")'))
    assert not any('"made"' in one or '"sent"' in one for one in found)
