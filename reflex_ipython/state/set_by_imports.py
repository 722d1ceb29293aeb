"""What modules of the user's own set in libraries while a statement imported them: nobody knows how it was before.

`json.mark = 1` at the top level of a module runs with its import, be it that the import fails half way. The module is
forgotten with the statement; what it has set elsewhere stays, and is named.
"""

from __future__ import annotations

import ast
import contextlib
import sys
from collections.abc import Iterable, Iterator
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from reflex_ipython.base.classes import class_vars, inherits
from reflex_ipython.base.text_file import LARGEST
from reflex_ipython.state.checkpoint import Checkpoint
from reflex_ipython.state.user_code import contents, library_file, owned_class, owned_namespace

_NOT_RUN = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_NOTED = "builtins"
"""What is put back: the walk notes it before each import."""


def set_by_imports(checkpoints: Iterable[Checkpoint]) -> list[str]:
    """Name what stays set, with the module that has set it.

    Parameters
    ----------
    checkpoints : iterable of Checkpoint
        Of the statements that are taken back.
    """
    effects = [effect for checkpoint in checkpoints for effect in checkpoint.effects if effect.kind == "import"]
    roots = dict.fromkeys(effect.text.rpartition(" ")[2] for effect in effects)
    files = {name: file for root in roots for name, file in _own_files(root)}
    return [f"{path} (set by {name}, which was imported)" for name, file in files.items() for path in _set_in(file)]


def _own_files(root: str) -> Iterator[tuple[str, str]]:
    """The modules of the user's own that came in with one, itself first, with their files."""
    if root in sys.modules:
        names = [name for name in [*sys.modules] if name.partition(".")[0] == root]
        found = [(name, contents(sys.modules[name]).get("__file__")) for name in names]
    else:  # its import has failed
        spec = PathFinder.find_spec(root)
        found = [(root, spec.origin if spec is not None else None)]
    return ((name, file) for name, file in found if type(file) is str and not library_file(file))


def _set_in(file: str) -> Iterator[str]:
    """The attributes of libraries that a file's top level sets, and that are there."""
    with contextlib.suppress(OSError, SyntaxError, ValueError):
        source = Path(file).read_bytes()
        reading = _Reading()
        if len(source) <= LARGEST:
            reading.visit(ast.parse(source))
        yield from dict.fromkeys(reading.found)


class _Reading(ast.NodeVisitor):
    """A module's top level: what its names import, and which attributes of that it sets."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._names: dict[str, str] = {}

    def visit(self, node: ast.AST) -> None:
        if not isinstance(node, _NOT_RUN):
            super().visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            root = alias.name.partition(".")[0]
            self._names[alias.asname or root] = alias.name if alias.asname else root

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if not node.level:
            self._names.update((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if not isinstance(node.ctx, ast.Load):
            self._sets(node.value, node.attr)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = node.args[1] if len(node.args) > 1 else None
        if (
            isinstance(node.func, ast.Name)
            and node.func.id in ("setattr", "delattr")
            and isinstance(name, ast.Constant)
        ):
            self._sets(node.args[0], str(name.value))
        self.generic_visit(node)

    def _sets(self, holder: ast.expr, attribute: str) -> None:
        path = self._path(holder)
        here = _librarys(path)
        if path != _NOTED and here is not None and attribute in here:
            self.found.append(f"{path}.{attribute}")

    def _path(self, node: ast.expr) -> str:
        if isinstance(node, ast.Attribute):
            return f"{self._path(node.value)}.{node.attr}"
        return self._names.get(node.id, "") if isinstance(node, ast.Name) else ""


def _librarys(path: str) -> dict[str, Any] | None:
    """What a module or class of a library consists of; None if the path leads to something else."""
    o: Any = sys.modules.get(path)
    if o is None:
        holder, _, name = path.rpartition(".")
        o = (_librarys(holder) or {}).get(name) if holder else None
    if inherits(type(o), ModuleType):
        return None if owned_namespace(contents(o)) else contents(o)
    return dict(class_vars(o)) if inherits(type(o), type) and not owned_class(o) else None
