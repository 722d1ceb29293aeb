"""Functions by their names in a namespace, and whether one is another by now."""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from reflex_ipython.base.classes import inherits
from reflex_ipython.base.parsing import parse
from reflex_ipython.base.spans import first_line
from reflex_ipython.capture import safe_inspection


def name_of(code: CodeType) -> str:
    """The qualified name of the function with this code: by its text before Python 3.11, where code has none."""
    name: str | None = getattr(code, "co_qualname", None)
    if name is None:
        text = "".join(linecache.getlines(code.co_filename))
        name = _names(text).get((code.co_firstlineno, code.co_name), code.co_name)
    return name


@functools.lru_cache(maxsize=32)
def _names(text: str) -> dict[tuple[int, str], str]:
    """The qualified names of a text's functions, by their first lines and names."""
    tree = parse(text)
    return dict(_functions(tree, "")) if tree is not None else {}


def _functions(node: ast.AST, outer: str) -> Iterator[tuple[tuple[int, str], str]]:
    for child in ast.iter_child_nodes(node):
        inside = outer
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield (first_line(child), child.name), outer + child.name
            inside = f"{outer}{child.name}.<locals>."
        elif isinstance(child, ast.ClassDef):
            inside = f"{outer}{child.name}."
        yield from _functions(child, inside)


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
