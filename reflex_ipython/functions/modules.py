"""Healing what a module defines, or all of the user's own modules for a while."""

from __future__ import annotations

import contextlib
import functools
import inspect
import linecache
import os
import sys
from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType
from typing import Any

from reflex_ipython.base.classes import class_vars, module_vars
from reflex_ipython.base.library_files import is_library
from reflex_ipython.errors import told
from reflex_ipython.functions.decorator import Pair, heal
from reflex_ipython.functions.healed import Policy
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

    Those of the modules that are loaded when it begins, in all of these modules that hold them.

    Parameters
    ----------
    policy, store, settings
        As in `heal`.
    """
    decorate = heal(policy=policy, store=store, settings=settings)
    undo: list[tuple[Any, str, Any]] = []
    made: dict[int, Any] = {}
    modules = [module for module in list(sys.modules.values()) if _is_own(module)]
    try:
        for module in modules:
            for owner, name, function in _functions(module):
                made[id(function)] = decorate(function)
                if _set(owner, name, made[id(function)]):
                    undo.append((owner, name, function))
        for module in modules:  # those that others have imported by name
            for name, value in list(module_vars(module).items()):
                if id(value) in made and type(value) is FunctionType:
                    undo.append((module, name, value))
                    setattr(module, name, made[id(value)])
        yield
    finally:
        for owner, name, function in reversed(undo):
            setattr(owner, name, function)


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
        elif isinstance(value, type) and class_vars(value).get("__module__") == name:
            yield from _methods(value)


def _methods(owner: type) -> Iterator[tuple[Any, str, Any]]:
    """Those of a class, and of the classes in it."""
    for name, value in list(class_vars(owner).items()):
        if type(value) in _METHODS and _is_written(_METHODS[type(value)](value)):
            yield owner, name, value
        elif isinstance(value, type) and value.__qualname__ == f"{owner.__qualname__}.{name}":
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
    return not is_library(filename) and (os.path.exists(filename) or filename in linecache.cache)


def _is_own(module: object) -> bool:
    """Whether it was made of a file of the user's, or is what the user types."""
    if not isinstance(module, ModuleType):
        return False
    names = module_vars(module)
    file, name = names.get("__file__"), names.get("__name__")
    ours = isinstance(name, str) and name.partition(".")[0] == "reflex_ipython"
    if name == "__main__":
        return file is None or not is_library(str(file))
    return not ours and isinstance(file, str) and file.endswith(".py") and not is_library(file)
