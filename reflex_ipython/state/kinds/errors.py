"""Exceptions: their arguments and links, whether they were raised, and the C fields that some of them have."""

from __future__ import annotations

import types
from typing import Any

from reflex_ipython.base.classes import class_vars, classes, inherits, module_name
from reflex_ipython.state.kinds.call_frames import ASKING
from reflex_ipython.state.kinds.containers import identical
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.kind import Kind, ObjectWalk

_LINKS = ("args", "__cause__", "__context__")
_TRACEBACK = BaseException.__dict__["__traceback__"]


def _fields(o: Any) -> list[Any]:
    """The C fields of an exception: those that all have, and `errno`, `lineno`, … of some."""
    found = [_TRACEBACK, *(BaseException.__dict__[name] for name in _LINKS)]
    for cls in classes(type(o)):
        if inherits(cls, BaseException) and module_name(cls) == "builtins":
            found += [value for value in class_vars(cls).values() if type(value) is types.MemberDescriptorType]
    return found


def _value(field: Any, o: Any) -> Any:
    """What it has there. Of a traceback, only that there is none: it would keep all that its functions hold."""
    try:
        value = field.__get__(o)
    except AttributeError:
        return MISSING
    return MISSING if field is _TRACEBACK and value is not None else value


def _snapshot_exception(o: Any, walk: ObjectWalk) -> list[Any]:
    saved = [_value(field, o) for field in _fields(o)]
    walk.follow(saved)
    if not ASKING.isdisjoint(walk.attributes):
        walk.follow((_TRACEBACK.__get__(o),))
    return saved


def _same_exception(o: Any, saved: list[Any]) -> bool:
    now = [_value(field, o) for field in _fields(o)]
    return identical(now, saved, len(now))


def _restore_exception(o: Any, saved: list[Any]) -> None:
    for field, value in zip(_fields(o), saved):
        if _value(field, o) is not value and not (field is _TRACEBACK and value is MISSING):
            field.__set__(o, value)


KINDS: dict[type, Kind] = {
    BaseException: Kind("exception", "exact", _snapshot_exception, _same_exception, _restore_exception)
}
