"""Rules for pandas tables, on failures built by hand."""

from __future__ import annotations

from reflex_ipython.models import LIKELY
from tests.propose.rules.build import best, failure, offered
from tests.propose.rules.scientific import table


class TestTables:
    def test_a_place_is_asked_for_by_iloc(self) -> None:
        assert best(failure("s[-1]", "KeyError: -1", types={"s": "pandas.Series"})) == "s.iloc[-1]"
        assert best(failure("df[:, 0]", "InvalidIndexError: (slice(None, None, None), 0)")) == "df.iloc[:, 0]"
        assert best(failure("df['a', 'b']", "KeyError: ('a', 'b')")) == "df[['a', 'b']]"

    def test_a_key_of_a_dictionary_is_no_place(self) -> None:
        assert best(failure("d[0]", "KeyError: 0", types={"d": "dict"})) is None

    def test_a_row_or_a_column_of_a_table_is_a_choice(self) -> None:
        found = offered(failure("df[0]", "KeyError: 0", types={"df": "pandas.DataFrame"}))
        assert set(found) == {"df.iloc[0]", "df.iloc[:, 0]"}
        assert max(found.values()) < LIKELY

    def test_the_fix_of_nothing_is_where_it_was_assigned(self) -> None:
        source = "df = df.drop(columns=['a'], inplace=True)\nprint(df.shape)"
        error = "AttributeError: 'NoneType' object has no attribute 'shape'"
        assert best(failure(source, error, line=2)) == "df = df.drop(columns=['a'])\nprint(df.shape)"

    def test_a_list_is_sorted_in_place(self) -> None:
        error = "TypeError: 'NoneType' object is not subscriptable"
        assert best(failure("l = l.sort()\nl[0]", error, line=2)) == "l.sort()\nl[0]"

    def test_columns_that_mean_the_same_are_merged(self) -> None:
        values = (table("a", "'id': int64; 1"), table("b", "'user_id': int64; 1"))
        expected = 'a.merge(b, left_on="id", right_on="user_id")'
        assert best(failure("a.merge(b, on='id')", "KeyError: 'id'", values=values)) == expected
