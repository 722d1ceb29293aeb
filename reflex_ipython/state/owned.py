"""Which code is the user's own: the notebook's, and modules that are not in a library folder."""

from __future__ import annotations

import functools
import sys
import sysconfig
from types import ModuleType
from typing import Any

from reflex_ipython.state.kinds.layout import class_vars, inherits

_MAIN = ("__main__", "__mp_main__")
_contents = vars(ModuleType)["__dict__"].__get__


def owned_class(cls: type) -> bool:
    """Whether the class was written by the user."""
    module = class_vars(cls).get("__module__")
    return type(module) is str and owned_module(module)


def owned_module(name: str) -> bool:
    """Whether the module of that name is the user's own."""
    if name in _MAIN:
        return True
    module = sys.modules.get(name)
    return module is not None and _owned(name, _file(module))


def contents(module: Any) -> dict[str, Any]:
    """The module's namespace, without asking the module: a lazy one would run code to answer."""
    return _contents(module) if inherits(type(module), ModuleType) else {}


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
    return not any(file.startswith(folder) for folder in _libraries()) and "-packages" not in file


@functools.lru_cache(maxsize=4096)
def library_file(file: str) -> bool:
    """Whether code of that file came with Python or an installed library."""
    return file.startswith(("<frozen ", *_libraries())) or "-packages" in file


@functools.lru_cache(maxsize=1)
def _libraries() -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    return tuple(paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib"))
