"""Which of the calls in a trace tests can be written of, each once, and why not of the others."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Iterator
from typing import Any

from reflex_ipython.base.library_files import is_library
from reflex_ipython.base.syntax_trees import literal_value
from reflex_ipython.traces.recorded import Call, Kind, RecordedValue, Trace, TracedFunction

MOST_CALLS = 20
"""Of one function: so many calls with different arguments are tried."""

NO_MODULE = "is no function of a file that a test can import"
INSIDE = "is made inside another function, so no test can import it"
INIT = "makes an object, which is tested by what the object gives"
ASYNC_GENERATOR = "is an asynchronous generator"
GONE = "is in {}, which is not there any more"
NO_VALUES = "the value of `{}` is not in the trace ({})"
NO_PAYLOAD = "record it with values=True"
NOT_ENDED = "did not come to its end"
NOT_READ = "is a generator that was not read to its end"
UNSTEADY = "gave different results for the same arguments"
TOO_MANY = "has more than {} calls with different arguments; the later ones were not tried"
_PLAIN = (int, float, bool, str, type(None), list, tuple, dict)


@dataclasses.dataclass(frozen=True)
class LeftOut:
    """Calls of which there is no test.

    Parameters
    ----------
    function : str
        `shop.prices.total`.
    calls : int
    why : str
        In words that follow the function's name.
    """

    function: str
    calls: int
    why: str


@dataclasses.dataclass(frozen=True)
class DistinctCalls:
    """A function, and its calls that differ.

    Parameters
    ----------
    function : TracedFunction
    calls : tuple of Call
    root : str
        The folder in which its module is found.
    """

    function: TracedFunction
    calls: tuple[Call, ...]
    root: str


def selected(trace: Trace) -> tuple[list[DistinctCalls], list[LeftOut]]:
    """The functions that can be tested with their calls, and what is left out."""
    found, left = [], []
    for told in trace.functions:
        function = dataclasses.replace(told, file=os.path.expanduser(told.file))  # `~` stands there in a redacted trace
        calls = [one for one in trace.calls if one.function == function.id]
        why = _why_not(function)
        if why:
            left.append(LeftOut(full_name(function), len(calls), why))
            continue
        usable = []
        for call in calls:
            why = _why_no_call(call, function.kind, redacted=trace.redacted)
            if why:
                left.append(LeftOut(full_name(function), 1, why))
            else:
                usable.append(call)
        kept, more = _distinct(usable)
        left += [LeftOut(full_name(function), number, why) for number, why in more]
        if kept:
            found.append(DistinctCalls(function, tuple(kept), _root(function)))
    return found, merged(left)


def full_name(function: TracedFunction) -> str:
    """Its name with its module's."""
    return f"{function.module}.{function.name}"


def merged(left: Iterable[LeftOut]) -> list[LeftOut]:
    """What is left out for the same reason, together."""
    counts: dict[tuple[str, str], int] = {}
    for one in left:
        counts[one.function, one.why] = counts.get((one.function, one.why), 0) + one.calls
    return [LeftOut(function, calls, why) for (function, why), calls in counts.items()]


def exact(value: RecordedValue, *, redacted: bool) -> tuple[bool, Any]:
    """Whether the summary of a value says all of it, and that value.

    Parameters
    ----------
    value : RecordedValue
    redacted : bool
        Whether secrets were taken out: then a text may be another than it was.
    """
    if value.unkept or "…" in value.text:
        return False, None
    try:
        found = literal_value(value.text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False, None
    whole = repr(found) == value.text and type(found).__name__ == value.type
    return whole and all(type(one) in _PLAIN and not (redacted and type(one) is str) for one in _inside(found)), found


def _inside(value: Any) -> Iterator[Any]:
    yield value
    parts = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    for part in parts:
        yield from _inside(part)


def _why_not(function: TracedFunction) -> str:
    """Why no test can be written of a function, in words; empty: one can."""
    if "<" in function.name:
        return INSIDE
    if function.module == "__main__" or function.cell is not None or not function.file.endswith(".py"):
        return NO_MODULE
    if not os.path.exists(function.file):
        return GONE.format(function.file)
    if is_library(function.file) or not _root(function) or function.name.count(".") > 1:
        return NO_MODULE
    if function.name.endswith(".__init__"):
        return INIT
    return ASYNC_GENERATOR if function.kind == "async generator" else ""


def _why_no_call(call: Call, kind: Kind, *, redacted: bool) -> str:
    if call.duration is None:
        return NOT_READ if kind == "generator" else NOT_ENDED
    for one in call.arguments:
        if not one.value.payload and not exact(one.value, redacted=redacted)[0]:
            return NO_VALUES.format(one.name, one.value.unkept or NO_PAYLOAD)
    return ""


def _distinct(calls: Iterable[Call]) -> tuple[list[Call], list[tuple[int, str]]]:
    """Each call with other arguments once; and the numbers of those that are left out, with the reason."""
    by_arguments: dict[Any, list[Call]] = {}
    for call in calls:
        key = tuple((one.kind, one.name, one.value.type, one.value.payload or one.value.text) for one in call.arguments)
        by_arguments.setdefault(key, []).append(call)
    steady, unsteady = [], 0
    for same in by_arguments.values():
        if len({_came(one) for one in same}) == 1:
            steady.append(same[0])
        else:
            unsteady += len(same)
    left = [(unsteady, UNSTEADY)] if unsteady else []
    if len(steady) > MOST_CALLS:
        left.append((len(steady) - MOST_CALLS, TOO_MANY.format(MOST_CALLS)))
    return steady[:MOST_CALLS], left


def _came(call: Call) -> Any:
    """What came of a call, as far as it was recorded."""
    raised = call.exception.type if call.exception is not None else ""
    result = call.result
    return raised, (result.type, result.text) if result is not None else None, call.yielded


def _root(function: TracedFunction) -> str:
    """The folder from which a function's file is its module; empty: it is none under that name."""
    parts = function.module.split(".")
    path = os.path.realpath(function.file).removesuffix(".py")
    path = path.removesuffix(os.sep + "__init__")
    folders = path.split(os.sep)
    return os.sep.join(folders[: -len(parts)]) if folders[-len(parts) :] == parts else ""
