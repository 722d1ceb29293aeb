"""Calls of types that are not the user's: built in, or of libraries."""

from __future__ import annotations

import itertools
from typing import Any

from reflex_ipython.base.classes import module_name
from reflex_ipython.state.analysis import library_calls
from reflex_ipython.state.analysis.analysis import Analysis
from reflex_ipython.state.analysis.builtin_calls import any_of, call_on_items, check_shown, look_at
from reflex_ipython.state.analysis.forms import BOXES, form_of, live
from reflex_ipython.state.analysis.items import DEFAULTS, element
from reflex_ipython.state.analysis.joins import all_fresh, join
from reflex_ipython.state.analysis.values import (
    ATOM,
    BOX,
    CLASS,
    DATA,
    ESTIMATOR,
    FRESH_DATA,
    LIBRARY,
    RANDOM,
    SOME_ATOM,
    SOME_DATA,
    SOMETHING,
    TEXT,
    Unknown,
    Value,
    box,
    iterator,
)
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.layout import identity

Keywords = dict[str, Value]
_LAZY = (zip, enumerate, map, filter, reversed)


def call_class(a: Analysis, cls: Any, args: list[Value], keywords: Keywords) -> Value:
    """What a type that is not the user's makes."""
    if type(cls) is not type and form_of(cls) not in (ATOM, DATA, ESTIMATOR):
        raise Unknown("a class of some kind")
    if any(cls is each for each in _LAZY):
        return _lazy(a, cls, args, keywords)
    if cls is type:
        return _type_of(a, args[0]) if len(args) == 1 else _unknown("a class made by hand")
    if any(cls is each for each in BOXES):
        return _box(a, cls, args, keywords)
    form = form_of(cls)
    if form == ATOM or cls is slice or cls is object:
        look_at(a, args, keywords)
        return _atom(a, cls, args)
    if form == DATA:
        for value in (*args, *keywords.values()):
            library_calls.usable(a, value)
        spread = 2 if cls.__name__ == "DataFrame" else 1  # its rows, or columns, are lists
        fresh = all(all_fresh(value, spread) for value in (*args, *keywords.values()))
        return FRESH_DATA if fresh else SOME_DATA
    if form == ESTIMATOR:
        library_calls.check(a, cls, args, keywords)
        return Value(ESTIMATOR, fresh=True, cls=cls)
    if form == RANDOM:
        look_at(a, args, keywords)
        return Value(RANDOM, fresh=True)
    if form == LIBRARY:
        return _unknown("a ufunc made by hand")
    if module_name(cls) == "itertools":
        return _itertools(a, cls, args, keywords)
    if is_builtin_error(cls):
        look_at(a, args, keywords)
        return SOME_ATOM
    raise Unknown(f"a call of the type {cls.__name__}")


def _type_of(a: Analysis, value: Value) -> Value:
    if value.o is not MISSING:
        return live(type(value.o))
    return SOME_ATOM if a.plain(value) else SOMETHING


def _unknown(why: str) -> Value:
    raise Unknown(why)


def is_builtin_error(cls: type) -> bool:
    """Whether it is an exception of Python itself."""
    return module_name(cls) == "builtins" and issubclass(cls, BaseException)


def _atom(a: Analysis, cls: type, args: list[Value]) -> Value:
    if cls is str:
        check_shown(args)
        return TEXT
    return Value(ATOM, fresh=True, cls=cls if cls is slice else None)


def _lazy(a: Analysis, cls: type, args: list[Value], keywords: Keywords) -> Value:
    if cls in (map, filter):
        if not args:
            return _unknown("map()")
        for value in args[1:]:
            a.use(value)
        items = [element(a, value) for value in args[1:]]
        if cls is filter:
            call_on_items(a, args[0], args[1:])
            return iterator(items[0] if items else None)
        return iterator(a.again(lambda: a.call(args[0], items, {})))
    look_at(a, args, keywords)
    items = [element(a, value) for value in args]
    if cls is reversed:
        return iterator(items[0] if items else None)
    pair = box(tuple, any_of([SOME_ATOM, *items] if cls is enumerate else items))
    pair.parts = (SOME_ATOM, items[0]) if cls is enumerate and items else tuple(items)
    return iterator(pair)


def _box(a: Analysis, cls: type, args: list[Value], keywords: Keywords) -> Value:
    inner: Value | None = None
    if cls.__name__ == "defaultdict":
        if args and not (
            args[0].form in (CLASS, ATOM) and args[0].o in (int, float, str, list, dict, set, tuple, None)
        ):
            raise Unknown("a default factory")
        default = DEFAULTS.get(identity(args[0].o)) if args else None
        args = args[1:]
        if default is not None:
            inner = default()
            inner.shared = inner.form == BOX  # one of several
    look_at(a, args, keywords)
    for value in (*(element(a, each) for each in args[:1]), *keywords.values()):
        if value.form == BOX and value.fresh:
            value.shared = True
            if cls.__name__ not in ("list", "tuple", "set", "frozenset", "deque"):
                value = value.inner or SOME_DATA  # pairs
        inner = value if inner is None else join(inner, value)
    return box(cls, inner)


def _itertools(a: Analysis, cls: type, args: list[Value], keywords: Keywords) -> Value:
    if cls in (itertools.groupby, itertools.accumulate, itertools.takewhile, itertools.dropwhile, itertools.starmap):
        raise Unknown("itertools with a function")
    look_at(a, args, keywords)
    inner = any_of([element(a, value) for value in args]) if args else SOME_ATOM
    if cls in (itertools.product, itertools.permutations, itertools.combinations, itertools.zip_longest):
        return iterator(box(tuple, inner))
    return iterator(inner)
