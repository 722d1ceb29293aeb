"""Recorded requests made again with changed functions, in a copy of the process: what is answered, and what was."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from types import CodeType, FrameType, FunctionType
from typing import Any

from reflex_ipython.traces.patience import TooLong, within
from reflex_ipython.traces.recorded import WebExchange
from reflex_ipython.traces.recorder import Answered, CallRecorder
from reflex_ipython.traces.requested import ReplayedResponse, is_whole, made_again, recorded
from reflex_ipython.traces.same import brief, difference

_EACH = 1.0  # seconds that a request gets at least
_TIMES = 20  # what it took


@dataclass(frozen=True)
class ChangedFunction:
    """A function that a fix changes: its old code, and what it is by now."""

    old: CodeType
    new: FunctionType


class Requests:
    """Counts requests: those that the old functions answer as was recorded, and in which new ones have a part.

    Parameters
    ----------
    changed : sequence of ChangedFunction
    """

    def __init__(self, changed: Sequence[ChangedFunction]) -> None:
        self._changed = changed
        self.same = self.different = 0
        self.failing = self.difference = ""

    async def count(self, recorder: CallRecorder, until: float) -> None:
        """Make a recorder's requests again, the latest first, until there is no time left."""
        last = recorder.requests[-1] if recorder.requests else None
        for answered in reversed(recorder.requests):
            if time.perf_counter() > until or threading.current_thread() is not threading.main_thread():
                return
            if is_whole(answered.exchange):
                await self._one(answered, until, is_last=answered is last)

    async def _one(self, answered: Answered, until: float, *, is_last: bool) -> None:
        exchange = answered.exchange
        seconds = max(_EACH, _TIMES * exchange.duration)
        try:
            with ExitStack() as stack:
                for one in self._changed:
                    stack.enter_context(_code(one.new, one.old))
                before = await _within(answered, seconds, until)
            if before is None or not _is_as_recorded(exchange, before):
                return
            with _watching({one.new.__code__ for one in self._changed}) as reached:
                after = await _within(answered, seconds, until)
        except ValueError:  # the codes close over other variables
            return
        if not reached or after is None:
            return
        if before.fails:
            if is_last:
                self.failing = str(after) if after.fails else "passes"
        elif words := _differs(before, after):
            self.different += 1
            self.difference = self.difference or f"{_asked(exchange)} {words}"
        else:
            self.same += 1


async def _within(answered: Answered, seconds: float, until: float) -> ReplayedResponse | None:
    """The answer; None if it takes too long."""
    try:
        with within(seconds, until - time.perf_counter()):
            return await made_again(answered)
    except TooLong:
        return None


@contextmanager
def _code(function: FunctionType, code: CodeType) -> Iterator[None]:
    """A function with another code: whoever has the function runs that."""
    now = function.__code__
    function.__code__ = code
    try:
        yield
    finally:
        function.__code__ = now


@contextmanager
def _watching(codes: set[CodeType]) -> Iterator[list[bool]]:
    """Notes whether one of these codes runs: an application may hold a function that is none of the changed ones."""
    known = {id(code) for code in codes}
    seen: list[bool] = []

    def profile(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and id(frame.f_code) in known and not seen:
            seen.append(True)

    before, before_threads = sys.getprofile(), threading.getprofile()
    sys.setprofile(profile)
    threading.setprofile(profile)
    try:
        yield seen
    finally:
        sys.setprofile(before)
        threading.setprofile(before_threads)


def _is_as_recorded(exchange: WebExchange, now: ReplayedResponse) -> bool:
    """Whether the old functions answer as they did, as far as that was kept."""
    was = recorded(exchange)
    whole = len(was.body) == exchange.response.size
    same_body = was.body == now.body if whole else now.body.startswith(was.body)
    return (was.status, was.error) == (now.status, now.error) and (same_body or was.fails)


def _differs(before: ReplayedResponse, after: ReplayedResponse) -> str:
    """The first difference between two answers, in words; empty: there is none."""
    if (before.status, before.error) != (after.status, after.error):
        return f"gave {before}, gives {after}"
    if before.body == after.body:
        return ""
    return difference(before.content, after.content, 0) or f"gave {brief(before.body)}, gives {brief(after.body)}"


def _asked(exchange: WebExchange) -> str:
    return f"{exchange.method} {exchange.path}{'?' if exchange.query else ''}{exchange.query}"[:80]
