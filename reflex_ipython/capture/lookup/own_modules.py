"""The user's own modules: where a file is that could not be imported, and whether a loaded one has changed since."""

from __future__ import annotations

import ast
import os
import sys
import types
from collections.abc import Iterator

from reflex_ipython.base.classes import module_vars
from reflex_ipython.base.parsing import parse
from reflex_ipython.capture.bounds import Clock
from reflex_ipython.capture.lookup.paths import walk
from reflex_ipython.capture.trace import is_library

FILE = "file"
"""What `Lookup.holders` calls the files that are told here."""
_LARGEST = 200_000  # bytes of a file that is parsed
_MOST = 4
_SECONDS = 0.03


def files_called(module: str) -> dict[str, str]:
    """The Python files and folders near the working folder that have a module's name, as one would write their paths.

    Parameters
    ----------
    module : str
        Its full name; the first part of it is looked for.
    """
    name = module.partition(".")[0]
    if name in sys.stdlib_module_names:
        return {}
    clock = Clock(_SECONDS, _SECONDS)
    places = (*walk("", 2, clock), *walk("..", 2, clock), *walk("../..", 1, clock))
    here = f"../{os.path.basename(os.getcwd())}/"
    found = [path for path in places if _is_called(path, name) and not path.startswith(here)]
    return dict.fromkeys(found[:_MOST], FILE)


def has_by_now(module: object, wanted: str) -> dict[str, str]:
    """The file of a loaded module of the user's own, if that has a name which the module did not have when it was read.

    Parameters
    ----------
    module : object
        Perhaps a module.
    wanted : str
        The name.
    """
    path = module_vars(module).get("__file__") if isinstance(module, types.ModuleType) else None
    if type(path) is not str or not path.endswith(".py") or is_library(path):
        return {}
    try:
        if os.path.getsize(path) > _LARGEST:
            return {}
        with open(path, encoding="utf-8", errors="replace") as file:
            tree = parse(file.read())
    except OSError:
        return {}
    return {os.path.basename(path): FILE} if tree is not None and wanted in _top_names(tree) else {}


def _is_called(path: str, name: str) -> bool:
    last = path.rstrip("/").rpartition("/")[2]
    return last == f"{name}.py" or (path.endswith("/") and last == name)


def _top_names(tree: ast.Module) -> Iterator[str]:
    """What the statements of the top level define."""
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name))
