"""Calls as `sys.monitoring` tells of them, from Python 3.12 on: what is no code of the user's is told of once."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter
from types import CodeType, FrameType
from typing import Any

from reflex_ipython.traces.own_code import is_own
from reflex_ipython.traces.passed_over import PassedOver
from reflex_ipython.traces.recorder import CallRecorder
from reflex_ipython.traces.thrift import Thrift

_TOOLS = (4, 3)  # numbers that Python leaves to nobody in particular
_NAME = "reflex_ipython"
_NOW_AND_THEN = 64
_frame = sys._getframe


class MonitoringHook:
    """One for all threads (`hook.Hook`). Debuggers, profilers and coverage have numbers of their own."""

    def __init__(self) -> None:
        self.recorders: tuple[CallRecorder, ...] = ()
        self.lines = False
        self.thrift: Thrift | None = None
        self._tool: int | None = None
        self._own: dict[int, tuple[CodeType, bool]] = {}
        self._monitoring: Any = sys.monitoring  # type: ignore[attr-defined, unused-ignore]  # of Python 3.12
        self._passed_over = PassedOver()
        self._starts, self._ask = self._hot()

    def set(self) -> str:
        """Have Python call it."""
        if self._tool is not None:
            return ""
        monitoring = self._monitoring
        free = [tool for tool in _TOOLS if monitoring.get_tool(tool) is None]
        if not free:
            return "other tools have all of Python's places for monitoring"
        self._tool = free[0]
        monitoring.use_tool_id(self._tool, _NAME)
        for event, told in self._callbacks.items():
            monitoring.register_callback(self._tool, event, told)
        events = monitoring.events
        monitoring.set_events(self._tool, events.PY_START | events.PY_UNWIND | events.PY_THROW)
        monitoring.restart_events()  # what an earlier trace was not told of any more
        return ""

    def goes_on(self, code: CodeType) -> None:
        """Have Python tell of it again: it only tells of codes that it was asked about when they began."""
        self._is_own(code)

    def unset(self) -> str:
        """Take it out."""
        tool, monitoring = self._tool, self._monitoring
        if tool is None or monitoring.get_tool(tool) != _NAME:
            return "another tool took its place"
        self._tool = None
        monitoring.set_events(tool, 0)
        for code, own in list(self._own.values()):
            if own:
                monitoring.set_local_events(tool, code, 0)
        for event in self._callbacks:
            monitoring.register_callback(tool, event, None)
        monitoring.free_tool_id(tool)
        self._own.clear()
        return ""

    @property
    def _callbacks(self) -> dict[int, Any]:
        events = self._monitoring.events
        return {
            events.PY_START: self._starts,
            events.PY_RESUME: self._resumes,
            events.PY_THROW: self._resumes,
            events.PY_YIELD: self._yields,
            events.PY_RETURN: self._returns,
            events.PY_UNWIND: self._unwinds,
            events.LINE: self._line,
        }

    def _is_own(self, code: CodeType) -> bool:
        known = self._own.get(id(code))
        if known is None:
            known = self._own[id(code)] = code, is_own(code)
            if known[1] and self._tool is not None:
                events = self._monitoring.events
                wanted = events.PY_RETURN | events.PY_YIELD | events.PY_RESUME | (events.LINE if self.lines else 0)
                self._monitoring.set_local_events(self._tool, code, wanted)
        return known[1]

    def pass_over(self, passed_over: PassedOver) -> None:
        """Tell nothing of these calls."""
        self._passed_over = passed_over
        self._ask(passed_over)

    def _hot(self) -> tuple[Callable[[CodeType, int], Any], Callable[[PassedOver], None]]:
        """What Python calls whenever a function begins, as in `tracer`; and what tells it whom to ask."""
        first, begins, disable = self._passed_over, self._begins, self._monitoring.DISABLE
        ask, meet = first.ask, first.meet

        def starts(code: CodeType, offset: int) -> Any:
            try:
                passed = ask[id(code)]()
            except KeyError:
                passed = meet(code)
            if passed is None:
                return begins(code, _frame(1))
            return None if passed else disable

        def ask_this(passed_over: PassedOver) -> None:
            nonlocal ask, meet
            ask, meet = passed_over.ask, passed_over.meet

        return starts, ask_this

    def _begins(self, code: CodeType, frame: FrameType) -> None:
        """A function of the user's own begins."""
        thrift = self.thrift
        if thrift is not None and id(code) in thrift.frequent and perf_counter() < thrift.until:
            return
        self._is_own(code)
        for recorder in self.recorders:
            recorder.enter(frame)

    def _resumes(self, code: CodeType, offset: int, error: BaseException | None = None) -> None:
        if self._is_own(code):
            frame = _frame(1)
            for recorder in self.recorders:
                recorder.enter(frame)

    def _yields(self, code: CodeType, offset: int, value: Any) -> None:
        frame = _frame(1)
        for recorder in self.recorders:
            recorder.pause(frame)

    def _returns(self, code: CodeType, offset: int, value: Any) -> None:
        if id(code) in self._passed_over.counted:
            self._quieten(code)
        frame = _frame(1)
        for recorder in self.recorders:
            recorder.leave(frame, value)

    def _quieten(self, code: CodeType) -> None:
        """Hear no more of how calls end that are only counted, once all those have ended that are recorded.

        That is looked for now and then: a recursion may have many open.
        """
        if self._passed_over.count_of(id(code)) % _NOW_AND_THEN == 1 and code not in self.recorders[0].under_way:
            self._own.pop(id(code), None)  # who wants to be told of it again sets the events again
            self._monitoring.set_local_events(self._tool, code, 0)

    def _unwinds(self, code: CodeType, offset: int, error: BaseException) -> None:
        known = self._own.get(id(code))
        if known is not None and known[1]:
            frame = _frame(1)
            for recorder in self.recorders:
                recorder.fail(frame, error)

    def _line(self, code: CodeType, line: int) -> None:
        frame = _frame(1)
        for recorder in self.recorders:
            recorder.reach(frame, line)
