"""Places in a source, whatever ends its lines and whatever its characters take."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reflex_ipython.base.spans import SpanEdit, apply, first_line, line_at, line_starts, offset

SOURCE = "a\r\nüb = 1\rc\n\n  d\x0ce"


def test_lines_end_as_python_has_it() -> None:
    starts = line_starts(SOURCE)
    assert [line_at(SOURCE, starts, lineno) for lineno in range(1, len(starts) + 1)] == [
        *("a", "üb = 1", "c", "", "  d\x0ce"),
    ]


def test_a_column_counts_bytes_and_an_offset_characters() -> None:
    starts = line_starts(SOURCE)
    assert SOURCE[offset(SOURCE, starts, 2, 2)] == "b"  # ü takes two


@given(st.lists(st.sampled_from(["x", "ä", "字", "😀", "'ß'"]), min_size=1), st.sampled_from(["\n", "\r", "\r\n"]))
def test_the_places_of_a_tree_are_those_of_its_names(words: list[str], end: str) -> None:
    source = end.join(words)
    tree = ast.parse("\n".join("n" if word == "😀" else word for word in words))
    source = source.replace("😀", "n")
    starts = line_starts(source)
    for node, word in zip(tree.body, source.split(end)):
        start = offset(source, starts, node.lineno, node.col_offset)
        assert source[start : offset(source, starts, node.end_lineno or 0, node.end_col_offset or 0)] == word


def test_edits_are_made_from_the_end_so_that_places_stay_true() -> None:
    assert apply("abc", [SpanEdit(0, 1, "xx"), SpanEdit(2, 3, ""), SpanEdit(1, 1, "-")]) == "xx-b"


def test_an_edit_that_two_ask_for_is_made_once() -> None:
    assert apply("ab", [SpanEdit(0, 0, "x"), SpanEdit(0, 0, "x")]) == "xab"


@pytest.mark.parametrize(("source", "line"), [("x = 1", 1), ("\n@a\n@b\ndef f(): pass", 2), ("class A: pass", 1)])
def test_a_statement_starts_with_its_decorators(source: str, line: int) -> None:
    assert first_line(ast.parse(source).body[0]) == line
