"""Healing what a module defines, or all of the user's own modules for a while."""

from __future__ import annotations

import contextlib
import functools
import inspect
import linecache
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType, ModuleType
from typing import Any

from reflex_ipython.base.classes import class_vars, inherits, is_exactly, module_vars
from reflex_ipython.base.library_files import is_library
from reflex_ipython.errors import told
from reflex_ipython.functions.decorator import Pair, heal
from reflex_ipython.functions.healed import Policy
from reflex_ipython.functions.importing import telling_of_imports
from reflex_ipython.functions.source import MADE
from reflex_ipython.functions.store import FunctionStore
from reflex_ipython.settings import Settings


def heal_module(
    module: ModuleType,
    *,
    policy: Policy = "ask",
    store: FunctionStore | Pair | None = None,
    settings: Settings | None = None,
) -> None:
    """Have all functions and methods heal that a module defines. Whoever imported one before holds the old one.

    Parameters
    ----------
    module : module
    policy, store, settings
        As in `heal`.
    """
    decorate = heal(policy=policy, store=store, settings=settings)
    for owner, name, function in _functions(module):
        _set(owner, name, decorate(function))


@contextlib.contextmanager
def active(
    *, policy: Policy = "ask", store: FunctionStore | Pair | None = None, settings: Settings | None = None
) -> Iterator[None]:
    """Have the functions of the user's own modules, `__main__` among them, heal until the end of the block.

    Those of the modules that are there when it begins, and of those that are imported meanwhile; for whoever holds them
    by name in one of these modules as well.

    Parameters
    ----------
    policy, store, settings
        As in `heal`.
    """
    decorate = heal(policy=policy, store=store, settings=settings)
    undo: list[tuple[Any, str, Any]] = []
    made: dict[int, tuple[Any, Any]] = {}

    def begin(module: ModuleType) -> None:
        for owner, name, function in _functions(module) if _is_own(module) else ():
            healing = decorate(function)
            if _set(owner, name, healing):
                undo.append((owner, name, function))
                made[id(function)] = function, healing

    try:
        for module in _own_modules():
            begin(module)
        _exchange(made)
        with telling_of_imports(begin):
            yield
    finally:
        for owner, name, function in reversed(undo):
            setattr(owner, name, function)
        _exchange({id(healing): (healing, function) for function, healing in made.values()})


def _own_modules() -> list[ModuleType]:
    return [module for module in list(sys.modules.values()) if _is_own(module)]


def _exchange(functions: Mapping[int, tuple[Any, Any]]) -> None:
    """Give those who have imported functions by name others in their place.

    Parameters
    ----------
    functions : mapping of int to pair of functions
        By the identity of the one: this, and the one to be there instead.
    """
    for module in _own_modules():
        for name, value in list(module_vars(module).items()):
            old, new = functions.get(id(value), (None, None))
            if old is value and old is not new and type(value) is FunctionType:
                setattr(module, name, new)


def _set(owner: Any, name: str, made: Any) -> bool:
    """Put what heals in the place of what a module or class holds; whether that lets it."""
    try:
        setattr(owner, name, made)
    except Exception as error:  # noqa: BLE001 - a metaclass of the user's
        print(f"reflex: {owner.__name__}.{name} does not heal: {told(error)}.", file=sys.stderr)
        return False
    if isinstance(made, functools.cached_property):
        made.__set_name__(owner, name)
    return True


def _functions(module: ModuleType) -> Iterator[tuple[Any, str, Any]]:
    """The functions and methods that a module defines, each with who holds it and its name there."""
    name = module_vars(module).get("__name__")
    for key, value in list(module_vars(module).items()):
        if type(value) is FunctionType and value.__module__ == name and _is_written(value):
            yield module, key, value
        elif inherits(type(value), type) and class_vars(value).get("__module__") == name:
            yield from _methods(value)


def _methods(owner: type) -> Iterator[tuple[Any, str, Any]]:
    """Those of a class, and of the classes in it."""
    for name, value in list(class_vars(owner).items()):
        if is_exactly(value, tuple(_METHODS)) and _is_written(_METHODS[type(value)](value)):
            yield owner, name, value
        elif inherits(type(value), type) and value.__qualname__ == f"{owner.__qualname__}.{name}":
            yield from _methods(value)


_METHODS: dict[type, Callable[[Any], Any]] = {
    FunctionType: lambda value: value,
    classmethod: lambda value: value.__func__,
    staticmethod: lambda value: value.__func__,
    property: lambda value: value.fget,
    functools.cached_property: lambda value: value.func,
}
"""What a class holds of a method, and the function in it."""


def _is_written(function: Any) -> bool:
    """Whether the user wrote it: the methods of a dataclass were made, some of an enumeration are Python's."""
    function = inspect.unwrap(function) if callable(function) else function
    if type(function) is not FunctionType:
        return False
    filename = function.__code__.co_filename
    known = os.path.exists(filename) or (filename in linecache.cache and filename != MADE)
    return known and not is_library(filename)


def _is_own(module: object) -> bool:
    """Whether it was made of a file of the user's, or is what the user types."""
    if not isinstance(module, ModuleType):
        return False
    names = module_vars(module)
    file, name = names.get("__file__"), names.get("__name__")
    if name == "__main__":
        return file is None or not is_library(str(file))
    return isinstance(file, str) and file.endswith(".py") and not is_library(file)
