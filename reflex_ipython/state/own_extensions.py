"""Extensions of the shell that the user wrote: `%load_ext` gives them the shell, by which they get at all names.

What of them runs is looked at in their files, before they are imported. A library's are not looked at.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator, Set
from importlib.machinery import PathFinder
from importlib.util import resolve_name
from pathlib import Path

from reflex_ipython.base.library_files import is_library
from reflex_ipython.base.syntax_trees import syntax_tree
from reflex_ipython.base.text_file import LARGEST
from reflex_ipython.base.unwarned import unwarned
from reflex_ipython.state.run_at_import import gets_at_names, without_the_rest
from reflex_ipython.state.user_code import contents

_MAGICS = frozenset({"load_ext", "reload_ext", "unload_ext"})
LOADING = _MAGICS | {"load_extension", "reload_extension", "unload_extension"}
"""Words of code that may load one, or unload it."""
_CALLED = frozenset({"load_ipython_extension", "unload_ipython_extension"})
_MAIN = "__main__"
_MOST = 300
"""Modules that are looked for: 20 µs each. Of the others nobody can tell."""
_MODULE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


def may_use_names(words: Set[str], said: Callable[[], set[str]]) -> bool:
    """Whether a statement loads or unloads an extension of the user's that gets at the names of the notebook.

    Parameters
    ----------
    words : set of str
        The names and attributes that all its code uses.
    said : callable
        Gives its texts: `names_by_text.texts_of`.
    """
    if words.isdisjoint(LOADING):
        return False
    names = [text.strip() for text in said() - LOADING if _MODULE.fullmatch(text.strip())]
    try:
        return any(_gets_at_names(name, _CALLED, {_MAIN}) for name in names)
    except (RecursionError, MemoryError):  # too deep to be looked at
        return True


def _gets_at_names(name: str, called: Set[str], seen: set[str]) -> bool:
    """Whether a module, or one of the user's that it imports, does so once these functions of it are called."""
    if len(seen) > _MOST:
        return True
    file = "" if name in seen or name.partition(".")[0] in sys.stdlib_module_names else _file(name)
    seen.add(name)
    if not file:
        return False
    try:
        text = Path(file).read_bytes()
        if len(text) > LARGEST:
            return True
        with unwarned():
            tree = syntax_tree(text, file)
    except (OSError, SyntaxError, ValueError):  # nothing of it will run
        return False
    imported = {*_imported(tree, name if Path(file).stem == "__init__" else name.rpartition(".")[0])}
    # Of what it imports nobody knows which functions it calls.
    if _MAIN in imported or gets_at_names(without_the_rest(tree, called) if called else tree, has_shell=True):
        return True
    return any(_gets_at_names(one, frozenset(), seen) for one in imported)


def _file(name: str) -> str:
    """The source of a module of the user's own, without importing anything; empty if it is none."""
    module = sys.modules.get(name)
    file = contents(module).get("__file__") if module is not None else _found(name)
    return file if type(file) is str and file.endswith(".py") and not is_library(file) else ""


def _found(name: str) -> str | None:
    """Where a module that is not imported so far would come from. Finders that are the user's own are not asked."""
    places, spec = None, None
    parts = name.split(".")
    for count in range(1, len(parts) + 1):
        spec = PathFinder.find_spec(".".join(parts[:count]), places)
        if spec is None:
            return None
        places = spec.submodule_search_locations or []
    return spec.origin if spec is not None else None


def _imported(tree: ast.Module, package: str) -> Iterator[str]:
    """The modules that it may import, by their full names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            try:
                name = resolve_name("." * node.level + (node.module or ""), package)
            except ImportError:  # beyond the topmost package
                continue
            yield from (name, *(f"{name}.{alias.name}" for alias in node.names))
