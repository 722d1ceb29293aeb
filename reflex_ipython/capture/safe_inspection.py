"""Looking at an object without running any of its code.

Classes, attributes and names come from the type's and the instance's own dictionaries, through the descriptors of
`type` and `object`: no `__getattr__`, property, `__class__`, `__dir__` or metaclass of the user's is ever called.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from typing import Any

from reflex_ipython.base.classes import class_vars, classes, inherits, is_exactly, module_name, module_vars, qualname
from reflex_ipython.base.own_dict import own_dict

MISSING: Any = object()
"""What `attribute` returns for an attribute that is not there, or that only code could tell."""


# How the modules of some types are better known.
_HOMES = {"builtins": "", "__main__": "", "pandas.core": "pandas"}

# What a class may hold that has a `__get__` and is still what it looks like.
_PLAIN_DESCRIPTORS = (
    types.FunctionType,
    classmethod,
    staticmethod,
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.ClassMethodDescriptorType,
)


def mro(cls: type) -> tuple[type, ...]:
    """The classes of `cls`, itself first."""
    return classes(cls) or (cls,)  # a metaclass may have made it none


def class_dict(cls: type) -> dict[str, Any]:
    """A copy of the class's own dictionary, in which foreign keys are harmless."""
    return {name: value for name, value in class_vars(cls).items() if type(name) is str}


def is_a(value: object, *known: Any) -> bool:
    """Whether the type of `value` is one of these classes or inherits from one: `isinstance` without `__class__`."""
    own = type(value)
    for cls in known:  # noqa: SIM110 - as in `is_exactly`
        if inherits(own, cls):
            return True
    return False


def loaded(module: str, name: str) -> Any:
    """The attribute of a module, if that module is there already; else `MISSING`. Nothing is imported."""
    found = sys.modules.get(module)
    return module_vars(found).get(name, MISSING) if type(found) is types.ModuleType else MISSING


def class_name(cls: type) -> str:
    """The qualified name of a class: `pandas.DataFrame`, `dict`; the user's own have no module."""
    module = module_name(cls)
    home = _HOMES.get(".".join(module.split(".")[:2]), module)
    return f"{home}.{qualname(cls)}" if home else qualname(cls)


def type_name(value: object) -> str:
    """The qualified name of the type of `value`."""
    return class_name(type(value))


def instance_dict(value: object) -> dict[str, Any]:
    """The attributes kept in the instance itself; empty if it has none or hides them."""
    attributes = own_dict(value)
    if type(attributes) is types.MappingProxyType:
        return class_dict(value)  # type: ignore[arg-type]  # only classes have such a dictionary
    return attributes if is_a(attributes, dict) else {}


def slots(value: object) -> Iterator[tuple[str, Any]]:
    """The filled slots of the instance."""
    for cls in mro(type(value)):
        if "__slots__" not in class_vars(cls):  # most have none: no copy of theirs is made
            continue
        for name, descriptor in class_dict(cls).items():
            if type(descriptor) is types.MemberDescriptorType and not name.startswith("__"):
                try:
                    yield name, descriptor.__get__(value)
                except AttributeError:
                    continue  # an empty slot


def in_class(value: object, name: str) -> Any:
    """What the classes of `value` have under `name`, as it stands there; else `MISSING`."""
    return next((class_vars(cls)[name] for cls in mro(type(value)) if name in class_vars(cls)), MISSING)


def attribute(value: object, name: str) -> Any:
    """The attribute as it is stored, or `MISSING`: a property or other computed attribute is not computed."""
    if is_a(value, types.ModuleType):
        return dict.get(module_vars(value), name, MISSING)  # type: ignore[arg-type]  # just checked
    if is_a(value, type):
        return next((class_vars(cls)[name] for cls in mro(value) if name in class_vars(cls)), MISSING)  # type: ignore[arg-type]  # just checked
    stored = dict.get(instance_dict(value), name, MISSING)
    if stored is not MISSING:
        return stored
    found = in_class(value, name)
    if type(found) is types.MemberDescriptorType:
        return next((held for slot, held in slots(value) if slot == name), MISSING)
    plain = is_exactly(found, _PLAIN_DESCRIPTORS) or in_class(found, "__get__") is MISSING
    return found if plain else MISSING


def names(value: Any) -> list[str]:
    """The names that `dir` would find, without asking the object's `__dir__`."""
    found: dict[str, None] = {}
    if is_a(value, types.ModuleType):
        attributes = module_vars(value)
        found.update(dict.fromkeys(name for name in list(attributes) if type(name) is str))
        exported: Any = attributes.get("__all__")
        if is_exactly(exported, (list, tuple)):  # what a lazy module would import when asked
            found.update(dict.fromkeys(name for name in exported if type(name) is str))
        return list(found)
    found.update(dict.fromkeys(name for name in list(dict.keys(instance_dict(value))) if type(name) is str))
    family = mro(value) if is_a(value, type) else mro(type(value))
    for cls in family:
        found.update(dict.fromkeys(class_dict(cls)))
    return list(found)


def is_method(name: str, found: Any) -> bool:
    """Whether what a class has under this name is a public method or property."""
    return not name.startswith("_") and is_exactly(found, (property, *_PLAIN_DESCRIPTORS))


def public(found: list[str]) -> list[str]:
    """The names that don't start with an underscore."""
    return [name for name in found if not name.startswith("_")]
