"""Calls as `sys.settrace` tells of them, before Python 3.12: it names exceptions, and leaves libraries alone."""

from __future__ import annotations

import sys
import threading
from time import perf_counter
from types import CodeType, FrameType
from typing import Any

from reflex_ipython.traces.ends import Ends
from reflex_ipython.traces.own_code import is_own
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
        self.full: dict[int, int] = {}
        self.thrift: Thrift | None = None
        self._own: dict[int, tuple[CodeType, bool]] = {}
        self._ends = Ends()
        self._raised: dict[int, tuple[Raised, int]] = {}
        """What was raised last in a frame, and at which instruction, by the frame's id."""
        self._trace = self._begins  # one object: what Python has is compared with it
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

    def _begins(self, frame: FrameType, event: str, argument: Any) -> Any:
        """A frame begins, or goes on. Libraries' are not looked at again."""
        code = frame.f_code
        key = id(code)
        if key in self.full:
            self.full[key] += 1
            return None
        thrift = self.thrift
        if thrift is not None and key in thrift.frequent and perf_counter() < thrift.until:
            return None
        known = self._own.get(key)
        if known is None:
            known = self._own[key] = code, is_own(code)
        if not known[1] or not self.recorders:
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
