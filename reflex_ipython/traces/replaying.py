"""Recorded calls made again with changed functions, in a copy of the process: what they gave, and what they give."""

from __future__ import annotations

import contextlib
import gc
import inspect
import itertools
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import CellType, CodeType, FunctionType
from typing import Any

from reflex_ipython.models import Replay
from reflex_ipython.traces import environment, network_hook
from reflex_ipython.traces.assembled import passed
from reflex_ipython.traces.hook import at_hand, silence
from reflex_ipython.traces.living import changed_code, function_named, name_of
from reflex_ipython.traces.opened import NOTHING, Opened
from reflex_ipython.traces.own_code import kind_of
from reflex_ipython.traces.patience import TooLong, within
from reflex_ipython.traces.recorder import CallRecorder
from reflex_ipython.traces.replayed_requests import ChangedFunction, Requests
from reflex_ipython.traces.same import NotComparable, brief, difference
from reflex_ipython.traces.values import described, loaded, told

_EACH = 0.2  # seconds of the processor's time that a call gets at least
_TIMES = 20  # what it took
_VALUES = 1_000  # that a generator gives
_TEXT = 60  # characters of the arguments in a difference


@dataclass(frozen=True)
class _Recorded:
    """A function as it was when its calls were recorded, and these calls, in the order in which they began."""

    name: str
    scope: dict[str, Any]
    living: FunctionType | None
    code: CodeType
    closure: tuple[CellType, ...] | None
    calls: tuple[Opened, ...]

    def now(self) -> FunctionType | None:
        """What it is by now."""
        return self.living or function_named(self.scope, self.name)

    def function(self) -> FunctionType:
        """It anew. Until now there was none with this code besides the user's: all that have it get the new one."""
        return FunctionType(self.code, self.scope, self.code.co_name, None, self.closure)


@dataclass(frozen=True)
class _Came:
    """What a call came to: its value and its arguments afterwards, or what it raised."""

    value: Any = None
    arguments: tuple[Any, ...] = ()
    error: BaseException | None = None


class Replayer:
    """Takes down the functions before a fix changes them, and makes their calls again afterwards.

    Parameters
    ----------
    recorders : iterable of CallRecorder
        Their calls have payloads.
    ename : str
        The class of the exception that the fix is for; empty if there is none.
    living : FunctionType or None
        The function that is changed, if it has to be known otherwise than by its name.
    """

    def __init__(self, recorders: Iterable[CallRecorder], ename: str, living: FunctionType | None = None) -> None:
        self._ename = ename
        self._recorders = list(recorders)
        self._known = [one for recorder in self._recorders for one in _recorded(recorder, living)]

    async def replay(self, seconds: float) -> Replay | None:
        """What comes of the calls of all functions that are others by now; None: there are none.

        Parameters
        ----------
        seconds : float
            For all calls together. What there is no time for is not counted.
        """
        until = time.perf_counter() + seconds
        found: list[_Tally] = []
        for known in self._known:
            new = known.now()
            if new is not None and changed_code(known.code, new.__code__):
                tally = _Tally(known, new, self._ename)
                await tally.count(until)
                found.append(tally)
        if not found:
            return None
        requests = Requests([ChangedFunction(one.known.code, one.new) for one in found])
        for recorder in self._recorders:
            await requests.count(recorder, until)
        return Replay(
            tuple(dict.fromkeys(one.known.name for one in found)),
            sum(one.same for one in found),
            sum(one.different for one in found),
            next((one.failing for one in found if one.failing), ""),
            sum(one.unsteady for one in found),
            next((one.difference for one in found if one.difference), requests.difference),
            requests.same,
            requests.different,
            requests.failing,
        )


class _Tally:
    """Counts the calls of one function.

    Parameters
    ----------
    known : _Recorded
    new : FunctionType
    ename : str
    """

    def __init__(self, known: _Recorded, new: FunctionType, ename: str) -> None:
        self.known = known
        self._old = known.function()
        self.new = new
        self.same = self.different = self.unsteady = 0
        self.failing = self.difference = ""
        last = known.calls[-1]
        failed = last.exception is not None and _is_of(last.exception.type, ename)
        self._mistake = (last.exception.type, last.exception.line) if failed and last.exception else None

    async def count(self, until: float) -> None:
        """Make the calls again, the latest first, until there is no time left."""
        for opened in reversed(self.known.calls):
            if time.perf_counter() > until:
                self.unsteady += 1
            elif opened.end is not None or opened.exception is not None or _is_paused(opened):
                try:
                    await self._one(opened, until)
                except Exception:  # noqa: BLE001 - comparing runs the values' own code
                    self.unsteady += 1

    async def _one(self, opened: Opened, until: float) -> None:
        patience = max(_EACH, _TIMES * ((opened.end or opened.start) - opened.start))
        old = await _made(self._old, opened, patience, until)
        if old is None or not _is_as_recorded(opened, old):
            self.unsteady += 1
            return
        new = await _made(self.new, opened, patience, until)
        if new is None or (isinstance(new.error, TooLong) and time.perf_counter() > until):
            self.unsteady += 1
        elif self._is_the_mistake(opened):
            if opened is self.known.calls[-1]:
                self.failing = "passes" if new.error is None else _class(new.error)
        elif words := _differs(old, new, opened):
            self.different += 1
            self.difference = self.difference or f"{_written(self.known.name, opened)} {words}"
        else:
            self.same += 1

    def _is_the_mistake(self, opened: Opened) -> bool:
        """Whether it failed as the last call did: with the same exception on the same line."""
        error = opened.exception
        return self._mistake is not None and error is not None and (error.type, error.line) == self._mistake


