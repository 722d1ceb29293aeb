"""Calls of functions and classes that the user wrote: looked at as if their statements stood here."""

from __future__ import annotations

import types
from typing import Any

from reflex_ipython.state.analysis.analysis import Analysis, Names, Scope
from reflex_ipython.state.analysis.forms import live
from reflex_ipython.state.analysis.joins import join
from reflex_ipython.state.analysis.values import (
    ITERATOR,
    NEW,
    NONE,
    SOMETHING,
    TEXT,
    Unknown,
    Value,
    box,
)
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.layout import class_vars, classes

_SPECIAL = 0x2A0
"""Flags of code: generator, coroutine, asynchronous generator."""
_DEPTH = 5

Keywords = dict[str, Value]


def call_own(a: Analysis, function: types.FunctionType, args: list[Value], keywords: Keywords) -> Value:
    """What a function of the user's gives."""
    code = function.__code__
    node = a.functions.find(code)
    if node is None or function.__globals__ is not a.namespace:
        raise Unknown("a function without source")
    if code.co_flags & _SPECIAL or function.__closure__ is not None:
        raise Unknown("a generator or closure")
    if code in a.running or len(a.running) >= _DEPTH:
        raise Unknown("recursion")
    defaults = [live(value) for value in function.__defaults__ or ()]
    named = {name: live(value) for name, value in (function.__kwdefaults__ or {}).items()}
    names = arguments(node.args, args, keywords, defaults, named)
    local = frozenset((*code.co_varnames, *code.co_cellvars))
    a.running.append(code)
    try:
        return in_scope(a, Scope(names, a.top, local), node.body)
    finally:
        a.running.pop()


def in_scope(a: Analysis, scope: Scope, body: list[Any]) -> Value:
    """What a function's statements return."""
    saved = a.scope, a.frame, a.returned, a.exits, a.trail
    a.scope = a.frame = scope
    a.returned = a.exits = a.trail = None
    try:
        a.run(body)
        return NONE if a.returned is None else join(a.returned, NONE) if not ends_with_return(body) else a.returned
    finally:
        a.scope, a.frame, a.returned, a.exits, a.trail = saved


def ends_with_return(body: list[Any]) -> bool:
    """Whether the last statement returns something, or raises."""
    return type(body[-1]).__name__ in ("Return", "Raise")


def arguments(node: Any, args: list[Value], keywords: Keywords, defaults: list[Value], named: Keywords) -> Names:
    """What the parameters stand for."""
    positional = [each.arg for each in (*node.posonlyargs, *node.args)]
    names: Names = dict(zip(positional[len(positional) - len(defaults) :], defaults)) if defaults else {}
    names.update(named)
    names.update(zip(positional, args))
    others = args[len(positional) :]
    if node.vararg is not None:
        inner = None
        for value in others:
            inner = value if inner is None else join(inner, value)
        names[node.vararg.arg] = box(tuple, inner)
    known = {*positional, *(each.arg for each in node.kwonlyargs)}
    extra = [value for name, value in keywords.items() if name not in known]
    names.update((name, value) for name, value in keywords.items() if name in known)
    if node.kwarg is not None:
        inner = TEXT if extra else None
        for value in extra:
            inner = join(inner or value, value)
        names[node.kwarg.arg] = box(dict, inner)
    return {name: SOMETHING if value.form == ITERATOR else value for name, value in names.items()}


def call_lambda(a: Analysis, value: Value, args: list[Value], keywords: Keywords) -> Value:
    """What a lambda of the statement itself gives."""
    node, scope, frame = value.inner
    if node in a.running or len(a.running) >= _DEPTH:
        raise Unknown("recursion")
    defaults = [SOMETHING] * len(node.args.defaults)
    names = arguments(node.args, args, keywords, defaults, {})
    saved = a.scope, a.frame
    a.scope, a.frame = Scope(names, scope), frame
    a.running.append(node)
    a.step()
    try:
        return a.value(node.body)
    finally:
        a.running.pop()
        a.scope, a.frame = saved


def make(a: Analysis, cls: type, args: list[Value], keywords: Keywords) -> Value:
    """What a class of the user's makes."""
    if type(cls) is not type:
        raise Unknown("a metaclass")
    init: Any = None
    for base in classes(cls):
        if base is object:
            continue
        own = class_vars(base)
        if not own.keys().isdisjoint(_MAKING):
            raise Unknown("a class that is made in a special way")
        if type(base).__module__ != "builtins" or base.__base__ is None:
            raise Unknown("a base of some kind")
        if init is None:
            init = own.get("__init__")
    if cls.__base__ is not object and classes(cls)[-2].__base__ is not object:
        raise Unknown("a base of C")
    made = Value(NEW, fresh=True, inner={}, cls=cls)
    if init is not None:
        if type(init) is not types.FunctionType:
            raise Unknown("an __init__ of some kind")
        call_own(a, init, [made, *args], keywords)
    return made


_MAKING = frozenset(["__new__", "__del__", "__setattr__", "__getattribute__", "__slots__"])
__all__ = ["MISSING", "call_lambda", "call_own", "make"]
