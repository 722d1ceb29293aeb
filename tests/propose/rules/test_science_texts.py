"""Rules about texts in columns that are numbers or dates, on failures built by hand."""

from __future__ import annotations

import pytest

from reflex_ipython.models import LIKELY
from reflex_ipython.propose.rules.science.cleaning import cleanings, date_formats
from tests.propose.rules.build import best, failure, fixes, offered
from tests.propose.rules.scientific import MEANINGS, table


class TestTexts:
    @pytest.mark.parametrize(
        ("value", "calls"),
        [
            ("$1,200", '.str.replace(r"[$,]", "", regex=True)'),
            ("1,200", '.str.replace(",", "", regex=False)'),
            ("1,5", '.str.replace(",", ".")'),
            ("1 200", '.str.replace(r"[\\s]", "", regex=True)'),
            ("12%", '.str.rstrip("% ")'),
            ("10 kg", '.str.replace(r"\\s*kg\\.?$", "", regex=True)'),
            ("n/a", ".replace('n/a', np.nan)"),
        ],
    )
    def test_signs_are_taken_away_as_the_value_has_them(self, value: str, calls: str) -> None:
        assert next(iter(cleanings(value, "np.nan"))).calls == calls

    def test_words_are_no_numbers(self) -> None:
        assert not list(cleanings("Berlin", "np.nan"))

    def test_what_drops_values_is_a_guess(self) -> None:
        error = "ValueError: could not convert string to float: '$1,200'"
        found = offered(failure('df["p"].astype(float)', error, meanings=MEANINGS))
        assert found['df["p"].str.replace(r"[$,]", "", regex=True).astype(float)'] >= LIKELY
        assert found['pd.to_numeric(df["p"], errors="coerce")'] < LIKELY

    def test_dates_are_read_by_the_format_that_fits_all(self) -> None:
        assert date_formats(["31.01.2024", "05.02.2024"]) == ["%d.%m.%Y"]
        assert date_formats(["05.01.2024"])[:2] == ["%d.%m.%Y", "%m.%d.%Y"]
        assert date_formats(["2024-01-05 10:30"]) == ["%Y-%m-%d %H:%M", "%Y-%d-%m %H:%M"]
        assert not date_formats(["soon"])

    def test_dates_of_texts_are_asked_for_wherever_the_cell_does(self) -> None:
        source = "df['y'] = df['d'].dt.year\ndf['m'] = df['d'].dt.month"
        error = "AttributeError: Can only use .dt accessor with datetimelike values"
        expected = "df['y'] = pd.to_datetime(df['d']).dt.year\ndf['m'] = pd.to_datetime(df['d']).dt.month"
        assert best(failure(source, error, meanings=MEANINGS)) == expected

    def test_statistics_of_a_table_leave_text_out(self) -> None:
        error = "TypeError: Cannot perform reduction 'mean' with string dtype"
        assert best(failure("df.mean()", error, values=(table("df", "'a': str; 'x'"),))) == "df.mean(numeric_only=True)"

    def test_statistics_of_a_column_of_text_read_its_numbers(self) -> None:
        error = "TypeError: Cannot perform reduction 'mean' with string dtype"
        values = (table("df", "'a': str; '1.5', '2'"),)
        assert best(failure("df['a'].mean()", error, values=values)) == "df['a'].astype(float).mean()"

    def test_of_two_types_of_keys_the_text_becomes_the_number(self) -> None:
        error = "ValueError: You are trying to merge on int64 and str columns for key 'id'. If you wish to proceed"
        found = offered(failure("a.merge(b, on='id')", error, meanings=MEANINGS))
        assert found["a.merge(b.assign(**{'id': b['id'].astype('int64')}), on='id')"] >= LIKELY
        assert found["a.assign(**{'id': a['id'].astype(str)}).merge(b, on='id')"] < LIKELY

    def test_missing_values_in_whole_numbers_are_a_choice(self) -> None:
        error = "IntCastingNaNError: Cannot convert non-finite values (NA or inf) to integer."
        found = offered(failure("df['a'].astype(int)", error))
        assert "df['a'].astype(\"Int64\")" in found
        assert max(found.values()) < LIKELY

    def test_texts_with_missing_values_become_whole_numbers_by_the_column_and_the_value(self) -> None:
        error = "ValueError: cannot convert float NaN to integer"
        values = (table("q", "'qty': str; '3', None, 'two'"),)
        found = fixes(failure("q['qty'].astype(int)", error, values=values, meanings=MEANINGS))
        assert found[0].edits[-1].source == 'pd.to_numeric(q[\'qty\'], errors="coerce").astype("Int64")'
        assert found[0].explanation.startswith("`q['qty']` holds text, and 'two' is no number.")

    def test_missing_values_among_texts_that_are_numbers_are_kept(self) -> None:
        error = "ValueError: cannot convert float NaN to integer"
        values = (table("q", "'qty': str; '3', None, '4'"),)
        found = best(failure("q['qty'].astype(int)", error, values=values, meanings=MEANINGS))
        assert found == "q['qty'].astype(float).astype(\"Int64\")"

    @pytest.mark.parametrize("column", ["qty", "['qty']"])
    def test_a_grouped_column_of_texts_is_read_as_numbers_first(self, column: str) -> None:
        error = "TypeError: dtype 'str' does not support operation 'mean'"
        values = (table("q", "'qty': str; '3', None, 'two'", "'date': str; 'a', 'b'"),)
        group = f"groupby('date'){column if column[0] == '[' else '.' + column}.mean()"
        found = fixes(failure(f"q.{group}", error, values=values, meanings=MEANINGS))
        read = "q.assign(**{'qty': pd.to_numeric(q['qty'], errors=\"coerce\")})"
        assert [one.edits[-1].source for one in found] == [f"{read}.{group}"]
        assert "Column 'qty' holds text, and 'two' is no number" in found[0].explanation
