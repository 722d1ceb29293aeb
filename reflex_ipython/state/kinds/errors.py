"""Exceptions: their arguments and links, where they were raised, and the C fields that some of them have."""

from __future__ import annotations

import types
from typing import Any

from reflex_ipython.base.classes import class_vars, classes, inherits, module_name
from reflex_ipython.state.kinds.containers import identical
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.kind import Kind, ObjectWalk

_LINKS = ("args", "__cause__", "__context__", "__traceback__")


def _fields(o: Any) -> list[Any]:
    """The C fields of an exception: those that all have, and `errno`, `lineno`, … of some."""
    found = [BaseException.__dict__[name] for name in _LINKS]
    for cls in classes(type(o)):
        if inherits(cls, BaseException) and module_name(cls) == "builtins":
            found += [value for value in class_vars(cls).values() if type(value) is types.MemberDescriptorType]
    return found


def _value(field: Any, o: Any) -> Any:
    try:
        return field.__get__(o)
    except AttributeError:
        return MISSING


def _snapshot_exception(o: Any, walk: ObjectWalk) -> list[Any]:
    saved = [_value(field, o) for field in _fields(o)]
    walk.follow(saved)
    return saved


def _same_exception(o: Any, saved: list[Any]) -> bool:
    now = [_value(field, o) for field in _fields(o)]
    return identical(now, saved, len(now))


def _restore_exception(o: Any, saved: list[Any]) -> None:
    for field, value in zip(_fields(o), saved):
        if _value(field, o) is not value:
            field.__set__(o, value)


KINDS: dict[type, Kind] = {
    BaseException: Kind("exception", "exact", _snapshot_exception, _same_exception, _restore_exception)
}
