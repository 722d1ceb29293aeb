"""Calls of functions and classes that the user wrote: looked at as if their statements stood here."""

from __future__ import annotations

import ast
import types
from typing import Any

from reflex_ipython.base.classes import class_vars, classes
from reflex_ipython.state.analysis.analysis import Analysis, Names, Scope
from reflex_ipython.state.analysis.forms import live
from reflex_ipython.state.analysis.joins import join
from reflex_ipython.state.analysis.sources import Source
from reflex_ipython.state.analysis.values import (
    ITERATOR,
    NEW,
    NONE,
    SOMETHING,
    TEXT,
    Unknown,
    Value,
    box,
    clock,
)

_SPECIAL = 0x2A0
"""Flags of code: generator, coroutine, asynchronous generator."""
_DEPTH = 5

Keywords = dict[str, Value]


def call_own(a: Analysis, function: types.FunctionType, args: list[Value], keywords: Keywords) -> Value:
    """What a function of the user's gives."""
    code = function.__code__
    source = a.functions.find(code)
    if source is None or function.__globals__ is not a.namespace:
        raise Unknown("a function without source")
    if code.co_flags & _SPECIAL or function.__closure__ is not None:
        raise Unknown("a generator or closure")
    if code in a.running or len(a.running) >= _DEPTH:
        raise Unknown("recursion")
    defaults = [live(value) for value in function.__defaults__ or ()]
    named = {name: live(value) for name, value in (function.__kwdefaults__ or {}).items()}
    names = arguments(source, args, keywords, defaults, named)
    outer, a.running = a.running, (*a.running, code)
    try:
        return in_scope(a, Scope(names, a.top, source.local_names(code)), source.node.body)  # type: ignore[arg-type]
    finally:
        a.running = outer


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


def arguments(source: Source, args: list[Value], keywords: Keywords, defaults: list[Value], named: Keywords) -> Names:
    """What the parameters stand for."""
    positional = source.positional
    names: Names = dict(zip(positional[len(positional) - len(defaults) :], defaults)) if defaults else {}
    if named:
        names.update(named)
    names.update(zip(positional, args))
    if keywords:
        names.update((name, value) for name, value in keywords.items() if name in source.known)
    if not source.simple:
        _others(names, source, args[len(positional) :], keywords)
    for name, value in names.items():
        if value.form == ITERATOR:
            names[name] = SOMETHING  # read whenever the function does
    return names


def _others(names: Names, source: Source, others: list[Value], keywords: Keywords) -> None:
    """What `*args` and `**options` stand for."""
    if source.vararg is not None:
        inner = None
        for value in others:
            inner = value if inner is None else join(inner, value)
        names[source.vararg] = box(tuple, inner)
    if source.kwarg is not None:
        extra = [value for name, value in keywords.items() if name not in source.known]
        inner = TEXT if extra else None
        for value in extra:
            inner = join(inner or value, value)
        names[source.kwarg] = box(dict, inner)


def call_lambda(a: Analysis, value: Value, args: list[Value], keywords: Keywords) -> Value:
    """What a lambda of the statement itself gives."""
    node, scope, frame, defaults = value.inner
    if node in a.running or len(a.running) >= _DEPTH:
        raise Unknown("recursion")
    named = {each.arg: SOMETHING for each in node.args.kwonlyargs}
    names = arguments(Source(node), args, keywords, defaults, named)
    if type(node) is ast.FunctionDef:
        outer, a.running = a.running, (*a.running, node)
        try:
            return in_scope(a, Scope(names, scope), node.body)
        finally:
            a.running = outer
    saved = a.scope, a.frame
    a.scope, a.frame = Scope(names, scope), frame
    outer, a.running = a.running, (*a.running, node)
    a.step()
    try:
        return a.value(node.body)
    finally:
        a.running = outer
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
    made.born = next(clock)
    if init is not None:
        if type(init) is not types.FunctionType:
            raise Unknown("an __init__ of some kind")
        call_own(a, init, [made, *args], keywords)
    return made


_MAKING = frozenset(["__new__", "__del__", "__setattr__", "__getattribute__", "__slots__"])
