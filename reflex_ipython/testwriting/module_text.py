"""The text of a test: what it imports and defines, what it sets, what it runs, and what it compares."""

from __future__ import annotations

import ast
import dataclasses
import re
import textwrap

from reflex_ipython.base.syntax_trees import expression
from reflex_ipython.testwriting import formatting
from reflex_ipython.testwriting.given_environment import set_in_a_test
from reflex_ipython.testwriting.literals import Literal
from reflex_ipython.testwriting.slices import CellStatement

HEAD = '"""Tests of repairs: each failed before its fix, and passes after it."""'
LONG = 30
"""Characters of an argument that gets a name of its own."""


@dataclasses.dataclass(frozen=True)
class Given:
    """A value that is set before the code runs."""

    name: str
    literal: Literal


@dataclasses.dataclass(frozen=True)
class Script:
    """What a test runs, in one version of the source.

    Parameters
    ----------
    imports : tuple of str
    definitions : tuple of CellStatement
        At the top of the file.
    shared : tuple of Given
        At the top of the file as well: values that the definitions read.
    given : tuple of Given
        In the test.
    body : tuple of str
        Statements of the test; `result` is what a function gave, or the last expression.
    call : str
        The call of a function, if that is all that the body is.
    """

    imports: tuple[str, ...]
    definitions: tuple[CellStatement, ...]
    shared: tuple[Given, ...]
    given: tuple[Given, ...]
    body: tuple[str, ...]
    call: str = ""

    @property
    def literals(self) -> list[Literal]:
        """All values."""
        return [one.literal for one in (*self.shared, *self.given)]

    @property
    def all_imports(self) -> list[str]:
        """With those of the values."""
        return [*dict.fromkeys([*self.imports, *(text for one in self.literals for text in one.imports)])]

    @property
    def flat(self) -> str:
        """The same as a module without a test."""
        parts = ["\n".join(self.all_imports), *self.top, *(f"{one.name} = {one.literal.text}" for one in self.given)]
        return "\n\n".join([*filter(None, parts), *self.body, *([f"result = {self.call}"] if self.call else [])])

    @property
    def top(self) -> list[str]:
        """What stands at the top of the file. Values that are plain come first: what is made of a class needs that."""
        plain = [one for one in self.shared if not one.literal.names]
        others = [one for one in self.shared if one.literal.names]
        shared = [formatting.assignment(one.name, one.literal.text, 0) for one in plain]
        made = [formatting.assignment(one.name, one.literal.text, 0) for one in others]
        return [*shared, *(one.text for one in self.definitions), *made]


@dataclasses.dataclass(frozen=True)
class Expected:
    """What a name must be in the end."""

    name: str
    literal: Literal


