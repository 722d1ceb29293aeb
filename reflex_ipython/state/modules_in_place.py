"""A new text of a file is put into effect in the modules that were made of it, without importing them anew."""

from __future__ import annotations
import __future__

import ast
import gc
import linecache
import os
import sys
from types import FunctionType, ModuleType
from typing import Any

from reflex_ipython.base.classes import module_vars
from reflex_ipython.base.parsing import parsed
from reflex_ipython.models import Edit, FileRef
from reflex_ipython.state.definitions import CompiledCell
from reflex_ipython.state.new_text import NewText, Place, Rewritten


class ModulesInPlace:
    """The modules of this process that were made of the user's own files."""

    def __init__(self) -> None:
        self._applied: list[NewText] = []

    def apply(self, edit: Edit, *, back: bool = False) -> Rewritten:
        """Give the living functions of a file their new code, and execute the definitions that can't be changed so.

        Parameters
        ----------
        edit : Edit
            Of a file. Where nothing was made of that yet, as it did not parse, nothing happens.
        back : bool
            Whether this takes such an edit back.
        """
        assert isinstance(edit.target, FileRef)
        path, name = edit.target.path, edit.target.name
        old, new = parsed(edit.expected), parsed(edit.source)
        if isinstance(new, SyntaxError):
            return Rewritten(f"the new {name} does not compile", took_effect=False)
        if isinstance(old, SyntaxError):
            return Rewritten("")
        done: list[tuple[NewText, BaseException | None]] = []
        for filename, there in _living(path):
            before, after = (CompiledCell(tree, filename, _flags(tree), whole=True) for tree in (old, new))
            text = NewText(before, after, Place(name, there, there))
            try:
                text.swap()
            except SyntaxError as refused:  # of the kinds that only the compiler finds
                return Rewritten(f"the new {name} does not compile: {refused.msg}", refused, took_effect=False)
            self._applied.append(text)
            # `%run` runs all of it, as the cell does again; at its end it takes that name away.
            is_script = there.get("__name__", "__main__") == "__main__"
            done.append((text, text.define(runs_again=is_script)))
            linecache.checkcache(filename)
        error = next((error for _, error in done if error is not None), None)
        words = dict.fromkeys(text.words(error, back=back) for text, error in done)
        return Rewritten(", ".join(filter(None, words)), error)

    def apply_again(self) -> None:
        """What was put into effect was put back with the state of a cell that ran before it: do it once more."""
        for text in self._applied:
            text.again()

    def settle(self) -> None:
        """The cell that they were changed for has run well: no state from before is put back any more."""
        self._applied.clear()


def module_of(path: str) -> str:
    """The dotted name of the module that was made of a file; empty if none was, or a script alone."""
    names = [str(there.get("__name__", "")) for _, there in _living(path)]
    return next((name for name in names if name != "__main__"), "")


def _living(path: str) -> list[tuple[str, dict[str, Any]]]:
    """The names that the code of a file goes by, each with the namespace of what was made of it."""
    modules = [module for module in list(sys.modules.values()) if isinstance(module, ModuleType)]
    found = [(_file(module), module_vars(module)) for module in modules if _is(_file(module), path)]
    if not found:  # a script that was run
        functions = [o for o in gc.get_objects() if type(o) is FunctionType and _is(o.__code__.co_filename, path)]
        found = [(o.__code__.co_filename, o.__globals__) for o in functions]
    return list({(name, id(there)): (name, there) for name, there in found}.values())


def _file(module: ModuleType) -> str:
    name = module_vars(module).get("__file__")
    return name if type(name) is str else ""


def _is(filename: str, path: str) -> bool:
    return filename.endswith(".py") and os.path.abspath(filename) == path


def _flags(tree: ast.Module) -> int:
    """Of the compiler: what the file imports from the future."""
    names = [
        alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module == "__future__"
        for alias in node.names
    ]
    return sum(getattr(__future__, name).compiler_flag for name in dict.fromkeys(names))
