"""Puts calls together from the events of one of Python's hooks: who called whom, with what, and how it ended.

It is asked at every call of the user's own functions, so what can wait is done when the trace ends (`assembled`).
"""

from __future__ import annotations

import inspect
import itertools
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import get_ident
from types import CodeType, FrameType, TracebackType
from typing import Any

from reflex_ipython.traces.beneath import answered
from reflex_ipython.traces.kept import Kept, TraceBounds
from reflex_ipython.traces.opened import NOTHING, Opened
from reflex_ipython.traces.passed_over import PassedOver
from reflex_ipython.traces.raised import raised
from reflex_ipython.traces.recorded import Raised, RecordedValue, WebExchange
from reflex_ipython.traces.thrift import Thrift
from reflex_ipython.traces.values import ATOMS, note, noted_with_payload

_TOP: tuple[int | None, int] = None, 0
_VALUE = 50  # bytes that a value counts as, besides what is long in it
_STARS = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
_PAUSES = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


@dataclass(frozen=True)
class Answered:
    """A request that was answered, and who answered it: it can be made again.

    Parameters
    ----------
    exchange : WebExchange
    application : callable
        A WSGI or an ASGI application.
    is_asgi : bool
    """

    exchange: WebExchange
    application: Callable[..., Any]
    is_asgi: bool


