"""A call while it is recorded: what was noted of it so far."""

from __future__ import annotations

from types import CodeType
from typing import Any

from reflex_ipython.traces.recorded import Raised

NOTHING: Any = object()
"""In the place of a value that is not there: a call that did not end, a parameter that was not bound."""


class Opened:
    """One call while it is recorded, and until the trace is put together."""

    __slots__ = (
        *("above", "arguments", "code", "end", "exception", "frame", "id"),
        *("lines", "paused", "result", "start", "thread", "yielded"),
    )

    def __init__(self, number: int, code: CodeType, above: tuple[int | None, int], thread: str) -> None:
        self.id = number
        self.code = code
        self.above = above
        """The call that made it, and its depth."""
        self.thread = thread
        self.frame = 0
        """The frame's id, which another one may have by now: a reference would keep the user's objects."""
        self.arguments: tuple[Any, ...] = ()
        self.result: Any = NOTHING
        self.exception: Raised | None = None
        self.end: float | None = None
        self.lines: set[int] | None = None
        self.yielded = 0
        self.paused = -1
        """The instruction at which it pauses (a frame that stands before it is another, which begins); -1: it runs."""
        self.start = 0.0
