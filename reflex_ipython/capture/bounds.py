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


class SummaryDeadline:
    """A deadline for the summaries of one capture, and one for each of them.

    Parameters
    ----------
    total : float
        Seconds for all of them together.
    each : float
        Seconds for one.
    """

    def __init__(self, total: float, each: float) -> None:
        self._end = time.perf_counter() + total
        self._each = each
        self._until = self._end

    @property
    def over(self) -> bool:
        """Whether there is no time left for any value."""
        return time.perf_counter() > self._end

    @property
    def late(self) -> bool:
        """Whether the value that is being looked at has taken too long."""
        return time.perf_counter() > self._until

    def start(self) -> None:
        """The next value's time starts."""
        self._until = min(self._end, time.perf_counter() + self._each)


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

    Every instruction of Python looks at the clock, by a trace function that is put back afterwards. A single long
    call into C can't be ended in this way: so this is for exceptions' messages alone, which were shown a moment ago.
    """
    end = time.perf_counter() + seconds

    def watch(frame: FrameType, event: str, argument: Any) -> Any:
        frame.f_trace_opcodes = True  # a loop on one line has no lines to tell
        if time.perf_counter() > end:
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
