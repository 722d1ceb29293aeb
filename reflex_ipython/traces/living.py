"""Functions by their names in a namespace, and whether one is another by now."""

from __future__ import annotations

import inspect
from types import CodeType, FunctionType
from typing import Any

from reflex_ipython.base.classes import inherits
from reflex_ipython.capture import safe_inspection


def name_of(code: CodeType, scope: dict[str, Any]) -> str:
    """The qualified name of the function with this code (found among the classes before Python 3.11)."""
    name: str | None = getattr(code, "co_qualname", None)
    if name is not None:
        return name
    for cls in list(scope.values()):
        if inherits(type(cls), type) and code.co_name in vars(cls):
            function = innermost(vars(cls)[code.co_name])
            if function is not None and function.__code__ == code:
                return f"{cls.__qualname__}.{code.co_name}"
    return code.co_name


def function_named(scope: dict[str, Any], name: str) -> FunctionType | None:
    """The function of that name, below its decorators; None if there is none, or it is made in another one.

    Parameters
    ----------
    scope : dict
        The globals of its module.
    name : str
        Qualified: `Basket.total`.
    """
    first, *rest = name.split(".")
    found: Any = dict.get(scope, first)
    for part in rest:
        found = safe_inspection.class_dict(found).get(part) if inherits(type(found), type) else None
    return innermost(found)


def innermost(found: Any) -> FunctionType | None:
    """The function that the user wrote, below other decorators; None if there is none."""
    if isinstance(found, property):
        found = found.fget
    if isinstance(found, (classmethod, staticmethod)):
        found = found.__func__
    try:
        found = inspect.unwrap(found) if callable(found) else None
    except ValueError:  # it wraps itself
        return None
    return found if isinstance(found, FunctionType) else None


def changed_code(before: CodeType, after: CodeType) -> bool:
    """Whether two codes do not do the same."""
    return before != after and _told(before) != _told(after)


def _told(code: CodeType) -> tuple[Any, ...]:
    """All of a code but its places."""
    names = code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_argcount, code.co_kwonlyargcount
    constants = ((type(one), _told(one) if type(one) is CodeType else repr(one)) for one in code.co_consts)
    return (*names, *constants)
