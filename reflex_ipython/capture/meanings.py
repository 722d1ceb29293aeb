"""What the names of a namespace stand for: modules, functions and classes of theirs, the shell.

A fix may use a name that only a cell long ago, a star import or a script has made: `run`, which is `os.system`.
"""

from __future__ import annotations

import os
from types import BuiltinFunctionType, FunctionType, ModuleType

from reflex_ipython.base.classes import NAMELESS, classes, is_exactly, known_module, module_vars, qualname
from reflex_ipython.capture.lookup.names import HIDDEN

_LONGEST = 200
_MOST = 2000


def meanings(namespace: dict[str, object]) -> dict[str, str]:
    """Full names by the user's names; what is defined in the notebook itself is left out.

    Nothing of the user's runs: only objects of the plainest types are asked.
    """
    found = {}
    for name, value in list(dict.items(namespace))[:_MOST]:
        if type(name) is str and name not in HIDDEN and (full := _full(value)) and len(full) < _LONGEST:
            found[name] = full
    return found


def _full(value: object) -> str:
    if id(type(value)) in NAMELESS:
        return ""
    if type(value) is ModuleType:
        module = module_vars(value).get("__name__")
        return module if type(module) is str and module != "__main__" else ""
    if is_exactly(value, (FunctionType, BuiltinFunctionType, type)):
        module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
        return f"{known_module(module)}.{name}" if type(module) is type(name) is str and module != "__main__" else ""
    if value is os.environ:
        return "os.environ"
    is_shell = any(qualname(cls) == "InteractiveShell" for cls in classes(type(value)))
    return "get_ipython()" if is_shell else ""
