"""Code that holds a function without running it: `partial(f, 2)`, `map(f, rows)`, `lambda: f()`, `[f, g]`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection

DEFERRING = frozenset(
    [
        "MethodType",
        "SimpleNamespace",
        "Thread",
        "Timer",
        "accumulate",
        "cache",
        "cached_property",
        "classmethod",
        "contextmanager",
        "defaultdict",
        "dict",
        "dropwhile",
        "field",
        "filter",
        "filterfalse",
        "frompyfunc",
        "iter",
        "lru_cache",
        "map",
        "namedtuple",
        "partial",
        "partialmethod",
        "property",
        "ref",
        "singledispatch",
        "starmap",
        "staticmethod",
        "takewhile",
        "vectorize",
        "wraps",
    ]
)
"""What takes a function and does not call it yet."""

_MODULES = frozenset(
    [
        "builtins",
        "collections",
        "contextlib",
        "dataclasses",
        "functools",
        "itertools",
        "np",
        "numpy",
        "threading",
        "types",
        "weakref",
    ]
)
"""Whose they are, where the code says it: `rows.map(f)` is another thing."""

KEEPING = frozenset(
    [
        "add",
        "add_done_callback",
        "append",
        "appendleft",
        "connect",
        "extend",
        "insert",
        "observe",
        "on_click",
        "register",
        "setdefault",
        "update",
    ]
)
"""Methods that put away what they are given."""

_PLAIN = (ast.Constant, ast.Name, ast.expr_context)
_OF_PARTS = (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.keyword, ast.Subscript, ast.Slice, ast.IfExp, ast.NamedExpr)


def called(function: ast.expr) -> str:
    """The last part of what a call or a decorator calls: `lru_cache` of `functools.lru_cache(maxsize=None)`."""
    if isinstance(function, ast.Call):
        return called(function.func)
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def runs_nothing(node: ast.AST, keeps: Callable[[str], bool]) -> bool:
    """Whether evaluating an expression calls none of the functions in it.

    Parameters
    ----------
    node : ast.AST
    keeps : callable
        Given the name of what is called, whether it calls none of its arguments.
    """

    def all_hold(nodes: Collection[ast.AST | None]) -> bool:
        return all(runs_nothing(one, keeps) for one in nodes if one is not None)

    if isinstance(node, _PLAIN):
        return True
    if isinstance(node, ast.Attribute):
        return runs_nothing(node.value, keeps)
    if isinstance(node, ast.Lambda):
        return all_hold([*node.args.defaults, *node.args.kw_defaults])
    if isinstance(node, ast.GeneratorExp):  # it has only got its first iterator
        return runs_nothing(node.generators[0].iter, keeps)
    if isinstance(node, ast.Compare):
        return all(isinstance(sign, (ast.Is, ast.IsNot)) for sign in node.ops) and all_hold(
            [node.left, *node.comparators]
        )
    if isinstance(node, ast.Call):
        known = _is_one_of_those(node.func) and keeps(called(node.func))
        return known and all_hold([*node.args, *node.keywords])
    return isinstance(node, _OF_PARTS) and all_hold(list(ast.iter_child_nodes(node)))


def _is_one_of_those(function: ast.expr) -> bool:
    module = function.value if isinstance(function, ast.Attribute) else None
    return isinstance(function, ast.Name) or (isinstance(module, ast.Name) and module.id in _MODULES)


def passes_on(definition: ast.FunctionDef) -> bool:
    """Whether a function, of a decorator's kind, calls none of its arguments itself: functions inside of it may."""
    names = {argument.arg for argument in (*definition.args.posonlyargs, *definition.args.args)}
    return not any(
        isinstance(node, ast.Call)
        and not _is_deferring(node)
        and names & _names([node.func, *node.args, *node.keywords])
        for statement in definition.body
        for node in _own(statement)
    )


def _is_deferring(call: ast.Call) -> bool:
    return _is_one_of_those(call.func) and called(call.func) in DEFERRING


def _names(nodes: Collection[ast.AST]) -> set[str]:
    return {part.id for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name)}


def _own(node: ast.AST) -> list[ast.AST]:
    """The nodes that run when a function does, without what is inside of functions that it defines."""
    if isinstance(node, ast.Lambda):
        return []
    inside: list[ast.AST] = list(ast.iter_child_nodes(node))
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        inside = [one for one in node.decorator_list if not _wraps(one)]
    return [node, *(part for child in inside for part in _own(child))]


def _wraps(decorator: ast.expr) -> bool:
    return called(decorator) in DEFERRING
