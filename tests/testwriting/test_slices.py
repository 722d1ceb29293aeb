"""Of the cells before it, what a test needs: the statements that names need, and no others."""

from __future__ import annotations

from reflex_ipython.testwriting.slices import data_names, needed, only, statements

CELLS = [
    "import math, os\nRATE = 0.2\ndf = load()",
    "def half(x):\n    return other(x) / 2\ndf['b'] = df['a'] * RATE\nprint(df)",
    "def other(x):\n    return math.floor(x)\nunused = 3; used = [1]\nused.append(2)",
]


def texts(*wanted: str) -> list[str]:
    return [one.text for one in needed(wanted, statements(CELLS))]


def test_a_function_needs_what_its_body_reads_wherever_that_stands() -> None:
    assert texts("half") == ["import math", CELLS[1].split("\ndf")[0], "def other(x):\n    return math.floor(x)"]


def test_a_value_needs_what_changed_it_since() -> None:
    assert texts("df") == ["RATE = 0.2", "df = load()", "df['b'] = df['a'] * RATE"]
    assert texts("used") == ["used = [1]", "used.append(2)"]


def test_what_is_given_needs_nothing() -> None:
    assert needed(["df"], statements(CELLS), lambda name: name == "df") == []


def test_data_is_what_is_neither_imported_nor_defined_nor_written_there() -> None:
    assert data_names(["half", "RATE", "df", "used"], statements(CELLS)) == ["df", "used"]


def test_statements_keep_their_lines_where_others_are_left_out() -> None:
    chosen = needed(["other"], statements(CELLS))
    assert only(chosen, CELLS) == ["import math, os\n\n", "\n\n\n", "def other(x):\n    return math.floor(x)\n\n"]
