"""Brackets of displays, names of arguments, names in two pieces, and what was pasted with the code."""

from __future__ import annotations

import pytest

from tests.propose.rules.build import best, broken, failure, offered


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('c = {\n    "a": 1,\n    "b": 2,\n\nx = c["a"]', 'c = {\n    "a": 1,\n    "b": 2,\n}\n\nx = c["a"]'),
        ("if x:\n    y = [\n        1,\n    z = 2", "if x:\n    y = [\n        1,\n    ]\n    z = 2"),
        ("t = round(sum(prices, 2)\nprint(t)", "t = round(sum(prices), 2)\nprint(t)"),
        ("r = sorted(words, reverse: True)", "r = sorted(words, reverse=True)"),
        ("r = f(a, key: 1, other: [2])", "r = f(a, key=1, other=[2])"),
        ("even = [n for n in ns where n % 2 == 0]", "even = [n for n in ns if n % 2 == 0]"),
        ("df.isn ull().sum()", "df.isnull().sum()"),
        ("pri nt(x)", "print(x)"),
        ("len(data) = size", "size = len(data)"),
        ("width = 12\n[5 rows x 3 columns]", "width = 12"),
        ("Name: age, dtype: int64\nx = 1", "x = 1"),
        ("x = 1\nKeyError: no such key\n", "x = 1\n"),
        ("$ echo ready", "!echo ready"),
    ],
)
def test_what_is_meant(source: str, expected: str) -> None:
    found = offered(broken(source))
    assert max(found, key=lambda one: found[one]) == expected
    assert best(broken(source)) == expected


def test_arguments_behind_a_name_may_all_go_by_their_places() -> None:
    assert "r = power(2, 5)" in offered(broken("r = power(base=2, 5)"))


@pytest.mark.parametrize(
    "source", ["f(lambda x: )", "d = {1: 2, 3 4}", "x = a b", "for n in ns where n", "x[1: 2", "2 x 1 = 2"]
)
def test_what_only_looks_alike_is_left_alone(source: str) -> None:
    found = offered(broken(source))
    assert not any("1=" in one or "_2_x" in one or " ab" in one or " if n" in one for one in found)


def test_what_a_cell_magic_holds_is_mended() -> None:
    raised = failure("%%time\nt = sum(xs", "SyntaxError: '(' was never closed (<unknown>, line 1)", line=None)
    assert best(raised) == "%%time\nt = sum(xs)"


def test_a_text_that_a_cell_has_python_read_is_not_the_cell() -> None:
    assert offered(failure('eval("(1")', "SyntaxError: '(' was never closed (<string>, line 1)")) == {}
