"""What statements may bind or change before another one comes: rather too much than too little."""

from __future__ import annotations

import ast
import dis
import sys
from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

from reflex_ipython.base.classes import class_vars, classes, module_vars
from reflex_ipython.foreseen import live
from reflex_ipython.foreseen.local_files import is_missing
from reflex_ipython.foreseen.reach import ANYTHING, Codes, at_any_time, codes, codes_of, of_name, reaches_out

_LONGEST = 5_000
"""Names and functions that are looked at."""


class PossibleChanges:
    """What some statements may change.

    Parameters
    ----------
    statements : iterable of ast.stmt
        Those that come before: the one that runs, and those behind it.
    namespace : dict
        The user's, as it is now.
    known : dict
        The code of names, as far as it was looked up.
    """

    def __init__(self, statements: Iterable[ast.stmt], namespace: dict[str, Any], known: dict[str, Codes]) -> None:
        self._namespace = namespace
        self._known = known
        self.bound: set[str] = set()
        """Names that they may bind, by themselves or by a function of the user's that they call."""
        self.used: set[str] = set()
        """Names whose objects they may do anything with, or such functions."""
        self.read: set[str] = set()
        """Names whose objects they ask for an item."""
        self.attributes: set[str] = set()
        """Attributes that they set, of whatever object."""
        self.imported: set[str] = set()
        """Modules that they import, and those around them."""
        self.anything = False
        """Whether nothing is known of what they do."""
        self.statements: list[ast.stmt] = []
        self._seen: set[int] = set()
        self._asked: set[str] = set()
        self._unloaded: set[str] = set()
        """Names that they import from modules which are not loaded yet."""
        for statement in statements:
            self.add(statement)

    def add(self, statement: ast.stmt) -> None:
        """One more statement comes before."""
        self.statements.append(statement)
        reads = set[int]()  # the `d` of `d["key"]`, which changes nothing
        for node in ast.walk(statement):
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
                reads.update([id(node.value)] if isinstance(node.slice, ast.Constant) else ())
            if isinstance(node, ast.Name) and id(node) in reads:
                self.read.add(node.id)
                self._called(node.id)  # what is in it may be called
            elif isinstance(node, ast.Name):
                (self.used if isinstance(node.ctx, ast.Load) else self.bound).add(node.id)
                self._called(node.id)
            elif isinstance(node, ast.Attribute):
                self._attribute(node)
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                self.anything |= _root(node.value.func) in self._unloaded  # `install()` of what nobody can look at
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                self.bound.add(node.name)
            elif isinstance(node, (ast.Global, ast.Nonlocal)):
                self.bound.update(node.names)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                self._import(node)
            elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
                self.bound.add(node.name)
            elif isinstance(node, ast.MatchMapping) and node.rest:
                self.bound.add(node.rest)
            elif type(node).__name__ == "TypeAlias":
                self.anything = True

    def _attribute(self, node: ast.Attribute) -> None:
        self.anything |= node.attr in ANYTHING
        if not isinstance(node.ctx, ast.Load):
            self.attributes.add(node.attr)
        if isinstance(node.value, ast.Name):
            self._may_set(_member(dict.get(self._namespace, node.value.id), node.attr))

    def _may_set(self, function: Any) -> None:
        """Take along what a function of a library may set: names of who calls it, or attributes."""
        if type(function) is FunctionType:
            self.anything |= reaches_out(function)
            self.attributes.update(name for code in codes_of(function) for name in code.co_names)

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            self.anything |= alias.name in ("*", "__main__", "builtins")
            bound = (alias.asname or alias.name).partition(".")[0]
            self.bound.add(bound)
            module = node.module if isinstance(node, ast.ImportFrom) else alias.name
            self.imported.add(f"{module}.{alias.name}" if isinstance(node, ast.ImportFrom) else alias.name)
            loaded = sys.modules.get(module or "")
            if loaded is None:
                self._unloaded.add(bound)
                self.anything |= _may_be_own((module or "").partition(".")[0])
            elif isinstance(node, ast.ImportFrom) and type(loaded) is ModuleType:
                self._may_set(module_vars(loaded).get(alias.name))

    def _called(self, name: str) -> None:
        """Take along what the function, class or object of that name may do, if it is the user's."""
        todo = [name]
        while todo and len(self._seen) < _LONGEST:
            name = todo.pop()
            if name in self._asked:
                continue
            self._asked.add(name)
            self.anything |= name in ANYTHING or reaches_out(dict.get(self._namespace, name))
            for code in of_name(name, self._namespace, self._known):
                self.anything |= code is None
                todo += [] if code is None else self._runs(code)
        self.anything |= len(self._seen) >= _LONGEST

    def _runs(self, outer: CodeType) -> list[str]:
        """Code may run; gives the names of what it may call."""
        names = list[str]()
        for code in codes_of(outer):
            if id(code) not in self._seen:
                self._seen.add(id(code))
                self.bound.update(_stored(code, _GLOBALS))
                self.attributes.update(_stored(code, _ATTRIBUTES))
                self.anything |= not ANYTHING.isdisjoint(code.co_names)
                self.used.update(code.co_names)
                names += code.co_names
        return names


def may_be_set(node: ast.expr, namespace: dict[str, Any]) -> bool:
    """Whether what is asked may be set at any time: by a thread, a signal, or a function of the user's."""
    names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    attributes = {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}
    seen = set[int]()
    for outer in _all_code(namespace):
        for code in () if outer is None or id(outer) in seen else codes_of(outer):
            if not ANYTHING.isdisjoint(code.co_names) or not names.isdisjoint(_stored(code, _GLOBALS)):
                return True
            if not attributes.isdisjoint(_stored(code, _ATTRIBUTES)):
                return True
        if outer is None or len(seen) >= _LONGEST:
            return True
        seen.add(id(outer))
    return False


def stores(module: ModuleType, name: str) -> bool:
    """Whether a function of a module sets a global of that name."""
    return any(
        name in code.co_names and name in _stored(code, _GLOBALS)
        for function in list(module_vars(module).values())
        if type(function) is FunctionType
        for code in codes_of(function)
    )


def _all_code(namespace: dict[str, Any]) -> Iterator[CodeType | None]:
    for _, o in live.values(namespace, live.names(namespace)[:_LONGEST]):
        yield from (code for code in codes(o, namespace, 1 if type(o) is FunctionType else 0) if code is not None)
    yield from at_any_time(namespace)


def _member(owner: Any, name: str) -> Any:
    """A member of a module, or of the class of an object, without asking it."""
    if type(owner) is ModuleType:
        return module_vars(owner).get(name)
    return next((class_vars(base)[name] for base in classes(type(owner)) if name in class_vars(base)), None)


def _may_be_own(package: str) -> bool:
    """Whether it may be a module of the user's, in the folder of the notebook, which may add to `builtins`."""
    return package not in sys.stdlib_module_names and not (is_missing(package) and is_missing(f"{package}.py"))


def _root(node: ast.expr) -> str:
    while isinstance(node, (ast.Attribute, ast.Call)):
        node = node.value if isinstance(node, ast.Attribute) else node.func
    return node.id if isinstance(node, ast.Name) else ""


_GLOBALS = ("STORE_GLOBAL", "DELETE_GLOBAL")
_ATTRIBUTES = ("STORE_ATTR", "DELETE_ATTR")


def _stored(code: CodeType, operations: tuple[str, ...]) -> Iterator[str]:
    for instruction in dis.get_instructions(code):
        if instruction.opname in operations:
            yield instruction.argval
