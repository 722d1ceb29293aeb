"""What a module of the user's own sets in libraries that nobody has imported before: nobody could note how they were.

`json.mark = 1` at the top level of a module runs with its import, be it that the import fails half way. The module is
forgotten with the statement; the library, and what was set in it, stays.
"""

from __future__ import annotations

import ast
import sys
from types import ModuleType
from typing import Any

from reflex_ipython.base.classes import class_vars, inherits
from reflex_ipython.state.user_code import contents, owned_class, owned_namespace

_NOT_RUN = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def set_in_new(tree: ast.Module) -> list[tuple[str, str]]:
    """The attributes that a module's top level sets in modules that are not there yet: of what, and their names."""
    reading = _ImportVisitor()
    reading.visit(tree)
    return [pair for pair in dict.fromkeys(reading.found) if pair[0].partition(".")[0] not in sys.modules]


def is_set(path: str, attribute: str) -> bool:
    """Whether a module or class of a library has it."""
    here = _librarys(path)
    return here is not None and attribute in here


class _ImportVisitor(ast.NodeVisitor):
    """A module's top level: what its names import, and which attributes of that it sets."""

    def __init__(self) -> None:
        self.found: list[tuple[str, str]] = []
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
        if path:
            self.found.append((path, attribute))

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
