"""A file beside the notebook that has the name of a library, so that Python finds it in the library's place."""

from __future__ import annotations

import os
import re
import sys
import types
from typing import Any

from reflex_ipython.base.classes import module_vars
from reflex_ipython.base.distributions import known_distribution
from reflex_ipython.capture import chain, safe_inspection

_MODULE = re.compile(r"(?:module '|from (?:partially initialized module )?'|; ')([\w.]+)'")


def hiding_file(exc: BaseException) -> str:
    """The path of that file, where an exception is about what it lacks; empty if it is about nothing of the kind."""
    found = _MODULE.search(chain.message(exc))
    name = found[1] if found else ""
    module: Any = sys.modules.get(name)
    if not safe_inspection.is_a(module, types.ModuleType):
        return ""
    path = module_vars(module).get("__file__")
    if type(path) is not str or os.path.dirname(os.path.abspath(path)) != os.getcwd():
        return ""
    return path if _is_a_librarys(name) else ""


def _is_a_librarys(name: str) -> bool:
    """Whether Python or another folder of the import path has a module of that name, or a known distribution."""
    if name in sys.stdlib_module_names or known_distribution(name):
        return True
    folders = (folder for folder in sys.path if type(folder) is str and os.path.abspath(folder) != os.getcwd())
    return any(os.path.exists(os.path.join(folder, name, "__init__.py")) for folder in folders)
