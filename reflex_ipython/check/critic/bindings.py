"""What the names of a cell are bound to, whatever the order of the statements and the branch that they are in."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from reflex_ipython.base.working_cache import working_cache
from reflex_ipython.check.parsed_cell import ParsedCell


@dataclass
class Bindings:
    """What the names of a cell stand for.

    Parameters
    ----------
    imported : dict
        Full names of modules and members, by the names that they are imported as.
    values : dict
        Expressions by the names that may be bound to them.
    functions : dict
        Functions and classes that are defined here.
    opaque : set of str
        Names that may be anything besides.
    stars : list of str
        Modules of which all is imported.
    """

    imported: dict[str, list[str]] = field(default_factory=dict)
    values: dict[str, list[ast.expr]] = field(default_factory=dict)
    functions: dict[str, ast.AST] = field(default_factory=dict)
    opaque: set[str] = field(default_factory=set)
    stars: list[str] = field(default_factory=list)


@working_cache(maxsize=256)
def bindings(cell: ParsedCell) -> Bindings:
    """The bindings of a cell."""
    found = Bindings()
    for node in cell.nodes():
        if type(node) in _BINDING:
            _bind(node, found)
    return found


_BINDING = frozenset(
    [
        *(ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.AugAssign, ast.For, ast.AsyncFor),
        *(ast.comprehension, ast.withitem, ast.arguments, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
        ast.ExceptHandler,
    ]
)
"""The kinds of nodes that `_bind` knows: most of a cell are of others."""


def _bind(node: ast.AST, found: Bindings) -> None:
    if isinstance(node, ast.Import):
        for alias in node.names:
            top = alias.name.partition(".")[0]
            found.imported.setdefault(alias.asname or top, []).append(alias.name if alias.asname else top)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        for alias in node.names:
            if alias.name == "*":
                found.stars.append(node.module)
            else:
                found.imported.setdefault(alias.asname or alias.name, []).append(f"{node.module}.{alias.name}")
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            _assign(target, node.value, found)
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
        _assign(node.target, node.value, found)
    elif isinstance(node, ast.AugAssign):
        _add(node, found)
    elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
        for element in _elements(node.iter):
            _assign(node.target, element, found)
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        _assign(node.optional_vars, node.context_expr, found)
    elif isinstance(node, ast.arguments):
        _defaults(node, found)
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        found.functions[node.name] = node
        found.opaque.add(node.name)
    elif isinstance(node, ast.ExceptHandler) and node.name:
        found.opaque.add(node.name)


def _assign(target: ast.expr, value: ast.expr, found: Bindings) -> None:
    if isinstance(target, ast.Name):
        found.values.setdefault(target.id, []).append(value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts):
            for inner, element in zip(target.elts, value.elts):
                _assign(inner, element, found)
        else:
            found.opaque.update(node.id for node in ast.walk(target) if isinstance(node, ast.Name))


def _add(node: ast.AugAssign, found: Bindings) -> None:
    """`query += " FROM t"`: the text so far is the beginning of another; anything else may be what it was as well."""
    known = found.values.get(node.target.id, []) if isinstance(node.target, ast.Name) else []
    if known and isinstance(known[-1], (ast.Constant, ast.JoinedStr, ast.BinOp)):
        known[-1] = ast.BinOp(known[-1], node.op, node.value)
    else:
        _assign(node.target, ast.BinOp(node.target, node.op, node.value), found)


def _elements(iterated: ast.expr) -> Sequence[ast.expr]:
    """What a loop's variable is, one after the other; the iterable itself where it can't be told."""
    if isinstance(iterated, (ast.List, ast.Tuple, ast.Set)):
        return iterated.elts
    return [iterated]


def _defaults(node: ast.arguments, found: Bindings) -> None:
    positional = [*node.posonlyargs, *node.args]
    pairs = [
        *zip(positional[len(positional) - len(node.defaults) :], node.defaults),
        *((argument, default) for argument, default in zip(node.kwonlyargs, node.kw_defaults) if default is not None),
    ]
    for argument, default in pairs:
        found.values.setdefault(argument.arg, []).append(default)
    found.opaque.update(argument.arg for argument in (*positional, *node.kwonlyargs))
