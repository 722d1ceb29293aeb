"""The user's code is parsed once more without a word."""

from __future__ import annotations

import ast
from types import CodeType

import pytest

from reflex_ipython.base.parsing import compiled, parse, parsed


def test_what_python_warns_of_is_not_said_again() -> None:
    assert parse("'\\d', 1 is 1") is not None  # warnings are errors here


def test_await_may_stand_at_the_top_level() -> None:
    tree = parse("await f()")
    assert tree is not None
    assert isinstance(compiled(tree), CodeType)


def test_why_a_source_does_not_parse_is_told_with_its_place() -> None:
    error = parsed("y = 1\nx = (")
    assert isinstance(error, SyntaxError)
    assert (error.msg, error.lineno) == ("'(' was never closed", 2)


@pytest.mark.parametrize("source", ["\0", "(" * 500 + ")" * 500, "-" * 100_000 + "1", "\ud800"])
def test_no_text_is_any_trouble(source: str) -> None:
    error = parsed(source)
    assert isinstance(error, SyntaxError)
    assert error.msg
    assert parse(source) is None


def test_a_tree_may_have_no_bytecode() -> None:
    tree = parse("return 1")
    assert isinstance(tree, ast.Module)
    error = compiled(tree)
    assert isinstance(error, SyntaxError)
    assert error.msg == "'return' outside function"
