"""Bounds of time and size: what is foreign costs a known amount at most, and never raises."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")

_log = logging.getLogger(__name__)

WAITS = 10.0
"""So many times as long a bound is on the wall as in this thread's processor time: for what waits, for a disk say."""
TURN = 0.5
"""Seconds that it is at least: a thread may have to wait so long for its turn, and the bound be a few milliseconds."""


class SummaryDeadline:
    """A deadline for the summaries of one capture, and one for each of them; for use on one thread.

    Parameters
    ----------
    total : float
        Seconds for all of them together.
    each : float
        Seconds for one.

    It is counted in the processor time of this thread: what others do on a busy machine must not change what is told of
    values. The clock on the wall has `WAITS` times as much, and `TURN` at least.
    """

    def __init__(self, total: float, each: float) -> None:
        self._each = each
        self._end = self._until = _in(total)

    @property
    def over(self) -> bool:
        """Whether there is no time left for any value."""
        return _is_past(self._end)

    @property
    def late(self) -> bool:
        """Whether the value that is being looked at has taken too long."""
        return _is_past(self._until)

    def start(self) -> None:
        """The next value's time starts."""
        work, clock = _in(self._each)
        self._until = min(self._end[0], work), min(self._end[1], clock)


def _in(seconds: float) -> tuple[float, float]:
    """When the processor time is over, and when that on the wall is."""
    return time.thread_time() + seconds, time.perf_counter() + max(WAITS * seconds, TURN)


def _is_past(end: tuple[float, float]) -> bool:
    return time.thread_time() > end[0] or time.perf_counter() > end[1]


def clean(text: str) -> str:
    """The text with what neither JSON readers nor databases take (lone surrogates, NUL) replaced by U+FFFD."""
    if "\0" in text:
        text = text.replace("\0", "�")
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join("�" if "\ud800" <= character <= "\udfff" else character for character in text)
    return text


def clip(text: str, size: int) -> str:
    """At most `size` characters of the text, cleaned; a cut is marked with "…"."""
    return clean(text) if len(text) <= size else clean(text[: max(size - 1, 0)]) + "…"


def attempt(default: T, function: Callable[..., T], *arguments: Any) -> T:
    """The function's result, or `default` if it raises: one part that can't be told does not spoil the rest."""
    try:
        return function(*arguments)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - the function looks at the user's objects, which may do anything
        _log.debug("%s gave up", getattr(function, "__qualname__", function), exc_info=True)
        return default


class _Deadline(BaseException):
    """Not an `Exception`, so that the foreign code does not catch it by accident."""


def within(seconds: float, function: Callable[[], T], default: T) -> T:
    """Call foreign Python code for at most so long: `default` if it takes longer or raises.

    It is the processor time of this thread; what the code waits for is bounded as well (`WAITS`). Every instruction of
    Python looks at the clock, by a trace function that is put back afterwards. A single long call into C can't be ended
    in this way: so this is for exceptions' messages alone, which were shown a moment ago.
    """
    deadline = SummaryDeadline(seconds, seconds)

    def watch(frame: FrameType, event: str, argument: Any) -> Any:
        frame.f_trace_opcodes = True  # a loop on one line has no lines to tell
        if deadline.over:
            raise _Deadline
        return watch

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        return function()
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - foreign code may raise anything, `SystemExit` too
        return default
    finally:
        sys.settrace(before)
