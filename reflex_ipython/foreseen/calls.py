"""Keyword arguments that a function does not take."""

from __future__ import annotations

import ast
from inspect import CO_VARKEYWORDS
from types import FunctionType, ModuleType
from typing import Any

from reflex_ipython.base.classes import module_vars
from reflex_ipython.foreseen.changed import Changed


def find(node: ast.expr, namespace: dict[str, Any], changed: Changed, inside: Changed) -> TypeError | None:
    """What calling a function with a keyword raises."""
    if not isinstance(node, ast.Call) or not node.keywords:
        return None
    function = _function(node.func, namespace, changed, inside)
    if (
        function is None
        or "__code__" in changed.attributes | inside.attributes
        or function.__code__.co_flags & CO_VARKEYWORDS
    ):
        return None
    code = function.__code__
    taken = code.co_varnames[code.co_posonlyargcount : code.co_argcount + code.co_kwonlyargcount]
    for keyword in node.keywords:
        if keyword.arg is not None and keyword.arg not in taken:
            name = getattr(function, "__qualname__", code.co_name)
            return TypeError(f"{name}() got an unexpected keyword argument {keyword.arg!r}")
    return None


def _function(node: ast.expr, namespace: dict[str, Any], changed: Changed, inside: Changed) -> Any:
    """The plain function that is called, if it is surely this one; else None."""
    name = node.value if isinstance(node, ast.Attribute) else node
    if not isinstance(name, ast.Name) or name.id in changed.bound or name.id in inside.bound:
        return None
    found = dict.get(namespace, name.id)
    if isinstance(node, ast.Attribute):
        if type(found) is not ModuleType or node.attr in changed.attributes | inside.attributes:
            return None
        found = module_vars(found).get(node.attr)
    return found if type(found) is FunctionType else None
