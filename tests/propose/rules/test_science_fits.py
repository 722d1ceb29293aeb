"""Estimators that are used in one expression with their making, or with other data than they were fitted to."""

from __future__ import annotations

import pytest

from tests.propose.rules.build import offered
from tests.propose.rules.live import best_that_runs, failed

pytest.importorskip("sklearn")

DATA = (
    "import numpy as np\nimport pandas as pd\nfrom sklearn.linear_model import LinearRegression\n"
    "X = np.arange(12.0).reshape(6, 2) ** 1.5\ny = np.arange(6.0)\n"
    "df = pd.DataFrame({'a': X[:, 0], 'b': X[:, 1], 'y': y})"
)


@pytest.mark.parametrize(
    ("cell", "check"),
    [
        ("p = LinearRegression().predict(X)", "len(p) == 6"),
        ("p = LinearRegression().score(X, y)", "p > 0.9"),
        (
            "m = LinearRegression().fit(df[['a', 'b']].to_numpy(), y)\np = m.predict(df[['a']].to_numpy())",
            "len(p) == 6",
        ),
        ("m = LinearRegression().fit(X, y)\np = m.predict(X[:, :1])", "len(p) == 6"),
        (
            "from sklearn.preprocessing import PolynomialFeatures\npoly = PolynomialFeatures(2)\n"
            "Z = poly.fit_transform(X)\nm = LinearRegression().fit(Z, y)\np = m.predict(X[:3])",
            "len(p) == 3",
        ),
    ],
)
def test_it_is_given_what_belongs_to_it(cell: str, check: str) -> None:
    notebook, _ = best_that_runs(DATA, cell)
    assert eval(check, dict(notebook.namespace))


def test_nothing_is_put_in_for_features_that_nothing_tells_of() -> None:
    setup = f"{DATA}\nm = LinearRegression().fit(X, y)\nother = np.ones((3, 1))"
    assert not offered(failed(setup, "p = m.predict(other)"))
