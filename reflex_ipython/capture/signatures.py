"""What a callable takes, told from its code object: `inspect.signature` would run foreign code."""

from __future__ import annotations

import functools
import re
import types
from dataclasses import dataclass
from typing import Any, Literal

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.base.syntax_trees import syntax_tree
from reflex_ipython.capture import safe_inspection

_VARARGS, _VARKEYWORDS = 0x04, 0x08  # `inspect.CO_VARARGS` and its neighbour; importing inspect costs 5 ms


@dataclass(frozen=True)
class Parameter:
    """One parameter. `default` is the live value, or `safe_inspection.MISSING`."""

    name: str
    kind: Literal["positional", "either", "*", "keyword", "**"]
    default: Any = safe_inspection.MISSING


def parameters(function: Any) -> list[Parameter] | None:
    """The parameters that a call may give, without `self`; None if that can't be told."""
    plain, bound = _plain_function(function)
    if plain is None:
        return None
    found = _of_code(plain)
    return found[1:] if bound and found and found[0].kind in ("positional", "either") else found


def keywords(function: Any) -> list[str]:
    """The names that may be given as keyword arguments."""
    found = parameters(function)
    if found is None:
        return _told(_text_signature(function))
    return [one.name for one in found if one.kind in ("either", "keyword")]


def signature(function: Any, show: Any) -> str:
    """The parameters in brackets; `show(value)` writes a default. "(…)" if unknown."""
    found = parameters(function)
    if found is None:
        return _text_signature(function) or "(…)"
    parts: list[str] = []
    for one in found:
        if one.kind == "keyword" and not any(part.startswith("*") for part in parts):
            parts.append("*")
        mark = one.kind if one.kind in ("*", "**") else ""
        parts.append(f"{mark}{one.name}" + ("" if one.default is safe_inspection.MISSING else f"={show(one.default)}"))
    return f"({', '.join(parts)})"


def _text_signature(function: Any) -> str:
    """The signature that a function written in C tells of itself; empty if it tells none."""
    descriptor = safe_inspection.class_dict(type(function)).get("__text_signature__")
    known = is_exactly(function, (types.BuiltinFunctionType, types.MethodDescriptorType))
    text = descriptor.__get__(function) if known and descriptor is not None else None
    return re.sub(r"\$\w+(?:, /)?(?:, )?", "", text, count=1) if type(text) is str else ""


def _told(text: str) -> list[str]:
    """The keywords in such a text."""
    try:
        arguments = syntax_tree(f"def f{text}: pass").body[0].args
    except SyntaxError:
        return []
    return [one.arg for one in (*arguments.args, *arguments.kwonlyargs)]


def _plain_function(function: Any) -> tuple[types.FunctionType | None, bool]:
    """The Python function behind a callable, and whether its first parameter is given already."""
    bound = False
    for _ in range(10):  # wrappers of wrappers
        if type(function) is types.MethodType:
            function, bound = function.__func__, True
        elif is_exactly(function, (staticmethod, classmethod)):
            bound = bound or type(function) is classmethod
            function = function.__func__
        elif type(function) is functools.partial:
            function = function.func
        elif type(function) is types.FunctionType:
            wrapped = dict.get(function.__dict__, "__wrapped__", safe_inspection.MISSING)
            if wrapped is safe_inspection.MISSING:
                return function, bound
            function = wrapped
        elif safe_inspection.is_a(function, type):
            function, bound = _constructor(function), True
        else:  # lru_cache and the like keep the function in their dictionary; an instance may have a `__call__`
            wrapped = dict.get(safe_inspection.instance_dict(function), "__wrapped__", safe_inspection.MISSING)
            call = safe_inspection.in_class(function, "__call__")
            if wrapped is safe_inspection.MISSING and type(call) is types.FunctionType:
                wrapped, bound = call, True
            if wrapped is safe_inspection.MISSING:
                return None, False
            function = wrapped
    return None, False


def _constructor(cls: type) -> Any:
    for parent in safe_inspection.mro(cls):
        own = safe_inspection.class_dict(parent)
        for name in ("__init__", "__new__"):
            if type(own.get(name)) is types.FunctionType:
                return own[name]
            if type(own.get(name)) is staticmethod:
                return own[name].__func__
    return None


def _of_code(function: types.FunctionType) -> list[Parameter]:
    code = function.__code__
    count, keyword_only = code.co_argcount, code.co_kwonlyargcount
    names = code.co_varnames
    defaults = function.__defaults__ or ()
    first_default = count - len(defaults)
    found = [
        Parameter(
            names[position],
            "positional" if position < code.co_posonlyargcount else "either",
            defaults[position - first_default] if position >= first_default else safe_inspection.MISSING,
        )
        for position in range(count)
    ]
    rest = count + keyword_only
    if code.co_flags & _VARARGS:
        found.append(Parameter(names[rest], "*"))
        rest += 1
    given = function.__kwdefaults__ or {}
    found += [
        Parameter(name, "keyword", given.get(name, safe_inspection.MISSING))
        for name in names[count : count + keyword_only]
    ]
    if code.co_flags & _VARKEYWORDS:
        found.append(Parameter(names[rest], "**"))
    return found
