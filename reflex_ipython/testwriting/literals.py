"""Values as a person would write them in a test: an expression, what it imports, and the files that it reads."""

from __future__ import annotations

import base64
import dataclasses
import enum
import inspect
import math
import sys
from types import FunctionType, ModuleType
from typing import Any

from reflex_ipython.base.article import a
from reflex_ipython.base.classes import inherits
from reflex_ipython.base.library_files import is_library

MOST_PARTS = 2_000
"""So many values in each other are written out."""
MAIN = "__main__"


class CannotWrite(Exception):
    """A value can't be written in a test; the text says why and fits behind "its value ": "is an open file"."""


@dataclasses.dataclass(frozen=True)
class Literal:
    """A value as an expression.

    Parameters
    ----------
    text : str
    imports : tuple of str
        The statements that it needs, `import pandas as pd`.
    names : tuple of str
        The names of the notebook's own that it uses: its classes.
    files : dict of str to str
        What it reads beside the test, base64, by the ends of the files' names.
    kind : str
        How it is compared: "frame", "series", "index", "array", "float", "nan", "single" (None, True, False), "state"
        of an object that equals nothing but itself, "never" for what holds such ones, else "equal".
    """

    text: str
    imports: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    files: dict[str, str] = dataclasses.field(default_factory=dict)
    kind: str = "equal"


class LiteralWriter:
    """Writes one value.

    Parameters
    ----------
    name : str
        What the value is called: names the file of one that is too long.
    """

    def __init__(self, name: str = "value") -> None:
        self.name = name
        self.imports: dict[str, None] = {}
        self.names: dict[str, None] = {}
        self.files: dict[str, str] = {}
        self.holds_objects = False
        """Whether something in it equals nothing but itself."""
        self._parts = 0
        self._inside: set[int] = set()

    def written(self, value: Any) -> str:
        """The expression of a value.

        Raises
        ------
        CannotWrite
            If it is none that can be written down.
        """
        self._parts += 1
        if self._parts > MOST_PARTS:
            raise CannotWrite(f"holds more than {MOST_PARTS:,} values")
        if id(value) in self._inside:
            raise CannotWrite("holds itself")
        self._inside.add(id(value))
        try:
            return self._written(value)
        finally:
            self._inside.discard(id(value))

    def needs(self, statement: str) -> None:
        """An import that the expression needs."""
        self.imports[statement] = None

    def beside(self, data: bytes, ending: str) -> str:
        """The expression of a file's path, which has these bytes and is written beside the test."""
        number = f"_{len(self.files) + 1}" if self.files else ""
        name = f"{self.name}{number}{ending}"
        self.files[name] = base64.b64encode(data).decode()
        self.needs("from pathlib import Path")
        return f'Path(__file__).with_name("{name}")'

    def _written(self, value: Any) -> str:
        kind = type(value)
        from reflex_ipython.testwriting.plain_literals import PLAIN  # which write with this class

        plain = PLAIN.get(kind)
        if plain is not None:
            return plain(self, value)
        if isinstance(value, enum.Enum):
            return f"{self.type_(kind)}.{value.name}"
        package = kind.__module__.partition(".")[0]
        if package in ("numpy", "pandas"):
            from reflex_ipython.testwriting import table_literals

            return table_literals.written(self, value)
        if inherits(kind, type):
            return self.type_(value)
        if isinstance(value, FunctionType):
            return self._function(value)
        if isinstance(value, ModuleType):
            self.needs(f"import {value.__name__}")
            return value.__name__
        return self._instance(value)

    def type_(self, kind: type) -> str:
        """A class, by its name."""
        if kind.__module__ == "builtins":
            return kind.__qualname__
        if "<locals>" in kind.__qualname__:
            raise CannotWrite(f"is of the class {kind.__qualname__}, which no test can name")
        top = kind.__qualname__.partition(".")[0]
        if kind.__module__ == MAIN:
            self.names[top] = None
        else:
            self.needs(f"from {kind.__module__} import {top}")
        return kind.__qualname__

    def _function(self, value: FunctionType) -> str:
        if not value.__qualname__.isidentifier():
            raise CannotWrite(f"is the function {value.__qualname__}, which no test can name")
        if value.__module__ == MAIN:
            self.names[value.__qualname__] = None
        else:
            self.needs(f"from {value.__module__} import {value.__qualname__}")
        return value.__qualname__

    def _instance(self, value: Any) -> str:
        """An object of the user's as the call that makes its equal: its parameters are found among its attributes."""
        kind = type(value)
        if isinstance(value, tuple) and hasattr(kind, "_fields"):
            return self._call(self.type_(kind), [(name, getattr(value, name)) for name in kind._fields])
        state = getattr(value, "__dict__", None)
        if type(state) is not dict or _is_of_a_library(kind):
            raise CannotWrite(f"is {a(kind.__name__)}, which can't be written down")
        given = _constructor(kind, state)
        self.holds_objects |= _equals_itself_alone(kind)
        if given is None:
            raise CannotWrite(f"is {a(kind.__name__)}, and which call made it can't be told")
        return self._call(self.type_(kind), given)

    def _call(self, function: str, given: list[tuple[str, Any]]) -> str:
        return f"{function}({', '.join(f'{name}={self.written(value)}' for name, value in given)})"


def literal(value: Any, name: str = "value") -> Literal:
    """A value as an expression. Raises `CannotWrite` if it can't be."""
    writer = LiteralWriter(name)
    text = writer.written(value)
    kind = _kind(value)
    if writer.holds_objects and kind != "frame":
        kind = "state" if _equals_itself_alone(type(value)) else "never"
    return Literal(text, tuple(writer.imports), tuple(writer.names), writer.files, kind)


def _equals_itself_alone(kind: Any) -> bool:
    return bool(kind.__eq__ is object.__eq__)


def quoted(text: str) -> str:
    """A text in the quotes that `ruff format` prefers."""
    plain = repr(text)
    if plain.startswith("'") and '"' not in text:
        return '"' + plain[1:-1].replace("\\'", "'") + '"'
    return plain


def _kind(value: Any) -> str:
    name = type(value).__name__
    if type(value).__module__.partition(".")[0] == "pandas":
        known = {"DataFrame": "frame", "Series": "series"}
        return known.get(name, "index" if name.endswith("Index") else "equal")
    if name == "ndarray":
        return "array"
    if isinstance(value, float):
        return "nan" if math.isnan(value) else "float"
    return "single" if value is None or isinstance(value, bool) else "equal"


def _is_of_a_library(kind: type) -> bool:
    """Whether its class is nobody's but a library's: what such an object holds is more than what it was made with."""
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return kind.__module__ != MAIN and (file is None or is_library(file))


def _constructor(kind: type, state: dict[str, Any]) -> list[tuple[str, Any]] | None:
    """The arguments with which a class gives an object of this state, without running it; None if that is not clear."""
    try:
        parameters = inspect.signature(kind).parameters.values()
    except (TypeError, ValueError):
        return None
    given = []
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        found = next((name for name in (parameter.name, f"_{parameter.name}") if name in state), None)
        if found is None and parameter.default is parameter.empty:
            return None
        if found is not None and state[found] is not parameter.default:
            given.append((parameter.name, state[found]))
    return given
