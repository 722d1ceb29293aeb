"""Attributes of a library's object that its classes know nothing of: somebody else has set them, most likely a cell."""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from reflex_ipython.base.classes import class_vars, classes
from reflex_ipython.state.kinds.layout import identity, layout
from reflex_ipython.state.user_code import owned_class


def set_by_others(cls: type, fields: dict[str, Any]) -> dict[str, Any]:
    """Those of the attributes that no class of a library mentions; a class of the user's is somebody else as well."""
    left = [name for name in list(fields) if type(name) is str]
    for base in classes(cls):
        if not left:
            break
        if not owned_class(base):
            own = _own_names(base)
            left = [name for name in left if name not in own]
    return {name: fields[name] for name in left if name in fields}


_known: dict[int, tuple[weakref.ref[type], frozenset[str]]] = {}
"""What the code of a class mentions, by the identity of the class."""


def _own_names(cls: type) -> frozenset[str]:
    known = _known.get(identity(cls))
    if known is not None and known[0]() is cls:  # else it has come to an end, and another class has its id
        return known[1]
    found = frozenset(_mentioned(cls))
    _known[identity(cls)] = weakref.ref(cls), found
    return found


def _mentioned(cls: type) -> Iterator[str]:
    for name, value in class_vars(cls).items():
        yield name
        for function in _functions(value):
            yield from _words(function.__code__)


def _functions(value: object) -> Iterator[FunctionType]:
    """The functions in what a class has, whatever they are wrapped in: `property`, traitlets' `observe`."""
    parts: tuple[object, ...] = (value,)
    if type(value) is property:
        parts = (value.fget, value.fset, value.fdel)
    elif type(value) is staticmethod or type(value) is classmethod:
        parts = (value.__func__,)
    elif type(value) is not FunctionType and layout(type(value)).dictionary is not None:
        parts = tuple(layout(type(value)).dictionary.__get__(value).values())
    seen: set[int] = set()
    waiting = [*parts]
    while waiting:
        part = waiting.pop()
        if type(part) is FunctionType and identity(part) not in seen:
            seen.add(identity(part))
            yield part
            waiting += [vars(part).get("__wrapped__"), *_closed_over(part)]


def _closed_over(function: FunctionType) -> Iterator[object]:
    """Its closure's: ipykernel 6 has a method of `Thread` call the one in whose place it stands."""
    for cell in function.__closure__ or ():
        with contextlib.suppress(ValueError):  # it is empty
            yield cell.cell_contents


def _words(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if type(constant) is CodeType:
            yield from _words(constant)
