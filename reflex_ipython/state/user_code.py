"""Which code is the user's own: the notebook's, and modules that are not in a library folder."""

from __future__ import annotations

import functools
import sys
from types import FunctionType, MethodType, ModuleType
from typing import Any

from reflex_ipython.base.classes import class_vars, inherits, module_vars
from reflex_ipython.base.library_files import is_library
from reflex_ipython.state.kinds.layout import adds_fields, is_static

_MAIN = ("__main__", "__mp_main__")


def owned_class(cls: type) -> bool:
    """Whether the class was written by the user."""
    module = class_vars(cls).get("__module__")
    if type(module) is not str:
        return False
    if module == "builtins" or module not in sys.modules:  # made by `exec`, or in a module that is not registered
        return not is_static(cls) and not adds_fields(cls) and (module == "builtins" or _by_hand(module))
    return owned_module(module)


def owned_namespace(namespace: dict[str, Any]) -> bool:
    """Whether functions with these globals are the user's: of a module of theirs, of a script, or made by `exec`."""
    name, file = (dict.get(namespace, key) for key in ("__name__", "__file__"))
    if type(name) is str and name not in _MAIN and contents(sys.modules.get(name)) is namespace:
        return owned_module(name)
    if type(file) is str:
        return not is_library(file)
    return dict.get(namespace, "__spec__") is None and (type(name) is not str or name in _MAIN or _by_hand(name))


def is_users(o: Any) -> bool:
    """Whether a function, a method, a class, or the class of any other object was written by the user."""
    if type(o) is FunctionType:
        return owned_namespace(o.__globals__)
    if type(o) is MethodType:
        return is_users(o.__func__)
    return owned_class(o if inherits(type(o), type) else type(o))


def _by_hand(name: str) -> bool:
    """Whether a module of that name that nobody has registered was made by the user."""
    root = name.partition(".")[0]
    return owned_module(root) if root in sys.modules else root not in sys.stdlib_module_names


def owned_module(name: str) -> bool:
    """Whether the module of that name is the user's own."""
    if name in _MAIN:
        return True
    module = sys.modules.get(name)
    return module is not None and _owned(name, _file(module))


def contents(module: Any) -> dict[str, Any]:
    """The module's namespace, without asking the module: a lazy one would run code to answer."""
    return module_vars(module) if inherits(type(module), ModuleType) else {}


def _file(module: Any) -> str | None:
    found = contents(module).get("__file__")
    return found if type(found) is str else None


@functools.lru_cache(maxsize=4096)
def _owned(name: str, file: str | None) -> bool:
    root = name.partition(".")[0]
    if root == "reflex_ipython" or root in sys.stdlib_module_names:
        return False
    if file is None:  # made by hand, or a part of a library without a file
        return root == name and root not in sys.builtin_module_names
    return not is_library(file)
