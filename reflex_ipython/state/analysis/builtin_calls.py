"""Calls of built-in functions and types, of functions of C, and of types of libraries."""

from __future__ import annotations

import itertools
import sys
from typing import Any

from reflex_ipython.state.analysis import library_calls
from reflex_ipython.state.analysis.analysis import PASSES, Analysis
from reflex_ipython.state.analysis.attributes import attribute
from reflex_ipython.state.analysis.forms import BOXES, form_of, live
from reflex_ipython.state.analysis.items import DEFAULTS, element
from reflex_ipython.state.analysis.joins import all_fresh, join
from reflex_ipython.state.analysis.patched import shows_itself
from reflex_ipython.state.analysis.streams import stream_is_known
from reflex_ipython.state.analysis.tables import BUILTINS, STANDARD_LIBRARY, WRITING_FIRST, words
from reflex_ipython.state.analysis.values import (
    ATOM,
    BOX,
    CLASS,
    DATA,
    ESTIMATOR,
    FRESH_DATA,
    ITERATOR,
    LIBRARY,
    NONE,
    RANDOM,
    SOME_ATOM,
    SOME_DATA,
    SOMETHING,
    TEXT,
    Unknown,
    Value,
    box,
    constant,
    iterator,
    same_knowledge,
)
from reflex_ipython.state.analysis.writes import put, set_attribute, stored, write_whole
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.layout import identity, module_name
from reflex_ipython.state.owned import owned_class

Keywords = dict[str, Value]
_LAZY = (zip, enumerate, map, filter, reversed)
_TEXTS = frozenset(["str", "repr", "format", "hex", "bin", "oct", "chr", "ascii"])
_ATOMS = words(
    """
    len int float bool complex isinstance issubclass hash id ord callable any all hasattr
    """
)
_LOOK_AT_NOTHING = frozenset(["id", "type", "isinstance", "issubclass", "callable"])
_OF_NUMBERS = frozenset(["math", "cmath", "time"])
_LIBRARIES = frozenset(["numpy", "pandas"])


def call_builtin(a: Analysis, o: Any, args: list[Value], keywords: Keywords) -> Value:
    """What a function of C gives: of a module, or built in."""
    owner = o.__self__
    module = owner.__name__ if owner is not None else o.__module__
    name = o.__name__
    if module == "builtins":
        return _builtin(a, o, name, args, keywords)
    if type(module) is str and module.partition(".")[0] == "numpy":
        return library_calls.call_numpy(a, o, name, args, keywords)
    writing = WRITING_FIRST.get(module)
    if writing is not None and name in writing and args:
        return _write_first(a, args, keywords)
    if module == "_functools" and name == "reduce" and len(args) >= 2:
        return _reduce(a, args)
    known = STANDARD_LIBRARY.get(module, frozenset())
    if known is not None and name not in known:
        raise Unknown(f"{module}.{name}")
    look_at(a, args, keywords)
    if module in _OF_NUMBERS:
        return SOME_ATOM
    return FRESH_DATA if all(map(all_fresh, (*args, *keywords.values()))) else SOME_DATA


def look_at(a: Analysis, args: list[Value], keywords: Keywords) -> None:
    """They look at all that they are given."""
    for value in args:
        a.use(value)
    for value in keywords.values():
        a.use(value)


def _write_first(a: Analysis, args: list[Value], keywords: Keywords) -> Value:
    look_at(a, args, keywords)
    target = args[0]
    if target.form != BOX or not (target.fresh or target.o is not MISSING):
        raise Unknown("a write to some list")
    if not target.fresh:
        write_whole(a, target.o)
        for value in args[1:]:
            stored(a, target.o, value)
    else:
        for value in args[1:]:
            put(a, target, value)
    return element(a, target)


def _reduce(a: Analysis, args: list[Value]) -> Value:
    a.use(args[1])
    item = element(a, args[1])
    result = item if len(args) == 2 else join(item, args[2])
    for _ in range(PASSES):
        before = result
        result = join(before, a.again(lambda before=before: a.call(args[0], [before, item], {})))  # type: ignore[misc]
        if same_knowledge(before, result):
            return result
    raise Unknown("a loop that is not understood")


