"""The user's code is parsed once more without a word."""

from __future__ import annotations

import ast
import builtins
import itertools
from types import CodeType
from typing import Any

import pytest

from reflex_ipython.base import parsing
from reflex_ipython.base.parsing import compile_error, compiled, parse, parse_once, parsed, parsed_once
from reflex_ipython.base.working_cache import forget


def test_what_python_warns_of_is_not_said_again() -> None:
    assert parse("'\\d', 1 is 1") is not None  # warnings are errors here


def test_await_may_stand_at_the_top_level() -> None:
    tree = parse("await f()")
    assert tree is not None
    assert isinstance(compiled(tree), CodeType)


def test_who_only_reads_gets_the_same_tree_until_the_work_is_done() -> None:
    tree = parse_once("x = 1")
    assert tree is not None
    assert parsed_once("x = 1") is tree
    assert parse("x = 1") is not tree
    forget()
    assert parse_once("x = 1") is not tree
    assert parse_once("x = (") is None


def test_why_a_source_does_not_parse_holds_no_frames() -> None:
    error = parsed_once("x = (")
    assert isinstance(error, SyntaxError)
    assert error.__traceback__ is None


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


# ------------------------------------------------------------------ long ones, in pieces

BLOCKS = (
    "x = 1",
    "if x:\n    y = 2\nelif z:\n    pass\nelse:\n    y = (3,\n4)",
    "try:\n    f()\nexcept E: pass\nfinally:\n    g()",
    "@d\n\n# said of it\n@e\ndef f():\n    return '''\nx = 1\nelse\n'''",
    "call(\na,\nb\n)",
    "y = 1 + \\\nx",
    "s = '''\ny = (\n'''",
    't = """é\x0c\x0b\nx\u2028\n"""; u = 1',
    "async def g():\n  await x\nawait g()",
)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_a_long_text_has_the_tree_that_it_has_in_one_piece(
    monkeypatch: pytest.MonkeyPatch, size: int, newline: str
) -> None:
    monkeypatch.setattr(parsing, "_PIECE", size)
    for blocks in itertools.permutations(BLOCKS, 3):
        source = "\n".join(blocks).replace("\n", newline)
        whole = compile(source, "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | ast.PyCF_ONLY_AST)
        tree = parse(source)
        assert tree is not None
        assert ast.dump(tree, include_attributes=True) == ast.dump(whole, include_attributes=True)


def test_no_other_thread_waits_for_the_whole_of_a_long_text(monkeypatch: pytest.MonkeyPatch) -> None:
    longest = []
    compile_once = compile

    def noted(source: str | ast.Module, *rest: Any, **named: Any) -> object:
        longest.append(len(source.strip().splitlines()) if isinstance(source, str) else len(source.body))
        return compile_once(source, *rest, **named)

    monkeypatch.setattr(builtins, "compile", noted)
    tree = parse("\n".join(f"a{i} = [{i},\n{i}]" for i in range(5_000)))
    assert tree is not None
    assert compile_error(tree) is None
    assert max(longest) <= 2 * parsing._PIECE


@pytest.mark.parametrize("line", [0, 5_000, 9_999])
def test_where_a_long_text_does_not_parse_its_place_is_told(line: int) -> None:
    lines = [f"a{i} = {i}" for i in range(10_000)]
    lines[line] = "a b"
    error = parsed("\n".join(lines))
    assert isinstance(error, SyntaxError)
    assert (error.msg, error.lineno) == ("invalid syntax", line + 1)


def test_a_statement_of_a_long_tree_without_bytecode_is_found() -> None:
    tree = parse("x = 1\n" * 5_000 + "return x\n" + "x = 1\n" * 5_000)
    assert tree is not None
    error = compile_error(tree)
    assert error is not None
    assert (error.msg, error.lineno) == ("'return' outside function", 5_001)
