"""How an object of a type is laid out: a solid base with C fields of its own, then `__dict__` and slots upon it.

All that Python's `class` statement adds is a `__dict__`, slots and a list of weak references. So an object's contents
are those of its solid base (`list`, `dict`, `ndarray`, `object`), its `__dict__` and its slots, whatever its class is.
"""

from __future__ import annotations

import dataclasses
import sys
import types
from collections.abc import Mapping
from typing import Any

from reflex_ipython.base.classes import class_vars, classes, is_exactly, module_name, qualname

_POINTER = tuple.__itemsize__
_HEAP_TYPE = 1 << 9

_base = type.__dict__["__base__"].__get__
_size = type.__dict__["__basicsize__"].__get__
_item_size = type.__dict__["__itemsize__"].__get__
_flags = type.__dict__["__flags__"].__get__


identity = object.__hash__
"""Tells objects apart as `id` does. But `id` wakes up every audit hook, and there is one (`effects`)."""


@dataclasses.dataclass(frozen=True)
class Layout:
    """Where an object of a type keeps its contents.

    Parameters
    ----------
    solid : type
        The nearest base with C fields of its own; `object` if there is none.
    dictionary : descriptor or None
        Gets and sets the `__dict__`; None if objects have none.
    slots : tuple of descriptors
        One for each name in `__slots__`, of all bases.
    """

    solid: type
    dictionary: Any
    slots: tuple[Any, ...]


def layout(cls: type) -> Layout:
    """The layout of the objects of a class."""
    dictionary = None
    slots: list[Any] = []
    for base in classes(cls):
        own = class_vars(base)
        found = own.get("__dict__")
        if dictionary is None and is_exactly(found, (types.GetSetDescriptorType, types.MemberDescriptorType)):
            dictionary = found
        if "__slots__" in own and _flags(base) & _HEAP_TYPE:
            slots += _members(own)
    return Layout(solid_base(cls), dictionary, tuple(slots))


def solid_base(cls: type) -> type:
    """The nearest base, or the class itself, that has C fields of its own."""
    while _base(cls) is not None and not adds_fields(cls):
        cls = _base(cls)
    return cls


def adds_fields(cls: type) -> bool:
    """Whether the class has C fields that its base has not."""
    base, own = _base(cls), class_vars(cls)
    slots = len(_members(own)) if "__slots__" in own else 0
    allowed = _POINTER * (slots + ("__dict__" in own) + ("__weakref__" in own))
    return bool(_item_size(cls) != _item_size(base) or _size(cls) - _size(base) > allowed)


def _members(own: Mapping[str, Any]) -> list[Any]:
    return [value for value in own.values() if type(value) is types.MemberDescriptorType]


def is_static(cls: type) -> bool:
    """Whether the class is one of C that lives as long as the process."""
    return not _flags(cls) & _HEAP_TYPE


def attributes_of(o: Any) -> Any:
    """The `__dict__` of an object that surely has one, past what its class says of attributes."""
    return object.__getattribute__(o, "__dict__")


def type_name(cls: type) -> str:
    """The class's name with its module, `sqlite3.Cursor`; built-in ones without."""
    module = module_name(cls)
    return qualname(cls) if module in ("builtins", "__main__", "") else f"{module}.{qualname(cls)}"


def public_name(cls: type) -> str:
    """The same in words: as it is imported. `queue.SimpleQueue` is of the module `_queue`."""
    public, private_part, rest = f".{module_name(cls)}".partition("._")
    public = public[1:] or rest
    module = sys.modules.get(public)
    if private_part and type(module) is types.ModuleType and vars(module).get(qualname(cls)) is cls:
        return f"{public}.{qualname(cls)}"
    return type_name(cls)
