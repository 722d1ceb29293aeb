"""Rules about columns asked for one truth value, on failures built by hand."""

from __future__ import annotations

import pytest

from reflex_ipython.models import LIKELY
from tests.propose.rules.build import best, failure, offered
from tests.propose.rules.scientific import MEANINGS

AMBIGUOUS = "ValueError: The truth value of a Series is ambiguous. Use a.empty, a.item(), a.any() or a.all()."


class TestTruth:
    @pytest.mark.parametrize(
        ("source", "expected"),
        [
            ("x = df[(df.a > 2) and (df.b < 8)]", "x = df[(df.a > 2) & (df.b < 8)]"),
            ("x = df[df.a > 2 or df.b < 8]", "x = df[(df.a > 2) | (df.b < 8)]"),
            ("x = df[not df.a > 2]", "x = df[~(df.a > 2)]"),
            ("x = df[not (df.a > 2)]", "x = df[~(df.a > 2)]"),
            ("x = df[df.a > 2 & df.b < 8]", "x = df[(df.a > 2) & (df.b < 8)]"),
            ("x = df[0 < df.a < 8]", "x = df[(0 < df.a) & (df.a < 8)]"),
            ("x = df[df.a in [1, 2]]", "x = df[df.a.isin([1, 2])]"),
            ("x = df[df.a not in [1, 2]]", "x = df[~df.a.isin([1, 2])]"),
            ("x = 'hi' if df.a > 2 else 'lo'", "x = np.where(df.a > 2, 'hi', 'lo')"),
        ],
    )
    def test_a_column_is_compared_element_by_element(self, source: str, expected: str) -> None:
        found = offered(failure(source, AMBIGUOUS, meanings=MEANINGS))
        assert found[expected] >= LIKELY
        assert max(found, key=lambda one: found[one]) == expected

    def test_of_any_and_all_neither_is_an_answer(self) -> None:
        found = offered(failure("if df.a > 2:\n    pass", AMBIGUOUS))
        assert found == {"if (df.a > 2).any():\n    pass": 0.39, "if (df.a > 2).all():\n    pass": 0.39}

    def test_a_table_is_asked_whether_it_is_empty(self) -> None:
        message = AMBIGUOUS.replace("Series", "DataFrame")
        found = offered(failure("if df:\n    pass", message, types={"df": "pandas.DataFrame"}))
        assert max(found, key=lambda one: found[one]) == "if not df.empty:\n    pass"

    def test_a_function_of_math_becomes_that_of_numpy(self) -> None:
        found = failure(
            "y = math.sqrt(s)", "TypeError: must be real number, not Series", meanings={**MEANINGS, "math": "math"}
        )
        assert best(found) == "y = np.sqrt(s)"

    def test_a_statement_of_several_lines_keeps_all_else(self) -> None:
        source = "x = df[  # those\n    (df.a > 2)  # large\n    and (df.b < 8)\n]"
        expected = "x = df[  # those\n    (df.a > 2)  # large\n    & (df.b < 8)\n]"
        assert best(failure(source, AMBIGUOUS)) == expected