@dataclasses.dataclass(frozen=True)
class WrittenTest:
    """A test in one version of the source.

    Parameters
    ----------
    name : str
    words : str
        Its docstring.
    script : Script
    expected : tuple of Expected
    printed : str
        What it must print; empty: that is not compared.
    libraries : tuple of str
        Packages that are no files of the user's own.
    environment : tuple of (str, str or None)
        Environment variables that are set; None: that are not set.
    """

    name: str
    words: str
    script: Script
    expected: tuple[Expected, ...]
    printed: str = ""
    libraries: tuple[str, ...] = ()
    environment: tuple[tuple[str, str | None], ...] = ()

    @property
    def files(self) -> dict[str, str]:
        """What stands beside it, base64, by name."""
        found: dict[str, str] = {}
        for one in [*self.script.literals, *(one.literal for one in self.expected)]:
            found.update(one.files)
        return found

    @property
    def imports(self) -> str:
        """The import statements, sorted."""
        own = [*self.script.all_imports, *(text for one in self.expected for text in one.literal.imports)]
        lines = [_compared(one.name, one.literal) for one in self.expected]
        own += ["import pytest"] if any("pytest." in line for line in lines) else []
        own += ["import pandas as pd"] if any("pd." in line for line in lines) else []
        own += ["import numpy as np"] if any("np." in line for line in lines) else []
        own += ["import math"] if any("math." in line for line in lines) else []
        return formatting.ordered(own, (*self.libraries, "pytest", "pandas", "numpy"))

    @property
    def body(self) -> str:
        """What stands below the imports."""
        fixtures = [*(["capsys"] if self.printed else []), *(["monkeypatch"] if self.environment else [])]
        variables = [set_in_a_test(name, value) for name, value in self.environment]
        lines = [f'"""{self.words}"""', *variables, *self._setup(), "\n".join(self.script.body)]
        compared = [_compared(one.name, one.literal) for one in self._expected()]
        if self.printed:
            compared.append(f"assert capsys.readouterr().out == {formatting.call(repr(self.printed), 4)}")
        if self.script.call:
            compared = self._of_call(compared)
        text = "\n".join([*filter(None, lines), *compared])
        inside = textwrap.indent(text, "    ", lambda line: bool(line.strip()))
        function = f"def {self.name}({', '.join(fixtures)}):\n{inside}"
        return "\n\n\n".join([*self.script.top, function])

    @property
    def text(self) -> str:
        """The whole file."""
        return "\n\n".join(filter(None, [HEAD, self.imports])) + f"\n\n\n{self.body}\n"

    def _setup(self) -> list[str]:
        """What is set in the test; the short arguments of a call stand in the call."""
        call = self.script.call
        return [
            formatting.assignment(one.name, one.literal.text, 4)
            for one in self.script.given
            if not call or not self._is_short(one)
        ]

    def _is_short(self, one: Given) -> bool:
        compared = any(expected.name == one.name for expected in self.expected)
        return len(one.literal.text) <= LONG and not compared

    def _expected(self) -> list[Expected]:
        return [one for one in self.expected if not self.script.call or one.name != "result"]

    def _of_call(self, compared: list[str]) -> list[str]:
        """The call, and what it must give."""
        call = self.script.call
        for one in self.script.given:
            if self._is_short(one):
                call = re.sub(rf"\b{re.escape(one.name)}\b(?=[,).])", one.literal.text.replace("\\", r"\\"), call)
        result = next((one.literal for one in self.expected if one.name == "result"), None)
        if result is None:
            return [call, *compared]
        if result.kind in ("frame", "series", "index", "array") or len(call) + len(result.text) > 70:
            return [formatting.assignment("result", call, 4), _compared("result", result), *compared]
        return [_compared(call, result), *compared]


def _compared(what: str, value: Literal) -> str:
    """The statement that fails unless an expression has a value."""
    text = value.text
    if value.kind in ("frame", "series", "index"):
        return formatting.call(f"pd.testing.assert_{value.kind}_equal({what}, {text})", 4)
    if value.kind == "array":
        return formatting.call(f"np.testing.assert_allclose({what}, {text})", 4)
    if value.kind == "state":
        return f"assert vars({what}) == vars({text})"
    if value.kind == "nan":
        return f"assert math.isnan({what})"
    if value.kind == "single":
        return f"assert {what} is {text}"
    if value.kind == "float" or has_floats(text):
        return f"assert {what} == {formatting.call(f'pytest.approx({text})', 4)}"
    return f"assert {what} == {formatting.call(text, 4)}"


def has_floats(text: str) -> bool:
    """Whether an expression is a flat list or mapping of numbers, some of them no whole ones."""
    try:
        node = expression(text)
    except SyntaxError:
        return False
    inside = node.values if isinstance(node, ast.Dict) else getattr(node, "elts", None)
    if not inside or isinstance(node, ast.Set):
        return False
    numbers = [one.operand if isinstance(one, ast.UnaryOp) else one for one in inside]
    values = [one.value for one in numbers if isinstance(one, ast.Constant) and type(one.value) in (int, float)]
    return len(values) == len(inside) and any(type(one) is float for one in values)
