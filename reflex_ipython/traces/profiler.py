"""Calls as `sys.setprofile` tells of them, where a debugger or coverage has Python's trace function."""

from __future__ import annotations

import sys
import threading
from time import perf_counter
from types import CodeType, FrameType
from typing import Any

from reflex_ipython.traces.ends import Ends
from reflex_ipython.traces.passed_over import PassedOver
from reflex_ipython.traces.recorded import Raised
from reflex_ipython.traces.recorder import CallRecorder
from reflex_ipython.traces.thrift import Thrift

TAKEN = "a profiler took its place"


class ProfileHook:
    """Set where no other profiler is (`hook.Hook`). It is not told which exceptions leave a frame, nor of lines."""

    def __init__(self) -> None:
        self.recorders: tuple[CallRecorder, ...] = ()
        self.lines = False
        self._passed_over = PassedOver()
        self.thrift: Thrift | None = None
        self._ends = Ends()
        self._profile = self._event  # one object: what Python has is compared with it
        self._threads_before: Any = None

    def set(self) -> str:
        """Have Python call it."""
        now = sys.getprofile()
        if now is not None and now is not self._profile:
            return "a tracer and a profiler are on already"
        if now is None:
            if threading.getprofile() is not self._profile:
                self._threads_before = threading.getprofile()
                threading.setprofile(self._profile)
            sys.setprofile(self._profile)
        return ""

    def pass_over(self, passed_over: PassedOver) -> None:
        """Tell nothing of these calls."""
        self._passed_over = passed_over

    def goes_on(self, code: CodeType) -> None:
        """Python tells of all frames that go on."""

    def unset(self) -> str:
        """Put back what was there."""
        if threading.getprofile() is self._profile:
            threading.setprofile(self._threads_before)
        if sys.getprofile() is not self._profile:
            return TAKEN
        sys.setprofile(None)
        return ""

    def _event(self, frame: FrameType, event: str, argument: Any) -> None:
        if event != "call" and event != "return":
            return
        if event == "call":
            key = id(frame.f_code)
            try:
                passed = self._passed_over.ask[key]()
            except KeyError:
                passed = self._passed_over.meet(frame.f_code)
            thrift = self.thrift
            if passed is not None or (thrift is not None and key in thrift.frequent and perf_counter() < thrift.until):
                return
        else:
            if not any(recorder.has_open(frame) for recorder in self.recorders):
                return
        self._tell(frame, event, argument)

    def _tell(self, frame: FrameType, event: str, argument: Any) -> None:
        end = "" if event == "call" else self._ends.of(frame)
        for recorder in self.recorders:
            if event == "call":
                recorder.enter(frame)
            elif end == "return":
                recorder.leave(frame, argument)
            elif end == "pause":
                recorder.pause(frame)
            else:
                recorder.fail(frame, Raised("", "", frame.f_lineno))
