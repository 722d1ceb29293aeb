"""The text of a test with parameters: recorded calls of one function, and what each of them gave or raised."""

from __future__ import annotations

import dataclasses
import textwrap
from typing import Any

from reflex_ipython.testwriting import formatting
from reflex_ipython.testwriting.literals import Literal
from reflex_ipython.testwriting.module_text import has_floats

HEAD = '"""Calls that were recorded, and what they gave."""'
OTHERS = ("pytest", "pandas", "numpy", "time_machine", "requests", "urllib3", "httpx", "responses", "respx")
"""Packages that a test may need, whatever the code that it tests imports."""
_TABLES = ("frame", "series", "index")


@dataclasses.dataclass(frozen=True)
class CallCase:
    """A call, and what came of it.

    Parameters
    ----------
    given : tuple of (str, Literal)
        The values by the names of the parameters.
    came : Literal
        What it gave, or the class of what it raised.
    raises : bool
    """

    given: tuple[tuple[str, Literal], ...]
    came: Literal
    raises: bool = False

    @property
    def manner(self) -> str:
        """How what came is compared: those of one manner stand in one test."""
        if self.raises:
            return "raises"
        return self.came.kind if self.came.kind in (*_TABLES, "array", "state") else "equal"

    @property
    def literals(self) -> tuple[Literal, ...]:
        """All values."""
        return (*(value for _, value in self.given), self.came)

    def text(self) -> str:
        """The tuple of its values."""
        parts = [*(value.text for _, value in self.given), self._came()]
        return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"

    def _came(self) -> str:
        text = self.came.text
        if self.came.kind == "nan":
            return f"pytest.approx({text}, nan_ok=True)"
        return f"pytest.approx({text})" if self.came.kind == "float" or has_floats(text) else text


@dataclasses.dataclass(frozen=True)
class CallSurroundings:
    """What stands around the call of a test.

    Parameters
    ----------
    fixtures : tuple of str
        Pytest's, as further parameters.
    setup : tuple of str
        Statements in front of it.
    contexts : tuple of str
        What stands behind `with`.
    inside : tuple of str
        Statements in that block in front of the call.
    after : tuple of str
        Statements behind the call, in that block.
    """

    fixtures: tuple[str, ...] = ()
    setup: tuple[str, ...] = ()
    contexts: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    def around(self, text: str) -> str:
        """A statement with all that around it."""
        lines = list(self.setup)
        if self.contexts:
            block = "\n".join([*self.inside, text, *self.after])
            lines += [f"with {', '.join(self.contexts)}:", textwrap.indent(block, "    ")]
        else:
            lines.append(text)
        return "\n".join(lines)


@dataclasses.dataclass(frozen=True)
class ParametrisedTest:
    """Such a test.

    Parameters
    ----------
    name : str
    words : str
        Its docstring.
    call : str
        An expression of the parameters.
    imports : tuple of str
    cases : tuple of CallCase
        Of one manner, with the same parameters.
    libraries : tuple of str
        Packages that are no files of the user's own.
    frame : CallSurroundings
    """

    name: str
    words: str
    call: str
    imports: tuple[str, ...]
    cases: tuple[CallCase, ...]
    libraries: tuple[str, ...] = ()
    frame: CallSurroundings = CallSurroundings()

    @property
    def files(self) -> dict[str, str]:
        """What stands beside it, base64, by name."""
        return {name: data for case in self.cases for one in case.literals for name, data in one.files.items()}

    @property
    def text(self) -> str:
        """The whole file."""
        return "\n\n".join([HEAD, self._imports()]) + f"\n\n\n{self._body()}\n"

    @property
    def _manner(self) -> str:
        return self.cases[0].manner

    def _imports(self) -> str:
        own = [*self.imports, *(text for case in self.cases for one in case.literals for text in one.imports)]
        own += ["import pytest"]
        own += ["import numpy as np"] if self._manner == "array" else []
        own += ["import pandas as pd"] if self._manner in _TABLES else []
        own += ["import asyncio"] if self.call.startswith("asyncio.") else []
        return formatting.ordered(dict.fromkeys(own), (*self.libraries, *OTHERS))

    def _body(self) -> str:
        names = [name for name, _ in self.cases[0].given]
        names.append("error" if self._manner == "raises" else "expected")
        asked = ", ".join(f'"{name}"' for name in names) + ("," if len(names) == 1 else "")
        cases = "".join(f"        {formatting.call(case.text(), 8)},\n" for case in self.cases)
        head = f"@pytest.mark.parametrize(\n    ({asked}),\n    [\n{cases}    ],\n)\n"
        parameters = ", ".join([*names, *self.frame.fixtures])
        body = textwrap.indent(self.frame.around(self._compared()), "    ")
        return f'{head}def {self.name}({parameters}):\n    """{self.words}"""\n{body}'

    def _compared(self) -> str:
        """What the test does."""
        call, manner = self.call, self._manner
        if manner == "raises":
            return f"with pytest.raises(error):\n    {call}"
        if manner in _TABLES:
            return f"pd.testing.assert_{manner}_equal({call}, expected)"
        if manner == "array":
            return f"np.testing.assert_allclose({call}, expected)"
        if manner == "state":
            return f"assert vars({call}) == vars(expected)"
        is_single = all(case.came.kind == "single" for case in self.cases)
        return f"assert {call} {'is' if is_single else '=='} expected"


def merged(cases: list[CallCase]) -> list[CallCase]:
    """Each case once: arguments that are written in the same way are the same."""
    found: dict[Any, CallCase] = {}
    for case in cases:
        found.setdefault(tuple((name, value.text, tuple(value.files.values())) for name, value in case.given), case)
    return [*found.values()]
