"""Rules about files of data, on failures built by hand."""

from __future__ import annotations

from reflex_ipython.models import LIKELY
from tests.propose.rules.build import best, failure, offered


class TestFiles:
    def test_the_byte_that_does_not_fit_tells_the_encoding(self) -> None:
        error = "UnicodeDecodeError: 'utf-8' codec can't decode byte {} in position {}: invalid start byte"
        latin = offered(failure("pd.read_csv('a.csv')", error.format("0xe9", 5)))
        assert latin["pd.read_csv('a.csv', encoding=\"latin-1\")"] >= LIKELY
        assert best(failure("pd.read_csv('a.csv')", error.format("0xff", 0))) == (
            "pd.read_csv('a.csv', encoding=\"utf-16\")"
        )

    def test_lines_with_more_fields_may_be_separated_otherwise(self) -> None:
        error = "ParserError: Error tokenizing data. C error: Expected 1 fields in line 3, saw 2"
        found = offered(failure("pd.read_csv('a.csv')", error))
        assert found["pd.read_csv('a.csv', sep=\";\")"] >= LIKELY
        assert found["pd.read_csv('a.csv', on_bad_lines=\"skip\")"] < LIKELY

    def test_lines_above_a_table_of_three_columns_are_left_out(self) -> None:
        error = "ParserError: Error tokenizing data. C error: Expected 1 fields in line 3, saw 3"
        assert best(failure("pd.read_csv('a.csv')", error)) == "pd.read_csv('a.csv', skiprows=2)"
