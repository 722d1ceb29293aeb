"""What imports and definitions of functions and classes do."""

from __future__ import annotations

import ast
import builtins
import sys
import types

from reflex_ipython.base.classes import class_vars, classes, module_name
from reflex_ipython.state.analysis.analysis import STATEMENTS, Analysis
from reflex_ipython.state.analysis.forms import live
from reflex_ipython.state.analysis.scopes import made_here
from reflex_ipython.state.analysis.values import ATOM, BOX, CLASS, DATA, SOMETHING, Unknown
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.user_code import contents

_import = builtins.__import__
_BASES = frozenset(map(identity, (object, Exception, ValueError, RuntimeError, TypeError, KeyError)))


def _imported(name: str) -> object:
    module = sys.modules.get(name)
    if type(module) is not types.ModuleType or builtins.__import__ is not _import:
        raise Unknown(f"import {name}")
    return module


def _import_modules(a: Analysis, node: ast.Import) -> None:
    for alias in node.names:
        _imported(alias.name)
        name = alias.asname or alias.name.partition(".")[0]
        a.bind(name, live(_imported(alias.name if alias.asname else name)))


def _import_names(a: Analysis, node: ast.ImportFrom) -> None:
    if node.level or node.module is None:
        raise Unknown("a relative import")
    if node.module == "__future__":
        raise Unknown("an import from the future")
    here = contents(_imported(node.module))
    for alias in node.names:
        found = here.get(alias.name, MISSING)
        if alias.name == "*" or found is MISSING:
            raise Unknown(f"import of {alias.name}")
        a.bind(alias.asname or alias.name, live(found))


def _function(a: Analysis, node: ast.FunctionDef) -> None:
    if node.decorator_list:
        raise Unknown("a decorator")
    _parameters(a, node.args)
    if node.returns is not None:
        _annotation(a, node.returns)
    if a.frame is a.top:
        a.bind(node.name, SOMETHING)
        return
    if not _NOT_INSIDE.isdisjoint(map(type, ast.walk(node))):
        raise Unknown("a function in a function, of some kind")
    a.bind(node.name, made_here(a, node))


_NOT_INSIDE = frozenset(
    [ast.Yield, ast.YieldFrom, ast.Await, ast.Nonlocal, ast.Global, ast.AsyncFunctionDef, ast.ClassDef]
)


def _parameters(a: Analysis, node: ast.arguments) -> None:
    for default in (*node.defaults, *filter(None, node.kw_defaults)):
        a.value(default)
    every = (*node.posonlyargs, *node.args, *node.kwonlyargs, *filter(None, (node.vararg, node.kwarg)))
    for each in every:
        if each.annotation is not None:
            _annotation(a, each.annotation)


def _annotation(a: Analysis, node: ast.expr) -> None:
    if type(node) not in (ast.Name, ast.Constant):
        a.value(node)


def _class(a: Analysis, node: ast.ClassDef) -> None:
    if node.decorator_list or node.keywords or a.frame is not a.top:
        raise Unknown("a class of some kind")
    for base in node.bases:
        value = a.value(base)
        if value.form != CLASS or type(value.o) is not type or not _simple(value.o):
            raise Unknown("a base of some kind")
    for each in node.body:
        _member(a, each)
    a.bind(node.name, SOMETHING)


def _simple(cls: type) -> bool:
    """Whether making a class from that one runs nothing of the user's."""
    return all(
        identity(base) in _BASES
        or module_name(base) == "builtins"
        or (type(base) is type and "__init_subclass__" not in class_vars(base))
        for base in classes(cls)
    )


def _member(a: Analysis, node: ast.stmt) -> None:
    if type(node) is ast.FunctionDef:
        if not all(type(each) is ast.Name and _is_known_decorator(a, each) for each in node.decorator_list):
            raise Unknown("a decorator")
        _parameters(a, node.args)
    elif type(node) is ast.Assign:
        value = a.value(node.value)
        if value.form not in (ATOM, DATA, BOX) or not all(type(each) is ast.Name for each in node.targets):
            raise Unknown("an attribute of a class")
    elif type(node) is ast.AnnAssign and type(node.target) is ast.Name and node.simple:
        _annotation(a, node.annotation)
        if node.value is not None and a.value(node.value).form not in (ATOM, DATA, BOX):
            raise Unknown("an attribute of a class")
    elif type(node) is not ast.Pass and not (type(node) is ast.Expr and type(node.value) is ast.Constant):
        raise Unknown("a statement in a class")


def _is_known_decorator(a: Analysis, node: ast.Name) -> bool:
    return a.name(node.id).o in (property, staticmethod, classmethod)


STATEMENTS.update(
    {
        ast.Import: _import_modules,
        ast.ImportFrom: _import_names,
        ast.FunctionDef: _function,
        ast.ClassDef: _class,
    }
)
