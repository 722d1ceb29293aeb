"""Asking a class without asking its metaclass, which may answer otherwise, with the user's code; modules likewise.

All goes through `type`'s own descriptors, and classes are compared by identity: a metaclass may have an `__eq__`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

_mro = type.__dict__["__mro__"].__get__
_vars = type.__dict__["__dict__"].__get__
_qualname = type.__dict__["__qualname__"].__get__
_module = type.__dict__["__module__"].__get__
_module_vars = vars(ModuleType)["__dict__"].__get__

NAMELESS = frozenset(map(id, (int, float, bool, complex, str, bytes, type(None), list, tuple, set, frozenset)))
"""Types, by identity, whose objects are no modules and have no attributes of anybody's: what most names stand for."""

_KNOWN = {"pathlib._local": "pathlib"}
"""Where Python 3.13 has its paths."""


def class_vars(cls: type) -> Mapping[str, Any]:
    """The class's own attributes, read-only and live."""
    return _vars(cls)  # type: ignore[no-any-return]  # a descriptor's getter comes without types


def classes(cls: type) -> tuple[type, ...]:
    """The class and its bases, in the order of look-up."""
    return _mro(cls)  # type: ignore[no-any-return]  # as above


def inherits(cls: type, base: type) -> bool:
    """Whether the class is `base` or derived from it: `issubclass` without `__subclasscheck__`."""
    for other in _mro(cls):  # noqa: SIM110 - as in `is_exactly`
        if other is base:
            return True
    return False


def is_exactly(o: object, types: tuple[type, ...]) -> bool:
    """Whether the object's own type is one of those."""
    cls = type(o)
    for each in types:  # noqa: SIM110 - a generator takes three times as long, and thousands of objects are asked
        if cls is each:
            return True
    return False


def qualname(cls: type) -> str:
    """The class's name with the classes and functions around it."""
    return _qualname(cls)  # type: ignore[no-any-return]  # as above


def module_name(cls: type) -> str:
    """The name of the module that the class was made in; empty where it is no text."""
    found = _vars(cls).get("__module__")
    if type(found) is not str:  # a built-in class has it as a part of its name
        found = _module(cls)
    return known_module(found) if type(found) is str else ""


def known_module(name: str) -> str:
    """The module by which people know what was made in that one."""
    return _KNOWN.get(name, name)


def module_vars(module: ModuleType) -> dict[str, Any]:
    """The real namespace of a module: a lazy one would run code to answer."""
    return _module_vars(module)  # type: ignore[no-any-return]  # as above