def replayer(ename: str, living: FunctionType | None = None) -> Replayer | None:
    """One for all calls that are at hand; None: there are none. In a copy of the process, where recording ends.

    Parameters
    ----------
    ename, living
        As in `Replayer`.
    """
    recorders = at_hand()
    silence()
    network_hook.silence()
    environment.silence()
    return Replayer(recorders, ename, living) if recorders else None


def _recorded(recorder: CallRecorder, living: FunctionType | None) -> Iterator[_Recorded]:
    """The functions that are still what they were when they were recorded."""
    by_code: dict[CodeType, list[Opened]] = {}
    for opened in sorted(recorder.kept.calls, key=lambda one: one.id):
        by_code.setdefault(opened.code, []).append(opened)  # a cell that ran twice has made equal codes
    scopes = {code: recorder.scopes[id(calls[-1].code)] for code, calls in by_code.items()}
    names = {code: name_of(code) for code in scopes}
    nested = _nested([calls[-1].code for code, calls in by_code.items() if _is_nowhere(scopes[code], names[code])])
    for code, calls in by_code.items():
        scope, name = scopes[code], names[code]
        is_living = living is not None and not changed_code(living.__code__, code)
        inner = living if is_living else nested.get(id(calls[-1].code))
        function = inner or function_named(scope, name)
        if function is not None and not changed_code(function.__code__, code):
            own = function if inner is not None else None
            yield _Recorded(name, scope, own, function.__code__, function.__closure__, tuple(calls))


def _is_nowhere(scope: dict[str, Any], name: str) -> bool:
    """Whether no function is found by that name."""
    return function_named(scope, name) is None


def _nested(codes: Sequence[CodeType]) -> dict[int, FunctionType]:
    """The functions with these codes that were made inside others, by the ids of their codes.

    One that is gone, or that there is several times, is not among them.
    """
    found: dict[int, list[FunctionType]] = {}
    for one in gc.get_referrers(*codes) if codes else ():
        if isinstance(one, FunctionType) and "<locals>" in one.__qualname__:
            found.setdefault(id(one.__code__), []).append(one)
    return {code: functions[0] for code, functions in found.items() if len(functions) == 1}


async def _made(function: FunctionType, opened: Opened, seconds: float, until: float) -> _Came | None:
    """The call made with a function; None if it can't be made. Seconds and end as `patience.within` has them."""
    try:
        arguments = [(one.kind, one.name, loaded(one.value)) for one in passed(opened)]
    except Exception:  # noqa: BLE001 - what a pickle says may fail in any way
        return None
    kind = kind_of(function.__code__)
    if kind == "async generator" or threading.current_thread() is not threading.main_thread():
        return None
    given = tuple(value for _, _, value in arguments)
    try:
        with within(seconds, until - time.perf_counter()):
            value = _called(function, arguments)
            if inspect.iscoroutine(value):
                value = await value
            elif inspect.isgenerator(value):
                value = list(itertools.islice(value, _VALUES))
    except (Exception, TooLong) as error:  # noqa: BLE001 - what it raises is what it comes to
        return _Came(arguments=given, error=error)
    return _Came(value, given)


def _called(function: FunctionType, arguments: Sequence[tuple[str, str, Any]]) -> Any:
    positional = [value for kind, _, value in arguments if kind == "positional"]
    named = {name: value for kind, name, value in arguments if kind == "keyword"}
    for kind, _, value in arguments:
        if kind == "args":
            positional += list(value)
        elif kind == "kwargs":
            named.update(value)
    return function(*positional, **named)


def _is_paused(opened: Opened) -> bool:
    """Whether it is a generator that was left at one of its values."""
    return opened.paused >= 0 and kind_of(opened.code) == "generator"


def _is_as_recorded(opened: Opened, now: _Came) -> bool:
    """Whether the old function does once more what was recorded."""
    if opened.exception is not None:
        return now.error is not None and _is_of(opened.exception.type, _class(now.error))
    if now.error is not None:
        return False
    if opened.result is NOTHING or kind_of(opened.code) in ("generator", "async generator"):
        return True
    result = told(opened.result, payload=True)
    if result.payload:
        return not difference(loaded(result), now.value, close=0)
    return described(now.value).text == result.text


def _differs(old: _Came, new: _Came, opened: Opened) -> str:
    """The first difference between what both functions came to, in words that follow the call."""
    if old.error is not None or new.error is not None:
        before, after = _outcome(old), _outcome(new)
        return "" if type(old.error) is type(new.error) and before == after else f"{before[0]}, {after[1]}"
    if words := difference(old.value, new.value):
        return words
    for one, before, after in zip(passed(opened), old.arguments, new.arguments):
        with contextlib.suppress(NotComparable):
            if words := difference(before, after):
                return words.replace("gave ", f"left `{one.name}` as ").replace(", gives ", ", leaves ")
    return ""


def _outcome(came: _Came) -> tuple[str, str]:
    """What it did and what it does, in words."""
    if came.error is None:
        return f"gave {brief(came.value)}", f"gives {brief(came.value)}"
    if isinstance(came.error, TooLong):
        return "did not end", f"takes more than {_TIMES} times as long"
    return f"raised {_class(came.error)}", f"raises {_class(came.error)}"


def _written(name: str, opened: Opened) -> str:
    """The call as a person would write it, shortened."""
    arguments = ", ".join(one.value.text for one in passed(opened))
    return f"{name}({arguments if len(arguments) <= _TEXT else arguments[: _TEXT - 1] + '…'})"


def _is_of(type_: str, ename: str) -> bool:
    return bool(ename) and type_.rpartition(".")[2] == ename.rpartition(".")[2]


def _class(error: BaseException) -> str:
    return type(error).__name__
