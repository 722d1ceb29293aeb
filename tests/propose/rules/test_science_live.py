"""Rules for the scientific libraries against the libraries themselves: what runs does what is meant."""

from __future__ import annotations

import pytest

from reflex_ipython.models import LIKELY, Failure
from tests.capture.conftest import Notebook
from tests.propose.rules.build import offered
from tests.propose.rules.live import best_that_runs, failed

pandas = pytest.importorskip("pandas")
removed_in_pandas_3 = pytest.mark.skipif(int(pandas.__version__.split(".")[0]) < 3, reason="pandas 2 still takes it")

IMPORTS = "import numpy as np\nimport pandas as pd"
TABLE = (
    "df = pd.DataFrame({'price': ['$1,200', '$850', '$3,000.50'], 'share': ['1,5', '2,5', '3,0'], 'n': [1, 5, 9],"
    " 'name': ['x', 'y', 'z'], 'when': ['2024-01-05', '2024-02-06', '2024-03-07'], 'gap': [1.0, None, 2.0]})"
)


def best(setup: str, cell: str) -> tuple[Notebook, float]:
    """The namespace after the likeliest fix that runs, and how likely it was held to be."""
    return best_that_runs(IMPORTS, TABLE, setup, cell)


def _failed(setup: str, cell: str) -> Failure:
    return failed(IMPORTS, TABLE, setup, cell)


@pytest.mark.parametrize(
    ("setup", "cell", "check"),
    [
        ("", "x = df['price'].astype(float)", "x.sum() == 5050.5"),
        ("", "df['price'] = pd.to_numeric(df['price'])", "df['price'].sum() == 5050.5"),
        ("", "x = df.share.astype(float)", "x.sum() == 7"),
        ("", "x = df['share'].mean()", "abs(x - 7 / 3) < 1e-9"),
        ("", "x = df['when'].dt.month", "list(x) == [1, 2, 3]"),
        ("", "x = df['n'].str.zfill(2)", "list(x) == ['01', '05', '09']"),
        ("", "x = df[['n', 'name']].mean()", "x['n'] == 5"),
        ("", "x = df[(df.n > 2) and (df.n < 8)]", "len(x) == 1"),
        ("", "x = df[df.n > 2 & df.n < 8]", "len(x) == 1"),
        ("", "x = df[df['name'] in ['x', 'y']]", "len(x) == 2"),
        ("", "x = 'id-' + df['n']", "x[0] == 'id-1'"),
        pytest.param("", "x = df.fillna(method='ffill')", "x.gap.sum() == 4", marks=removed_in_pandas_3),
        ("", "x = df.n.mad()", "abs(x - 8 / 3) < 1e-9"),
        ("", "x = df['name'].upper()", "list(x) == ['X', 'Y', 'Z']"),
        ("", "x = df.apply(lambda row: row['n'] + 1)", "list(x) == [2, 6, 10]"),
        ("", "x = df[:, 0]", "len(x) == 3"),
        ("s = pd.Series([1, 2])", "x = s[-1]", "x == 2"),
        ("other = pd.DataFrame({'n': ['1', '5'], 'w': [1, 2]})", "x = df.merge(other, on='n')", "len(x) == 2"),
        ("a = np.array([1, 2])", "a += 0.5", "a.tolist() == [1.5, 2.5]"),
        ("a = np.ones((2, 3))", "x = a / a.sum(axis=1)", "x.shape == (2, 3)"),
        ("a = np.arange(12)", "x = a.reshape(5, 4)", "x.shape == (3, 4)"),
        ("a = np.arange(3)", "x = np.concatenate(a, a)", "len(x) == 6"),
        (
            "from datetime import datetime, timezone as t\na = datetime(2024, 1, 1)\nb = a.replace(day=2,tzinfo=t.utc)",
            "x = b - a",
            "x.days == 1",
        ),
        ("", "x = np.NINF", "x == -np.inf"),
        pytest.param("", "x = pd.date_range('2024', periods=2, freq='M')", "x[0].day == 31", marks=removed_in_pandas_3),
    ],
)
def test_the_likeliest_fix_that_runs_does_what_is_meant(setup: str, cell: str, check: str) -> None:
    notebook, prior = best(setup, cell)
    assert prior >= LIKELY
    assert eval(check, notebook.namespace)


def test_a_function_of_an_earlier_cell_is_called_for_each_value() -> None:
    setup = "def grade(value):\n    return 'high' if value > 2 else 'low'"
    found = offered(_failed(setup, "df['grade'] = grade(df['n'])"))
    assert found["df['grade'] = df['n'].apply(grade)"] >= LIKELY


def test_an_estimator_takes_a_table() -> None:
    pytest.importorskip("sklearn")
    setup = "from sklearn.linear_model import LinearRegression\nmodel = LinearRegression()"
    notebook, prior = best(setup, "model.fit(df['n'], [1, 2, 3])")
    assert prior >= LIKELY
    assert notebook.namespace["model"].n_features_in_ == 1
