"""Calls as `sys.settrace` tells of them, before Python 3.12: it names exceptions, and leaves libraries alone."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from time import perf_counter
from types import CodeType, FrameType
from typing import Any

from reflex_ipython.traces.ends import Ends
from reflex_ipython.traces.passed_over import PassedOver
from reflex_ipython.traces.raised import raised
from reflex_ipython.traces.recorded import Raised
from reflex_ipython.traces.recorder import CallRecorder
from reflex_ipython.traces.thrift import Thrift

TAKEN = "a debugger or another tracer took its place"
ENDED = "Python ended it, as it does at a Ctrl-C or where the stack is full"


class TraceHook:
    """Set where no other tracer is (`hook.Hook`)."""

    def __init__(self) -> None:
        self.recorders: tuple[CallRecorder, ...] = ()
        self.lines = False
        self.thrift: Thrift | None = None
        self._ends = Ends()
        self._raised: dict[int, tuple[Raised, int]] = {}
        """What was raised last in a frame, and at which instruction, by the frame's id."""
        self._trace, self.pass_over = self._hot()  # one object: what Python has is compared with it
        self._threads_before: Any = None

    def set(self) -> str:
        """Have Python call it."""
        now = sys.gettrace()
        if now is not None and now is not self._trace:
            return TAKEN
        if now is None:
            if threading.gettrace() is not self._trace:
                self._threads_before = threading.gettrace()
                threading.settrace(self._trace)
            sys.settrace(self._trace)
        return ""

    def goes_on(self, code: CodeType) -> None:
        """Python tells of all frames that go on."""

    def unset(self) -> str:
        """Put back what was there."""
        if threading.gettrace() is self._trace:
            threading.settrace(self._threads_before)
        now = sys.gettrace()
        if now is not self._trace:
            return ENDED if now is None else TAKEN
        sys.settrace(None)
        return ""

    def _hot(self) -> tuple[Callable[[FrameType, str, Any], Any], Callable[[PassedOver], None]]:
        """What Python calls whenever a frame begins, or goes on; and `pass_over`.

        Most calls are libraries', or of functions whose calls are only counted: for these no attribute of ours is
        looked up, and nothing of ours is called.
        """
        first, tell = PassedOver(), self._tell
        ask, meet = first.ask, first.meet

        def begins(frame: FrameType, event: str, argument: Any) -> Any:
            try:
                if ask[id(frame.f_code)]() is not None:
                    return None
            except KeyError:
                if meet(frame.f_code) is not None:
                    return None
            return tell(frame)

        def pass_over(passed_over: PassedOver) -> None:
            nonlocal ask, meet
            ask, meet = passed_over.ask, passed_over.meet

        return begins, pass_over

    def _tell(self, frame: FrameType) -> Any:
        """A frame of the user's own begins, or goes on."""
        thrift = self.thrift
        if thrift is not None and id(frame.f_code) in thrift.frequent and perf_counter() < thrift.until:
            return None
        if not self.recorders:
            return None
        for recorder in self.recorders:
            recorder.enter(frame)
        frame.f_trace_lines = self.lines
        return self._within

    def _within(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "return":
            self._ended(frame, argument)
        elif event == "exception":
            self._raised[id(frame)] = raised(argument[1], frame.f_lineno), frame.f_lasti
        elif event == "line":
            for recorder in self.recorders:
                recorder.reach(frame, frame.f_lineno)
        return self._within

    def _ended(self, frame: FrameType, argument: Any) -> None:
        end = self._ends.of(frame)
        error, at = self._raised.pop(id(frame), (None, -1)) if self._raised else (None, -1)
        thrown = error is not None and argument is None and at == frame.f_lasti
        for recorder in self.recorders:
            if end == "return":
                recorder.leave(frame, argument)
            elif end == "pause" and not thrown:
                recorder.pause(frame)
            else:
                recorder.fail(frame, error or Raised(""))
