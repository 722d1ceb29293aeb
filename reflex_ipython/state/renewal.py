"""Giving a living class what a new definition of it has, so that objects and classes that exist reach it.

The new definition is executed, as it would be without us, and what it made is taken over into the class that lives; the
new class itself goes. Methods that were changed in place stay who they are. What can't be taken over is refused with
the reason: the class is then another one, and objects that exist keep the old one.
"""

from __future__ import annotations

import abc
import ast
from collections.abc import Collection
from types import CellType, FunctionType, GetSetDescriptorType, MemberDescriptorType
from typing import Any

from reflex_ipython.base.classes import class_vars, classes, inherits
from reflex_ipython.state.deferring import called

_OWN = frozenset(
    {"__dict__", "__weakref__", "__module__", "__qualname__", "__firstlineno__", "__static_attributes__", "_abc_impl"}
)
_KNOWN_DECORATORS = frozenset({"dataclass", "total_ordering", "final", "runtime_checkable"})
_PLAIN_METACLASSES = (type, abc.ABCMeta)
_basicsize = type.__dict__["__basicsize__"].__get__
_bases = type.__dict__["__bases__"]
_contents = CellType.__dict__["cell_contents"]


class CannotRenew(Exception):
    """The living class keeps what it has. The text says why."""


def check(old: object, definition: ast.ClassDef) -> None:
    """Raise `CannotRenew` if executing the definition would do more than make a class, or if it is another kind of one.

    Parameters
    ----------
    old : object
        What the name stands for now.
    definition : ast.ClassDef
        The new one.
    """
    if not inherits(type(old), type) or not isinstance(old, type):
        raise CannotRenew("the name refers to something else now")
    if not any(type(old) is plain for plain in _PLAIN_METACLASSES):
        raise CannotRenew(f"it is made by {type(old).__name__}")
    if any(called(decorator) not in _KNOWN_DECORATORS for decorator in definition.decorator_list):
        raise CannotRenew("its decorator may have kept the old one")
    if any("__init_subclass__" in class_vars(base) for base in classes(old)[1:] if base is not object):
        raise CannotRenew("a class that it inherits from has registered the old one")


def renew(old: type, new: type, kept: Collection[str]) -> None:
    """Give `old` all that `new` has; or raise `CannotRenew`, and nothing has changed.

    Parameters
    ----------
    old, new : type
        The class that lives, and the one that its new definition has made.
    kept : collection of str
        The names of methods that have their new code already, or have not changed.
    """
    if type(old) is not type(new):
        raise CannotRenew(f"it was made by {type(old).__name__} and is now made by {type(new).__name__}")
    before, after = class_vars(old), class_vars(new)
    if before.get("__slots__") != after.get("__slots__") or _basicsize(old) != _basicsize(new):
        raise CannotRenew("its objects have different slots")
    if _bases.__get__(old) != _bases.__get__(new):
        try:
            _bases.__set__(old, _bases.__get__(new))
        except TypeError:
            raise CannotRenew("its objects have a different memory layout") from None
    for name in [name for name in before if name not in after and name not in _OWN]:
        type.__delattr__(old, name)
    for name, value in list(after.items()):
        if name in _OWN or name in kept or isinstance(value, (GetSetDescriptorType, MemberDescriptorType)):
            continue
        _belongs_to(value, old, new)
        type.__setattr__(old, name, value)


def _belongs_to(value: Any, old: type, new: type) -> None:
    """Have `super()` and `__class__` in the functions of an attribute mean the class that lives."""
    parts = [value, *(getattr(value, name, None) for name in ("__func__", "fget", "fset", "fdel"))]
    for function in parts:
        for cell in function.__closure__ or () if type(function) is FunctionType else ():
            if _holds(cell, new):
                _contents.__set__(cell, old)


def _holds(cell: CellType, new: type) -> bool:
    try:
        return _contents.__get__(cell) is new
    except ValueError:  # empty
        return False


def kept_methods(old: ast.Module, new: ast.Module, name: str, swapped: Collection[str]) -> set[str]:
    """The methods of a class that need not be taken over: those with their new code, and those of the same text.

    Parameters
    ----------
    old, new : ast.Module
        The cell's trees.
    name : str
        The class.
    swapped : collection of str
        The paths of the functions that run their new code.
    """
    before, after = _methods(old, name), _methods(new, name)
    same = {method for method, text in after.items() if before.get(method) == text}
    return same | {method for method in after if f"{name}.{method}" in swapped}


def _methods(tree: ast.Module, name: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for statement in tree.body:
        for node in statement.body if isinstance(statement, ast.ClassDef) and statement.name == name else []:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found.setdefault(node.name, []).append(ast.dump(node))
    return found
