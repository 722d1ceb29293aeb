"""The user's own modules: where a file is that could not be imported, and whether a loaded one has changed since."""

from __future__ import annotations

import ast
import os
import sys
import types
from collections.abc import Iterator

from reflex_ipython.base.classes import module_vars
from reflex_ipython.base.library_files import is_library
from reflex_ipython.base.parsing import parse
from reflex_ipython.capture.bounds import SummaryDeadline
from reflex_ipython.capture.lookup.module_files import modules_in
from reflex_ipython.capture.lookup.paths import walk

FILE = "file"
"""What `Lookup.holders` calls the files that are told here."""
DEFINES = "defines"
"""What it calls a file that has the name which was asked of another module."""
ALIKE = "alike"
"""What it calls a module of the user's own whose name is like the one that was asked for."""
_LARGEST = 200_000  # bytes of a file that is parsed
_MOST = 4
_SHORTEST = 3  # letters of a name that can be told from others
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
    clock = SummaryDeadline(_SECONDS, _SECONDS)
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
    tree = _tree(path)
    return {os.path.basename(path): FILE} if tree is not None and wanted in _top_names(tree) else defining(wanted)


def defining(wanted: str) -> dict[str, str]:
    """The Python files beside the notebook that define a name which another one of them was asked for.

    Parameters
    ----------
    wanted : str
        The name.
    """
    clock = SummaryDeadline(_SECONDS, _SECONDS)
    found: dict[str, str] = {}
    for path in walk("", 2, clock):
        if path.endswith(".py") and len(found) < _MOST:
            tree = _tree(path)
            if tree is not None and wanted in _top_names(tree):
                found[path] = DEFINES
    return found


def alike(wanted: str) -> dict[str, str]:
    """The modules of the user's own, in the folders that Python looks in, that may have been meant.

    One name begins with the other, or they are one slip of the finger apart.

    Parameters
    ----------
    wanted : str
        The module's full name; the first part of it is compared.
    """
    name = wanted.partition(".")[0]
    found: dict[str, None] = {}
    for folder in sys.path:
        if type(folder) is str and not is_library(os.path.join(os.path.abspath(folder), "")):
            found.update(dict.fromkeys(one for one in modules_in(folder or os.curdir) if _is_alike(one, name)))
    return dict.fromkeys([*found][:_MOST], ALIKE)


def _is_alike(there: str, wanted: str) -> bool:
    from rapidfuzz.distance import OSA  # only who asks for a module that is nowhere pays for the import

    short, long = sorted((there.lower(), wanted.lower()), key=len)
    begins = long.startswith(short) and 2 * len(short) >= len(long)
    return len(short) >= _SHORTEST and (begins or OSA.distance(short, long) <= 1)


def _tree(path: str) -> ast.Module | None:
    """What is in a file, unless it is large or no Python."""
    try:
        if os.path.getsize(path) > _LARGEST:
            return None
        with open(path, encoding="utf-8", errors="replace") as file:
            return parse(file.read())
    except OSError:
        return None


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
