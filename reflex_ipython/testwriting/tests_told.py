"""What was written of a trace, in words."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reflex_ipython.capture.secrets.find import find
from reflex_ipython.testwriting.recorded_calls import LeftOut

HOLDS_SECRETS = "{} holds what looks like a secret: look at it before anybody else does."


@dataclasses.dataclass(frozen=True)
class FunctionLines:
    """Lines of the functions of a file.

    Parameters
    ----------
    file : str
    reached : int
        By the new tests.
    lines : int
        That there are.
    gained : int or None
        Reached by none of the tests that were there; None: those could not be run.
    """

    file: str
    reached: int
    lines: int
    gained: int | None


@dataclasses.dataclass(frozen=True)
class WrittenTests:
    """What came of a trace.

    Parameters
    ----------
    tests : tuple of (Path, int, str)
        The file of each test, how many cases it has, its text.
    left_out : tuple of LeftOut
    reached : tuple of FunctionLines
    """

    tests: tuple[tuple[Path, int, str], ...]
    left_out: tuple[LeftOut, ...]
    reached: tuple[FunctionLines, ...]

    @property
    def files(self) -> tuple[Path, ...]:
        """Those that were written."""
        return tuple(dict.fromkeys(path for path, _, _ in self.tests))

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """As a notebook shows it."""
        printer.text(str(self))

    def _lines(self) -> Iterator[str]:
        for path in self.files:
            cases = [count for each, count, _ in self.tests if each == path]
            yield f"Wrote {_many(len(cases), 'test')} of {_many(sum(cases), 'call')} into {_shown(path)}, seen to pass."
            if any(find(text, code=True) for each, _, text in self.tests if each == path):
                yield HOLDS_SECRETS.format(_shown(path))
        if not self.files:
            yield "No test was written."
        if self.files:
            yield from map(_reached, self.reached)
        if self.left_out:
            yield "Left out:"
        for one in self.left_out:
            yield f"- {one.function} ({_many(one.calls, 'call')}) {one.why}".rstrip(".") + "."


def _reached(one: FunctionLines) -> str:
    lines = f"They reach {one.reached:,} of {_many(one.lines, 'line')} of the functions in {_shown(one.file)}"
    if one.gained is None:
        return f"{lines}; what the tests that were there reach is not known: they could not be run in the sandbox."
    return f"{lines}, {one.gained:,} of which no test reached before."


def _many(count: int, word: str) -> str:
    return f"{count:,} {word}{'s' * (count != 1)}"


def _shown(path: str | Path) -> str:
    """A path as seen from here, where it is below."""
    relative = os.path.relpath(path)
    return str(path) if relative.startswith("..") else relative
