"""Dates in tables: asked for by another name, beside numbers and texts, and what belongs to columns or to one date."""

from __future__ import annotations

import pytest

from tests.propose.rules.build import offered
from tests.propose.rules.live import best_that_runs, failed, prepared

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


MIXED = "import pandas as pd\ndf = pd.DataFrame({'day': ['2025-01-03', '04/01/2025', None, '2025-01-07']})"


@pytest.mark.parametrize("asked", ["", ', format="%Y-%m-%d"'])
def test_dates_with_the_day_first_leave_the_iso_dates_beside_them_as_they_are(asked: str) -> None:
    found = offered(failed(MIXED, f'x = pd.to_datetime(df["day"]{asked})'))
    assert not any("dayfirst" in source for source in found), "it reads the third of January as the first of March"
    (written,) = (source for source in found if ".str.replace" in source)
    notebook = prepared(MIXED)
    notebook.run(written)
    days = notebook.namespace["x"].dropna().dt.strftime("%d %b").tolist()
    assert days == ["03 Jan", "04 Jan", "07 Jan"]


def test_without_iso_dates_the_day_may_come_first() -> None:
    found = offered(failed(MIXED.replace("2025-01-03", "Jan 13, 2025"), 'x = pd.to_datetime(df["day"][:2])'))
    assert any("dayfirst=True" in source for source in found)
