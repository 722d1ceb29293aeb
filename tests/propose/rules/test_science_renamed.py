"""Rules about names and arguments that are gone, on failures built by hand."""

from __future__ import annotations

import pytest

from reflex_ipython.models import Lookup
from tests.propose.rules.build import best, failure, no_attribute, offered
from tests.propose.rules.scientific import MEANINGS


class TestNames:
    def test_numpy_says_itself_what_replaces_a_name(self) -> None:
        error = "AttributeError: `np.NINF` was removed in the NumPy 2.0 release. Use `-np.inf` instead."
        found = failure("x = np.NINF", error, lookup=Lookup("attribute", "NINF", "np", "module", ("inf",)))
        assert best(found) == "x = -np.inf"

    def test_a_method_that_is_gone_is_written_out(self) -> None:
        found = no_attribute("df['a'].mad()", "mad", "df['a']", "pandas.core.series.Series")
        assert best(found) == "(df['a'] - df['a'].mean()).abs().mean()"

    def test_a_method_of_texts_is_asked_of_the_texts(self) -> None:
        found = no_attribute("df['a'].lower()", "lower", "df['a']", "pandas.core.series.Series")
        assert best(found) == "df['a'].str.lower()"

    @pytest.mark.parametrize(
        ("source", "wanted", "expected"),
        [
            ("df.fillna(method='ffill')", "method", "df.ffill()"),
            ("pd.read_csv('a', squeeze=True)", "squeeze", "pd.read_csv('a').squeeze(\"columns\")"),
            ("ts.resample('D', how='mean')", "how", "ts.resample('D').mean()"),
            ("plt.plot(x, figsize=(3, 2))", "figsize", "plt.figure(figsize=(3, 2))\nplt.plot(x)"),
            ("np.sort(a, reverse=True)", "reverse", "np.sort(a)[::-1]"),
            ("mean_squared_error(a, b, squared=False)", "squared", "np.sqrt(mean_squared_error(a, b))"),
        ],
    )
    def test_an_argument_that_is_gone_is_said_otherwise(self, source: str, wanted: str, expected: str) -> None:
        error = f"TypeError: f() got an unexpected keyword argument '{wanted}'"
        lookup = Lookup("argument", wanted, "f", "function", ("x",))
        assert expected in offered(failure(source, error, lookup=lookup, meanings=MEANINGS))

    def test_the_library_says_what_it_takes(self) -> None:
        error = (
            "InvalidParameterError: The 'criterion' parameter of DecisionTreeRegressor must be a str among"
            " {'poisson', 'squared_error'}. Got 'mse' instead."
        )
        assert best(failure("t = Tree(criterion='mse')", error)) == "t = Tree(criterion='squared_error')"
