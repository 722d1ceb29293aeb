"""Arguments that a function does not take, or lacks."""

from __future__ import annotations

import ast
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import CodeType, FunctionType, ModuleType
from typing import Any

from reflex_ipython.base.classes import module_vars
from reflex_ipython.foreseen.changed import PossibleChanges

_SIGNATURE = frozenset({"__code__", "__defaults__", "__kwdefaults__"})


def find(
    node: ast.expr, namespace: dict[str, Any], changed: PossibleChanges, inside: PossibleChanges
) -> TypeError | None:
    """What calling a function with these arguments raises."""
    if not isinstance(node, ast.Call):
        return None
    if any(isinstance(given, ast.Starred) for given in node.args) or any(each.arg is None for each in node.keywords):
        return None
    function = _function(node.func, namespace, changed, inside)
    if function is None or not _SIGNATURE.isdisjoint(changed.attributes | inside.attributes):
        return None
    keywords = [str(keyword.arg) for keyword in node.keywords]
    return None if _fits(function, len(node.args), keywords) else _refused(function, len(node.args), keywords)


def _function(node: ast.expr, namespace: dict[str, Any], changed: PossibleChanges, inside: PossibleChanges) -> Any:
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


def _fits(function: FunctionType, count: int, keywords: list[str]) -> bool:
    """Whether a function takes so many arguments by place, and these by name."""
    code = function.__code__
    places, only_named = _parameters(code)
    if count > len(places) and not code.co_flags & CO_VARARGS:
        return False
    named = [*places[code.co_posonlyargcount :], *only_named]
    if not code.co_flags & CO_VARKEYWORDS and not set(keywords) <= set(named):
        return False
    if not set(places[code.co_posonlyargcount : count]).isdisjoint(keywords):
        return False
    needed = places[count : len(places) - len(function.__defaults__ or ())]
    needed += [name for name in only_named if name not in (function.__kwdefaults__ or {})]
    return set(needed) <= set(keywords) & set(named)


def _parameters(code: CodeType) -> tuple[list[str], list[str]]:
    names = list(code.co_varnames)
    return names[: code.co_argcount], names[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]


def _refused(function: FunctionType, count: int, keywords: list[str]) -> TypeError | None:
    """What Python says: of a function that takes the same and does nothing, for this one is the user's to call."""
    code = function.__code__
    places, only_named = _parameters(code)
    packed = list(code.co_varnames[len(places) + len(only_named) :])
    slash = ["/"] if code.co_posonlyargcount else []
    star = [f"*{packed.pop(0)}"] if code.co_flags & CO_VARARGS else ["*"] if only_named else []
    rest = [f"**{packed[0]}"] if code.co_flags & CO_VARKEYWORDS else []
    first, others = places[: code.co_posonlyargcount], places[code.co_posonlyargcount :]
    text = f"def same({', '.join([*first, *slash, *others, *star, *only_named, *rest])}): pass"
    module = compile(text, "<same>", "exec", dont_inherit=True)
    body = next(constant for constant in module.co_consts if isinstance(constant, CodeType))
    same: Any = FunctionType(body, {}, code.co_name, (None,) * len(function.__defaults__ or ()))
    same.__qualname__ = function.__qualname__
    same.__kwdefaults__ = dict.fromkeys(function.__kwdefaults__ or ())
    try:
        same(*(None for _ in range(count)), **dict.fromkeys(keywords))
    except TypeError as error:
        return error.with_traceback(None)
    return None
