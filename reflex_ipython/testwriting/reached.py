"""Which lines of the functions of some files run, and which they have."""

from __future__ import annotations

import contextlib
import dis
import inspect
import os
import sys
from collections.abc import Iterable, Iterator
from types import CodeType, FrameType
from typing import Any


class ReachedLines:
    """Sees lines on this thread.

    Parameters
    ----------
    files : iterable of str
        Their real paths. None: nothing is watched, and nothing is slower.
    """

    def __init__(self, files: Iterable[str]) -> None:
        self._files = set(files)
        self._known: dict[str, str] = {}
        self._seen: set[tuple[str, int]] = set()

    @property
    def lines(self) -> list[tuple[str, int]]:
        """Files and lines, 1-based, sorted."""
        return sorted(self._seen)

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Until the end of the block."""
        if not self._files:
            yield
            return
        before = sys.gettrace()
        sys.settrace(self._begins)
        try:
            yield
        finally:
            sys.settrace(before)

    def _begins(self, frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        if code.co_filename not in self._known:
            self._known[code.co_filename] = os.path.realpath(code.co_filename)
        is_ours = self._known[code.co_filename] in self._files and code.co_flags & inspect.CO_OPTIMIZED
        return self._within if is_ours else None

    def _within(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            self._seen.add((self._known[frame.f_code.co_filename], frame.f_lineno))
        return self._within


def lines_of(source: str) -> set[int]:
    """The lines of a text's functions that can run, without the lines on which they begin."""
    found: set[int] = set()
    codes = [compile(source, "a file", "exec", dont_inherit=True)]
    while codes:
        code = codes.pop()
        codes += [one for one in code.co_consts if isinstance(one, CodeType)]
        if code.co_flags & inspect.CO_OPTIMIZED:
            found |= {line for _, line in dis.findlinestarts(code) if line is not None} - {code.co_firstlineno}
    return found