class CallRecorder:
    """Is told what happens to frames of the user's own code, on whichever thread.

    Parameters
    ----------
    kept : Kept
    bounds : TraceBounds
    values : bool
        Whether payloads are kept.
    thrift : Thrift or None
        Which calls a hook need not tell of, so that recording takes little time; None: it tells of all.
    """

    def __init__(self, kept: Kept, bounds: TraceBounds, *, values: bool = False, thrift: Thrift | None = None) -> None:
        self.kept = kept
        self.thrift = thrift
        self.bounds = bounds
        self.room = bounds.bytes
        self.too_many = self.too_deep = self.without_values = 0
        self.passed_over = PassedOver()
        """Functions of which it has enough are counted here by the hook itself, which tells nothing of them."""
        self.requests: list[Answered] = []
        """The requests of web applications that were answered meanwhile."""
        self.trouble = ""
        """Why something is missing, as the end of a sentence."""
        self.began = time.perf_counter()
        self.values = values
        self.scopes: dict[int, dict[str, Any]] = {}
        """The globals of each function, by the id of its code."""
        self._numbers = itertools.count()
        self._latest = -1
        # By the frame's id: a reference would keep the user's objects. Python 3.13 tells of no end of a generator or
        # coroutine that is let go while no `try` is open in it, and another frame may have its id by then.
        self._open: dict[int, Opened] = {}
        self._stacks: dict[int, list[Opened | None]] = {}  # by thread; None is below all
        self._known: dict[int, tuple[CodeType, tuple[str, ...]]] = {}
        self._left: dict[int, int] = {}  # of the calls of each function that are kept
        self._main = threading.main_thread().ident, threading.main_thread().name

    @property
    def under_way(self) -> set[CodeType]:
        """The codes of the calls that have not ended."""
        return {opened.code for opened in [*self._open.values()]}

    def has_open(self, frame: FrameType) -> bool:
        """Whether the call of the frame is recorded, and has not ended."""
        opened = self._open.get(id(frame))
        return opened is not None and opened.code is frame.f_code

    @property
    def innermost(self) -> Opened | None:
        """The call that is under way on this thread."""
        return self._stack()[-1]

    def counts(self) -> tuple[int, int]:
        """Calls that were only counted: those beyond what is kept of one function, and beyond what is kept in all."""
        counts = self.passed_over.counts()
        each = sum(count for key, count in counts.items() if self._left[key] <= 0)
        return each, self.too_many + sum(counts.values()) - each

    def enter(self, frame: FrameType) -> None:
        """A function begins, or goes on."""
        code = frame.f_code
        opened = self._open.get(id(frame)) if code.co_flags & _PAUSES else None
        began = 0.0 if self.thrift is None else time.perf_counter()
        try:
            if opened is not None and opened.code is code and frame.f_lasti >= opened.paused:
                opened.paused = -1
                self._stack().append(opened)
            else:
                if opened is not None:
                    del self._open[id(frame)]
                self._begin(frame, code)
        except Exception as error:  # noqa: BLE001 - whatever is wrong here must not reach the user's code
            self._spoilt(error)
        if self.thrift is not None:
            self.thrift.spent(began, time.perf_counter())

    def pause(self, frame: FrameType) -> None:
        """A generator gives a value, or a coroutine waits."""
        opened = self._open.get(id(frame))
        if opened is not None and opened.code is frame.f_code:
            opened.yielded += 1
            opened.paused = frame.f_lasti
            self._take_off(opened)

    def leave(self, frame: FrameType, value: Any) -> None:
        """A function gives a value."""
        end = time.perf_counter()
        opened = self._open.get(id(frame))
        if opened is not None and opened.code is frame.f_code:
            del self._open[id(frame)]
            opened.end = end
            self._take_off(opened)
            try:
                opened.result = self._noted(value)
            except Exception as error:  # noqa: BLE001 - as above
                self._spoilt(error)
            if self.thrift is not None:
                self.thrift.spent(end, time.perf_counter())

    def fail(self, frame: FrameType, error: BaseException | Raised) -> None:
        """An exception leaves a function."""
        end = time.perf_counter()
        opened = self._open.get(id(frame))
        if opened is None or opened.code is not frame.f_code:
            return
        del self._open[id(frame)]
        opened.end = end
        self._take_off(opened)
        try:
            told = error if isinstance(error, Raised) else raised(error, frame.f_lineno)
            opened.exception = None if told.type == "GeneratorExit" else told  # one that is closed has not failed
        except Exception as error:  # noqa: BLE001 - as above
            self._spoilt(error)
        if self.thrift is not None:
            self.thrift.spent(end, time.perf_counter())

    def name(self, error: BaseException, traceback: TracebackType | None) -> None:
        """Name what left a block in the calls that it came through, where the hook could not tell; and add those that
        were only counted, or passed over."""
        known = {(opened.frame, id(opened.code)): opened for opened in self.kept.calls}
        above: Opened | None = None
        while traceback is not None:
            frame, told = traceback.tb_frame, raised(error, traceback.tb_lineno)
            key = id(frame.f_code)
            opened = known.get((id(frame), key))
            unnamed = opened is not None and opened.exception is not None and not opened.exception.type
            if opened is not None and (unnamed or opened.end is None):
                opened.exception = told
            if opened is not None and opened.exception == told:
                above = opened
            elif key in self.passed_over.counted or (self.thrift is not None and key in self.thrift.frequent):
                above = self._add_failed(frame, told, above)
                if above is None:
                    break
            traceback = traceback.tb_next

    def _add_failed(self, frame: FrameType, error: Raised, above: Opened | None) -> Opened | None:
        """A call that is not there, and that an exception left: with the arguments as they are by then.

        None: it is deeper than is recorded.
        """
        code, key = frame.f_code, id(frame.f_code)
        place = _TOP if above is None else (above.id, above.above[1] + 1)
        if place[1] > self.bounds.depth:
            return None
        self._latest = number = next(self._numbers)
        opened = Opened(number, code, place, self._thread())
        opened.arguments = self._passed(frame, self._known[key][1])
        opened.exception = error
        opened.start = time.perf_counter()
        if key in self.passed_over.counted:
            self.passed_over.one_less(key)
        if not self.kept.add(opened):
            self.too_many += 1
        return opened

    def reach(self, frame: FrameType, line: int) -> None:
        """A line is about to run."""
        opened = self._open.get(id(frame))
        if opened is not None and opened.code is frame.f_code:
            if opened.lines is None:
                opened.lines = set()
            opened.lines.add(line)

    def next_number(self) -> int:
        """The number that the next call gets, or one before it."""
        return self._latest + 1

    def give_back(self, opened: Opened) -> None:
        """A call is kept no more: there is room for others."""
        self.room += sum(map(_cost, (*opened.arguments, opened.result)))

    # ------------------------------------------------------------------------------- inside

    def _begin(self, frame: FrameType, code: CodeType) -> None:
        stack = self._stack()
        above = stack[-1]
        if above is None:
            place, thread = _TOP, self._thread()
        else:
            place, thread = (above.id, above.above[1] + 1), above.thread
            if place[1] > self.bounds.depth:
                self.too_deep += 1
                return
        key = id(code)
        known = self._known.get(key)
        if known is None or known[0] is not code:
            known = self._known[key] = code, parameters(code)
            self.scopes[key] = frame.f_globals
            self._left[key] = self.bounds.each
        if key in self.passed_over.counted:  # there are several recorders, and another one has not enough of it
            self.passed_over.ask[key]()
            return
        self._latest = number = next(self._numbers)
        opened = Opened(number, code, place, thread)
        self._left[key] -= 1
        is_kept = self.kept.add(opened)
        if not is_kept:
            self.too_many += 1
        if self.thrift is not None and not code.co_flags & _PAUSES:
            self.thrift.began(key)
        if (not is_kept or self._left[key] <= 0) and not code.co_flags & _PAUSES:  # one that pauses goes on, as itself
            self.passed_over.count(code)
        if not is_kept:
            return
        beneath = answered.get()
        if beneath is not None and (above is None or above.id < beneath.first):
            beneath.calls.append(opened.id)
        if known[1]:
            opened.arguments = self._passed(frame, known[1])
        opened.frame = id(frame)
        self._open[opened.frame] = opened
        stack.append(opened)
        opened.start = time.perf_counter()

    def _passed(self, frame: FrameType, names: tuple[str, ...]) -> tuple[Any, ...]:
        held, noted = frame.f_locals, self._noted
        return tuple([noted(held.get(name, NOTHING)) for name in names])

    def _spoilt(self, error: Exception) -> None:
        """Something of ours went wrong, as where the stack is full."""
        self.trouble = f"{type(error).__name__} in the recording itself"

    def _noted(self, value: Any) -> Any:
        if value is NOTHING:
            return value
        if self.room <= 0:
            self.without_values += 1
            return RecordedValue("", "…")
        if id(type(value)) in ATOMS:  # as both of these would, in a third of the time
            self.room -= _VALUE
            return value
        noted = noted_with_payload(value, min(self.room, self.bounds.payload)) if self.values else note(value)
        self.room -= _cost(noted)
        return noted

    def _stack(self) -> list[Opened | None]:
        thread = get_ident()
        found = self._stacks.get(thread)
        if found is None:
            found = self._stacks[thread] = [None]
        return found

    def _thread(self) -> str:
        """The name of this thread. A number may be another thread's by now, so it is asked for."""
        number, name = self._main
        return name if get_ident() == number else threading.current_thread().name

    def _take_off(self, opened: Opened) -> None:
        """Off the stack of this thread, and with it whatever ended unseen above it."""
        stack = self._stack()
        if stack[-1] is opened:
            stack.pop()
        elif opened in stack:
            del stack[stack.index(opened) :]


def _cost(noted: Any) -> int:
    """Bytes that count for a value."""
    if type(noted) is RecordedValue:
        return _VALUE + len(noted.text) + len(noted.payload)
    return _VALUE


def parameters(code: CodeType) -> tuple[str, ...]:
    """The names of a function's parameters: `*args` and `**kwargs` last."""
    count = code.co_argcount + code.co_kwonlyargcount
    if code.co_flags & _STARS:
        count += bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return code.co_varnames[:count]