# ------------------------------------------------------------------------------------------ built in


def _builtin(a: Analysis, o: Any, name: str, args: list[Value], keywords: Keywords) -> Value:
    if name not in BUILTINS:
        raise Unknown(f"{name}()")
    if name == "print":
        return _print(a, args, keywords)
    if name in ("getattr", "setattr"):
        return _by_name(a, name, args)
    if name in ("next", "iter") and args and len(args) <= 2:
        return _iterated(a, name, args)
    key = keywords.pop("key", None)
    if name in ("min", "max", "sorted") and key is not None:
        call_on_items(a, key, args)
    if name == "len" and args and args[0].form == BOX:
        return SOME_ATOM if args[0].o is MISSING else constant(len(args[0].o)) if not a.written else SOME_ATOM
    if name not in _LOOK_AT_NOTHING:
        look_at(a, args, keywords)
    elif name in ("isinstance", "issubclass") and not all(map(_simple_class, args[1:])):
        raise Unknown("a metaclass")
    if name in _TEXTS:
        return TEXT
    if name in _ATOMS:
        return SOME_ATOM
    if name == "sorted":
        return box(list, element(a, args[0]) if args else None)
    if name in ("min", "max"):
        return element(a, args[0]) if len(args) == 1 else _any_of(args)
    if name == "sum" and not all(map(all_fresh, args)):  # it may be a list of them, or one of them
        return SOME_DATA
    return FRESH_DATA  # abs, round, sum, pow, divmod


def _by_name(a: Analysis, name: str, args: list[Value]) -> Value:
    """`getattr` and `setattr`, with a name that is known."""
    if len(args) < 2 or type(args[1].o) is not str:
        raise Unknown(f"{name}()")
    if name == "setattr":
        set_attribute(a, args[0], args[1].o, args[2] if len(args) > 2 else NONE)
        return NONE
    found = attribute(a, args[0], args[1].o)
    return found if len(args) == 2 else join(found, args[2])


def _iterated(a: Analysis, name: str, args: list[Value]) -> Value:
    """`next` of an iterator that the statement makes, and `iter`."""
    if name == "iter":
        if len(args) != 1 or args[0].form > ITERATOR:
            raise Unknown("iter()")
        a.use(args[0])
        return args[0] if args[0].form == ITERATOR else iterator(element(a, args[0]))
    if args[0].form != ITERATOR:
        raise Unknown("next()")
    found = element(a, args[0])
    return found if len(args) == 1 else join(found, args[1])


def _simple_class(value: Value) -> bool:
    """Whether asking if something is of that class, or of one of those classes, runs nothing of the user's."""
    if value.parts is not None:
        return all(map(_simple_class, value.parts))
    return value.form == CLASS and (type(value.o) is type or not owned_class(value.o))


def _any_of(args: list[Value]) -> Value:
    result = None
    for value in args:
        result = value if result is None else join(result, value)
    return result or SOMETHING


def call_on_items(a: Analysis, function: Value, args: list[Value]) -> Value:
    """What a function gives that is called on the items of some values, or on the values themselves."""
    if function.form == ATOM:  # None
        return SOME_DATA
    items = [element(a, value) for value in args] or [SOME_DATA]
    if len(args) > 1:
        items = [join(_any_of(items), _any_of(args))]
    return a.again(lambda: a.call(function, items[:1], {}))


def _print(a: Analysis, args: list[Value], keywords: Keywords) -> Value:
    if "file" in keywords or not stream_is_known(sys.stdout):
        raise Unknown("print to a file")
    look_at(a, args, keywords)
    if not all(value.form != DATA or shows_itself(value.o) for value in args):
        raise Unknown("a text that somebody put there")
    return NONE


# ------------------------------------------------------------------------------------------ types


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
    pair = box(tuple, _any_of([SOME_ATOM, *items] if cls is enumerate else items))
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
    inner = _any_of([element(a, value) for value in args]) if args else SOME_ATOM
    if cls in (itertools.product, itertools.permutations, itertools.combinations, itertools.zip_longest):
        return iterator(box(tuple, inner))
    return iterator(inner)
