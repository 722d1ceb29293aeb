"""What a module of the user's own sets in libraries that nobody has imported before: nobody could note how they were.

`json.mark = 1` at the top level of a module runs with its import, be it that the import fails half way. The module is
forgotten with the statement; the library, and what was set in it, stays.
"""

from __future__ import annotations

import ast
import sys
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

from reflex_ipython.base.classes import class_vars, classes, inherits, is_exactly
from reflex_ipython.state.user_code import contents, owned_class, owned_namespace

_UNKNOWN: Any = object()
_CODE = (FunctionType, BuiltinFunctionType, MethodType, staticmethod, classmethod)
_METHODS = "add append appendleft clear discard extend insert pop popitem remove reverse setdefault sort update"
_CHANGING = frozenset(_METHODS.split())
"""Methods by which containers are changed."""
_NOT_RUN = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class SetInNew(NamedTuple):
    """What a module sets in modules that are not there yet.

    Parameters
    ----------
    attributes : list of (str, str)
        Of what, and their names.
    changed : list of str
        What it puts items into, or takes them out of: `matplotlib.rcParams`.
    """

    attributes: list[tuple[str, str]]
    changed: list[str]


def set_in_new(tree: ast.Module) -> SetInNew:
    """What a module's top level sets so."""
    reading = _ImportVisitor()
    reading.visit(tree)
    attributes = [pair for pair in dict.fromkeys(reading.found) if _is_new(pair[0])]
    return SetInNew(attributes, [path for path in dict.fromkeys(reading.changed) if _is_new(path)])


def may_be_changed(path: str) -> bool:
    """Whether what a path leads to in a library may be changed in place: it is there, and no class or function."""
    if path.partition(".")[0] not in sys.modules:
        return False
    o = _at(path)
    return o is _UNKNOWN or not (inherits(type(o), ModuleType) or inherits(type(o), type) or is_exactly(o, _CODE))


def is_set(path: str, attribute: str) -> bool:
    """Whether a module or class of a library has it."""
    here = _librarys(path)
    return here is not None and attribute in here


class _ImportVisitor(ast.NodeVisitor):
    """A module's top level: what its names import, which attributes of that it sets, and into what it puts items."""

    def __init__(self) -> None:
        self.found: list[tuple[str, str]] = []
        self.changed: list[str] = []
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
        if isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING:
            self._changes(node.func.value)
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if not isinstance(node.ctx, ast.Load):
            self._changes(node.value)
        self.generic_visit(node)

    def _sets(self, holder: ast.expr, attribute: str) -> None:
        path = self._path(holder)
        if path:
            self.found.append((path, attribute))

    def _changes(self, holder: ast.expr) -> None:
        path = self._path(holder)
        if "." in path:  # else it is a module
            self.changed.append(path)

    def _path(self, node: ast.expr) -> str:
        if isinstance(node, ast.Attribute):
            holder = self._path(node.value)
            return f"{holder}.{node.attr}" if holder else ""
        return self._names.get(node.id, "") if isinstance(node, ast.Name) else ""


def _is_new(path: str) -> bool:
    return path.partition(".")[0] not in sys.modules


def _at(path: str) -> Any:
    """What a path of names leads to, as far as it goes by modules and classes; a module of the user's is all there is.

    What is in that is forgotten with it.
    """
    o: Any = sys.modules.get(path)
    if o is not None:
        return o
    holder, _, name = path.rpartition(".")
    o = _at(holder) if holder else _UNKNOWN
    if inherits(type(o), ModuleType):
        return o if owned_namespace(contents(o)) else contents(o).get(name, _UNKNOWN)
    if inherits(type(o), type):
        return next((class_vars(cls)[name] for cls in classes(o) if name in class_vars(cls)), _UNKNOWN)
    return _UNKNOWN


def _librarys(path: str) -> dict[str, Any] | None:
    """What a module or class of a library consists of; None if the path leads to something else."""
    o: Any = sys.modules.get(path)
    if o is None:
        holder, _, name = path.rpartition(".")
        o = (_librarys(holder) or {}).get(name) if holder else None
    if inherits(type(o), ModuleType):
        return None if owned_namespace(contents(o)) else contents(o)
    return dict(class_vars(o)) if inherits(type(o), type) and not owned_class(o) else None
