"""A trace of what a recorder holds: names, sources and summaries, found when nobody waits for a call any more."""

from __future__ import annotations

import contextlib
import inspect
import linecache
import sys
from collections.abc import Callable, Sequence
from types import CodeType
from typing import Any

from reflex_ipython.models import moment
from reflex_ipython.traces.living import name_of
from reflex_ipython.traces.opened import NOTHING, Opened
from reflex_ipython.traces.own_code import kind_of
from reflex_ipython.traces.recorded import (
    Argument,
    Call,
    Commit,
    EnvironmentRead,
    NetworkExchange,
    Passed,
    Trace,
    TracedFunction,
    WebExchange,
)
from reflex_ipython.traces.recorder import CallRecorder, parameters
from reflex_ipython.traces.values import told

CellNumber = Callable[[str], "int | None"]
"""The execution count of the cell whose code has this file name; None if it is no cell's."""

_SOURCE = 20_000  # characters of one function


def assembled(
    recorder: CallRecorder,
    opened: Sequence[Opened],
    *,
    started: float,
    duration: float,
    git: Commit | None = None,
    exchanges: tuple[WebExchange, ...] = (),
    network: tuple[NetworkExchange, ...] = (),
    environment: tuple[EnvironmentRead, ...] = (),
    cell_number: CellNumber = lambda filename: None,
) -> Trace:
    """The trace.

    Parameters
    ----------
    recorder : CallRecorder
    opened : sequence of Opened
        The calls, in any order.
    started : float
        Seconds since 1970.
    duration : float
        Seconds.
    """
    ordered = sorted(opened, key=lambda one: one.id)
    codes = list({id(one.code): one.code for one in ordered}.values())
    numbers = {id(code): number for number, code in enumerate(codes)}
    return Trace(
        tuple(_function(n, code, recorder.scopes.get(id(code), {}), cell_number) for n, code in enumerate(codes)),
        tuple(_call(one, numbers[id(one.code)], recorder) for one in ordered),
        exchanges,
        network,
        environment,
        limits(recorder),
        moment(started),
        round(duration, 6),
        ".".join(map(str, sys.version_info[:3])),
        git,
    )


def limits(recorder: CallRecorder) -> tuple[str, ...]:
    """Which bounds were reached, in sentences."""
    bounds, found = recorder.bounds, []
    each, more = recorder.counts()
    if more:
        found.append(f"{more:,} more calls were made than the {bounds.calls:,} that are kept.")
    if each:
        found.append(f"{each:,} more calls were made than the {bounds.each:,} of one function that are kept (`each`).")
    if recorder.too_deep:
        found.append(f"{recorder.too_deep:,} calls deeper than {bounds.depth:,} levels were not recorded.")
    if recorder.without_values:
        found.append(f"{recorder.without_values:,} values came after the {bounds.bytes:,} bytes that are kept.")
    if recorder.trouble:
        found.append(f"The recording is not complete: {recorder.trouble}.")
    return tuple(found)


def _function(number: int, code: CodeType, scope: dict[str, Any], cell_number: CellNumber) -> TracedFunction:
    module = dict.get(scope, "__name__")
    source = _source(code)
    return TracedFunction(
        number,
        name_of(code),
        module if type(module) is str else "__main__",
        code.co_filename,
        code.co_firstlineno,
        source if len(source) <= _SOURCE else "",
        kind_of(code),
        cell_number(code.co_filename),
    )


def _source(code: CodeType) -> str:
    with contextlib.suppress(OSError, TypeError, IndexError, SyntaxError):
        lines = linecache.getlines(code.co_filename)
        return "".join(inspect.getblock(lines[code.co_firstlineno - 1 :]))
    return ""


def _call(opened: Opened, function: int, recorder: CallRecorder) -> Call:
    parent, depth = opened.above
    gave = opened.result is not NOTHING and opened.exception is None
    return Call(
        opened.id,
        function,
        parent,
        passed(opened, payload=recorder.values),
        told(opened.result, payload=recorder.values) if gave else None,
        opened.exception,
        round(opened.start - recorder.began, 7),
        None if opened.end is None else round(opened.end - opened.start, 7),
        depth,
        opened.thread,
        None if opened.lines is None else tuple(sorted(opened.lines)),
        opened.yielded if opened.code.co_flags & (inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR) else 0,
    )


def passed(opened: Opened, *, payload: bool = True) -> tuple[Argument, ...]:
    """What was passed in a call. `payload`: its values were noted with payloads."""
    kinds = _kinds(opened.code)
    bound = zip(parameters(opened.code), kinds, opened.arguments)
    there = ((name, kind, noted) for name, kind, noted in bound if noted is not NOTHING)
    return tuple(Argument(name, told(noted, payload=payload), kind) for name, kind, noted in there)


def _kinds(code: CodeType) -> tuple[Passed, ...]:
    found: list[Passed] = ["positional" for _ in range(code.co_argcount)]
    found.extend("keyword" for _ in range(code.co_kwonlyargcount))
    if code.co_flags & inspect.CO_VARARGS:
        found.append("args")
    if code.co_flags & inspect.CO_VARKEYWORDS:
        found.append("kwargs")
    return tuple(found)
