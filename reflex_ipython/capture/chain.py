"""The exceptions of a failure: the one raised, a group's members, and what each came from."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from typing import Any, Literal

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.capture import safe_inspection
from reflex_ipython.capture.bounds import SummaryDeadline, clip, within
from reflex_ipython.capture.safe_repr import ReprBudget, items_of, safe_repr, size_of

Relation = Literal["raised", "cause", "context", "member"]

_MOST = 8  # exceptions of a chain or group
_MESSAGE = 4_000  # characters of one message
_MESSAGE_TIME = 0.25  # seconds for a message's own code, which ran a moment ago to show the traceback

_args = BaseException.__dict__["args"].__get__
_cause = BaseException.__dict__["__cause__"].__get__
_context = BaseException.__dict__["__context__"].__get__
_suppressed = BaseException.__dict__["__suppress_context__"].__get__
_traceback = BaseException.__dict__["__traceback__"].__get__
_group = getattr(builtins, "BaseExceptionGroup", None)  # since Python 3.11


def chain(exc: BaseException) -> list[tuple[BaseException, Relation]]:
    """The exceptions with how each hangs together with the ones before it; the one that was raised first."""
    return list(_walk(exc, "raised", set()))[:_MOST]


def _walk(exc: BaseException, relation: Relation, seen: set[int]) -> Iterator[tuple[BaseException, Relation]]:
    while id(exc) not in seen and len(seen) < _MOST:
        seen.add(id(exc))
        yield exc, relation
        for member in members(exc):
            yield from _walk(member, "member", seen)
        cause, context = _cause(exc), _context(exc)
        if cause is not None:
            exc, relation = cause, "cause"
        elif context is not None and not _suppressed(exc):
            exc, relation = context, "context"


def members(exc: BaseException) -> tuple[BaseException, ...]:
    """The exceptions inside an exception group."""
    if _group is None or not safe_inspection.is_a(exc, _group):
        return ()
    found = _group.__dict__["exceptions"].__get__(exc)
    return found if type(found) is tuple else ()


def cause(exc: BaseException) -> BaseException | None:
    """What the exception says that it came from."""
    found: BaseException | None = _cause(exc)
    return found


def traceback(exc: BaseException) -> Any:
    """The exception's traceback."""
    return _traceback(exc)


def arguments(exc: BaseException) -> tuple[Any, ...]:
    """What the exception was made with."""
    return _args(exc)  # type: ignore[no-any-return]  # always a tuple


def message(exc: BaseException) -> str:
    """The start of the exception's first argument, where that is a string; else empty."""
    given = arguments(exc)
    return given[0][:2_000] if given and type(given[0]) is str else ""


def field(exc: BaseException, base: type[BaseException], name: str) -> Any:
    """A field that a built-in exception class declares, whatever a derived class made of it; else None."""
    descriptor = safe_inspection.class_dict(base).get(name)
    return descriptor.__get__(exc) if descriptor is not None and safe_inspection.is_a(exc, base) else None


def ename(exc: BaseException) -> str:
    """The name of the exception's class, as a traceback shows it."""
    name = safe_inspection.class_name(type(exc)).rpartition(".")[2]
    # From Python 3.13 on, IPython's compiler raises a class of this private name, which `compile` itself never tells.
    return "SyntaxError" if name == "_IncompleteInputError" else clip(name, 200)


def evalue(exc: BaseException, clock: SummaryDeadline) -> str:
    """The message. What a class or an argument of the user's says of itself is asked for, for a short time."""
    given = arguments(exc)
    if safe_inspection.in_class(exc, "__str__") is BaseException.__dict__["__str__"] and len(given) < 2:
        if not given:
            return ""
        if type(given[0]) is str:
            return clip(given[0], _MESSAGE)
    if safe_inspection.is_a(exc, KeyError) and len(given) == 1 and type(given[0]) is str:
        return clip(repr(given[0][:_MESSAGE]), _MESSAGE)
    told = within(_MESSAGE_TIME, lambda: str(exc), "") if all(_is_small(one) for one in given) else ""
    if told:
        return clip(told, _MESSAGE)
    budget = ReprBudget(clock, text=200, depth=2)
    return clip(", ".join(safe_repr(one, budget) for one in given[:5]), _MESSAGE)


def notes(exc: BaseException) -> tuple[str, ...]:
    """What `add_note` added."""
    found = dict.get(safe_inspection.instance_dict(exc), "__notes__")
    return tuple(clip(note, 500) for note in found[:10] if type(note) is str) if type(found) is list else ()


def _is_small(value: Any, depth: int = 3) -> bool:
    """Whether writing out the built-in values in `value` takes no time. Other objects are left to the clock."""
    if safe_inspection.is_a(value, str, bytes, bytearray):
        return is_exactly(value, (str, bytes, bytearray)) and len(value) <= 10_000
    if safe_inspection.is_a(value, int):
        return int.bit_length(value) <= 2_000
    count = size_of(value)
    if count is None:
        return True
    return depth > 0 and count <= 100 and all(_is_small(item, depth - 1) for item in items_of(value))
