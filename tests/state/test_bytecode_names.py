"""What bytecode reads: our quick look at it says the same as `dis`."""

from __future__ import annotations

import ast
import dis
import inspect
import json
import types
from collections.abc import Iterator

import pytest

from reflex_ipython.state import bytecode_names, walk
from reflex_ipython.state.bytecode_names import is_inert, reads


def of(source: str) -> bytecode_names.Reads:
    return reads(compile(source, "<cell>", "exec"))


@pytest.mark.parametrize("module", [json, ast, inspect, types, walk, dis])
def test_the_quick_look_finds_the_names_that_dis_finds(module: types.ModuleType) -> None:
    code = compile(inspect.getsource(module), "<cell>", "exec")
    read, stored, attributes = set(), set(), set()
    for instruction in _all(code):
        if instruction.opname in ("LOAD_NAME", "LOAD_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS"):
            read.add(instruction.argval)
        elif instruction.opname in ("STORE_ATTR", "DELETE_ATTR"):
            stored.add(instruction.argval)
        elif instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            attributes.add(instruction.argval)
    found = reads(code)
    assert found.names >= read
    assert found.attributes >= attributes
    assert found.stored >= stored
    if (read | attributes).isdisjoint(bytecode_names.SETTERS):
        assert found.stored == stored


def _all(code: types.CodeType) -> Iterator[dis.Instruction]:
    yield from dis.get_instructions(code)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _all(constant)


def test_many_names_need_long_arguments() -> None:
    assert of("; ".join(f"name{place}" for place in range(1000))).names == {f"name{place}" for place in range(1000)}


def test_words_of_an_executed_string_are_names_and_other_strings_are_none() -> None:
    found = of("exec('x.append(1)'); print('nothing')")
    assert {"x", "append", "exec", "print"} == found.names
    assert not found.everything


@pytest.mark.parametrize(
    "source",
    [
        "exec(text)",
        "exec('a' + b)",
        "eval(f'{x}')",
        "globals()",
        "vars()",
        "get_ipython().user_ns",
        "get_ipython().user_module.a",
        "exec('exec(t)')",
        "get_ipython().run_line_magic('run', '-i script.py')",
        "def f(): exec(text)",
        "sys._getframe().f_globals",
        "f.__globals__['x'] = 1",
    ],
)
def test_where_nobody_can_tell_the_answer_is_everything(source: str) -> None:
    assert of(source).everything


@pytest.mark.parametrize("source", ["eval('x')", "x.globals", "def f(): vars(x)", "'globals'", "f(locals=1)"])
def test_what_only_looks_like_everything_is_not(source: str) -> None:
    assert not of(source).everything


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a.resize(3)", {("a", True)}),
        ("cv2.resize(a)", {("cv2", True)}),
        ("skimage.transform.resize(a)", {("skimage", False)}),
        ("box[0].resize(3)", {("", False)}),
        ("def f(self): self.buffer.resize(3)", {("", False)}),
        ("resize(a)", set()),
    ],
)
def test_who_is_resized_is_known_by_the_name_that_the_expression_begins_with(
    source: str, expected: set[tuple[str, bool]]
) -> None:
    assert of(source).resized == expected


@pytest.mark.parametrize(
    "source",
    ["pass", "x = 3", "y = x", "x = 'a', 2", "del x", "def f(a, b=3): return a.pop()", "f = lambda: open('x')", "..."],
)
def test_a_statement_that_only_binds_names_is_inert(source: str) -> None:
    assert is_inert(compile(source, "<cell>", "exec"))


@pytest.mark.parametrize(
    ("source", "mode"),
    [
        ("f()", "exec"),
        ("x.a = 1", "exec"),
        ("x[0] = 1", "exec"),
        ("x += 1", "exec"),
        ("x.a", "exec"),
        ("x + y", "exec"),
        ("-x", "exec"),
        ("a, b = x", "exec"),
        ("[*x]", "exec"),
        ("f'{x}'", "exec"),
        ("import math", "exec"),
        ("class A: pass", "exec"),
        ("@f\ndef g(): pass", "exec"),
        ("if x: pass", "exec"),
        ("for a in x: pass", "exec"),
        ("{x: 1}", "exec"),
        ("x", "single"),
    ],
)
def test_whatever_may_run_other_code_is_not_inert(source: str, mode: str) -> None:
    assert not is_inert(compile(source, "<cell>", mode))
