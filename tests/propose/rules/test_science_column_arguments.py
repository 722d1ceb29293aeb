"""What the methods of tables are given."""

from __future__ import annotations

import pytest

from tests.propose.rules.build import best, failure, fixes, offered
from tests.propose.rules.scientific import MEANINGS, table

IN = "ValueError: percentiles should all be in the interval [0, 1]"
LIST = "TypeError: only list-like objects are allowed to be passed to isin(), you passed a `str`"
BY = "TypeError: DataFrame.sort_values() missing 1 required positional argument: 'by'"


@pytest.mark.parametrize(
    ("source", "error", "expected"),
    [
        ("q = df['a'].quantile(75)", IN, "q = df['a'].quantile(0.75)"),
        ("df.describe(percentiles=[5, 95])", IN, "df.describe(percentiles=[0.05, 0.95])"),
        ("np.quantile(x, 2.5)", "ValueError: Quantiles must be in the range [0, 1]", "np.quantile(x, 0.025)"),
        ("df[df['a'].isin('it')]", LIST, "df[df['a'].isin(['it'])]"),
        ("df.drop(['a'], axis='column')", "ValueError: No axis named column for object type DataFrame",
         "df.drop(['a'], axis=\"columns\")"),
        ("df.mean(axis='row')", "ValueError: No axis named row for object type DataFrame", 'df.mean(axis="index")'),
    ],
)  # fmt: skip
def test_it_is_given_as_the_method_takes_it(source: str, error: str, expected: str) -> None:
    assert best(failure(source, error, meanings=MEANINGS)) == expected


def test_of_an_axis_that_is_not_there_those_that_are_there_are_a_choice() -> None:
    error = "ValueError: No axis named {} for object type {}"
    found = offered(failure("df.mean(axis=2)", error.format(2, "DataFrame"), meanings=MEANINGS))
    assert list(found) == ["df.mean(axis=1)", "df.mean(axis=0)"]
    assert max(found.values()) <= 0.5
    total = failure("total = df['a'].sum(axis=1)", error.format(1, "Series"), meanings=MEANINGS)
    assert best(total) == "total = df['a'].sum(axis=0)"


def test_what_is_no_percentage_is_left_alone() -> None:
    assert fixes(failure("df['a'].quantile(-1)", IN)) == []
    assert fixes(failure("df['a'].quantile(250)", IN)) == []


def test_the_columns_to_sort_by_are_a_choice_numbers_first() -> None:
    staff = table("df", "'name': str; 'Ann'", "'pay': int64; 3, 4")
    found = offered(failure("df.sort_values(ascending=False)", BY, values=(staff,)))
    assert list(found) == ['df.sort_values("pay", ascending=False)', 'df.sort_values("name", ascending=False)']
    assert max(found.values()) < 0.5
    only = table("df", "'pay': int64; 3, 4")
    assert offered(failure("df.sort_values()", BY, values=(only,))) == {'df.sort_values("pay")': 0.9}
