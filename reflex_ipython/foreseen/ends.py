"""Statements behind which the cell may be over without having failed: nothing is told of what stands there."""

from __future__ import annotations

import ast
from typing import Any

from reflex_ipython.base.classes import class_vars, classes, inherits
from reflex_ipython.foreseen.reach import Codes, codes_of, of_name

_EXITS = frozenset({"exit", "quit", "_exit", "abort", "SystemExit", "KeyboardInterrupt", "_render_traceback_"})


def may_end(statement: ast.stmt, namespace: dict[str, Any], known: dict[str, Codes]) -> bool:
    """Whether a statement surely ends the cell, or may do so on purpose."""
    if isinstance(statement, ast.Raise):
        return True
    if isinstance(statement, ast.While) and _is_constant(statement.test, True):
        return not any(isinstance(node, ast.Break) for node in ast.walk(statement))
    if isinstance(statement, ast.Assert) and _is_constant(statement.test, False):
        return True
    return any(_is_exit(node, namespace, known) for node in ast.walk(statement))


def _is_exit(node: ast.AST, namespace: dict[str, Any], known: dict[str, Codes]) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in _EXITS
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return False
    if node.id in _EXITS or _is_silent(dict.get(namespace, node.id)):
        return True
    return any(
        name in _EXITS or _is_silent(dict.get(namespace, name))
        for outer in of_name(node.id, namespace, known)
        if outer is not None
        for code in codes_of(outer)
        for name in code.co_names
    )


def _is_silent(o: Any) -> bool:
    """Whether that is an exception of which IPython shows what it likes: it stops a cell, and nothing is wrong."""
    if not inherits(type(o), type) or not inherits(o, BaseException):
        return False
    return any("_render_traceback_" in class_vars(base) for base in classes(o))


def _is_constant(node: ast.expr, value: bool) -> bool:
    return isinstance(node, ast.Constant) and bool(node.value) is value
