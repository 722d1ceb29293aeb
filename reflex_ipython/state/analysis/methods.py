"""Calls of methods of built-in objects and of those of libraries."""

from __future__ import annotations

import sys
from typing import Any

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.state.analysis.analysis import Analysis
from reflex_ipython.state.analysis.builtin_calls import call_on_items, look_at
from reflex_ipython.state.analysis.estimators import call_estimator
from reflex_ipython.state.analysis.forms import form_of
from reflex_ipython.state.analysis.items import element, index_of, subscript
from reflex_ipython.state.analysis.joins import all_fresh, join
from reflex_ipython.state.analysis.library_calls import check, usable
from reflex_ipython.state.analysis.patched import is_own
from reflex_ipython.state.analysis.plain import plain_keys
from reflex_ipython.state.analysis.random_calls import call_generator
from reflex_ipython.state.analysis.tables import (
    ARRAY_METHODS,
    ARRAY_VIEWS,
    ARRAY_WRITES,
    BOX_READS,
    BOX_WRITES,
    DANGEROUS,
    DANGEROUS_IF_FALSE,
    FRAME_METHODS,
    FRAME_WRITES,
    PATH_METHODS,
    PATH_WRITES,
    STRING_METHODS,
    words,
)
from reflex_ipython.state.analysis.values import (
    ATOM,
    BOX,
    CLASS,
    DATA,
    ESTIMATOR,
    FRESH_DATA,
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
    iterator,
)
from reflex_ipython.state.analysis.writes import grow, put, set_item, stored, write_data, write_whole
from reflex_ipython.state.kinds.frames import copy_on_write
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.operations import contents

Keywords = dict[str, Value]
_TEXT_LISTS = frozenset(["split", "rsplit", "splitlines"])
_OUT_BY_POSITION = words(
    """
    all any argmax argmin choose clip compress cumprod cumsum dot max mean min prod ptp round std sum take trace
    var
    """
)


def call_method(a: Analysis, receiver: Value, name: str, args: list[Value], keywords: Keywords) -> Value:
    """What a method gives."""
    look = _METHODS.get(receiver.form)
    if look is None:
        raise Unknown(f"a method of form {receiver.form}")
    return look(a, receiver, name, args, keywords)


# ------------------------------------------------------------------------------------------ atoms


def _of_atom(a: Analysis, receiver: Value, name: str, args: list[Value], keywords: Keywords) -> Value:
    if name in ("format_map", "tolist", "view", "setflags") or not DANGEROUS.isdisjoint(keywords):
        raise Unknown(f"method {name}")
    if receiver.cls is not str and not _is_harmless_on_paths(receiver.o, name):
        raise Unknown(f"method {name}")
    look_at(a, args, keywords)
    is_text = receiver.cls is str or type(receiver.o) is str
    if is_text and name in _TEXT_LISTS:
        return box(list, TEXT)
    if name in ("group", "strip", "lower", "upper", "join", "format", "replace", "title"):
        return TEXT
    if is_text or (receiver.o is not MISSING and is_exactly(receiver.o, (int, float))):
        return SOME_ATOM
    if name in ("findall", "finditer", "glob", "iterdir", "rglob", "items", "keys", "values"):
        return FRESH_DATA
    return FRESH_DATA


def _is_harmless_on_paths(o: Any, name: str) -> bool:
    if o is MISSING:
        return name not in PATH_WRITES
    return name in PATH_METHODS or not type(o).__module__.startswith("pathlib")


# ------------------------------------------------------------------------------------------ containers


def _of_box(a: Analysis, receiver: Value, name: str, args: list[Value], keywords: Keywords) -> Value:
    cls = receiver.cls or type(receiver.o)
    if name == "append" and cls is list and receiver.o is not MISSING and len(args) == 1:  # the commonest of all
        stored(a, receiver.o, args[0])
        grow(a, receiver.o)
        return NONE
    if not hasattr(cls, name):
        return SOMETHING  # an AttributeError
    if name in BOX_WRITES:
        return _write_box(a, receiver, cls, name, args, keywords)
    if name not in BOX_READS:
        raise Unknown(f"method {name}")
    if name in ("items", "keys", "values"):
        return _dict_view(a, receiver, name)
    if name == "get" and args and receiver.o is not MISSING and a.plain(args[0]):
        found = element(a, receiver) if cls.__name__ == "defaultdict" else subscript(a, receiver, args[0])
        return join(found, args[1] if len(args) > 1 else NONE)
    a.use(receiver)
    look_at(a, args, keywords)
    if name in ("index", "count", "isdisjoint", "issubset", "issuperset", "total"):
        return SOME_ATOM
    if name == "get":
        return join(element(a, receiver), args[1] if len(args) > 1 else NONE)
    inner = element(a, receiver)
    for value in args:
        inner = join(inner, element(a, value)) if value.form != ATOM else inner
    if name == "most_common":
        return box(list, box(tuple, join(inner, SOME_ATOM)))
    return iterator(inner) if name == "elements" else box(cls, inner)


def _dict_view(a: Analysis, receiver: Value, name: str) -> Value:
    inner = element(a, receiver)
    if name != "items":
        return iterator(inner)
    pair = box(tuple, inner)
    pair.parts = (inner, inner)
    return iterator(pair)


def _write_box(a: Analysis, receiver: Value, cls: type, name: str, args: list[Value], keywords: Keywords) -> Value:
    if name == "sort":
        key = keywords.pop("key", None)
        a.use(receiver)
        if key is not None:
            call_on_items(a, key, [receiver])
    elif name in ("remove", "add", "discard", "setdefault", "update", "difference_update", "subtract"):
        if name != "update" or cls is not dict or receiver.o is MISSING or not plain_keys(receiver.o):
            a.use(receiver)
        for value in args if name != "setdefault" else args[:1]:
            a.use(value)
    elif name in ("extend", "extendleft", "intersection_update", "symmetric_difference_update"):
        for value in args:
            a.use(value)
    elif name in ("pop", "move_to_end") and args:
        a.use(args[0])
    got = _got(a, receiver, name, args)
    incoming = [*_incoming(a, name, args), *keywords.values()]
    if receiver.fresh:
        for value in incoming:
            put(a, receiver, value)
        receiver.parts = None
        return got
    if receiver.o is MISSING:
        raise Unknown("a write to some container")
    for value in incoming:
        stored(a, receiver.o, value)
    if name in ("append", "extend") and cls is list:
        grow(a, receiver.o)
    elif name == "setdefault" and cls is dict and index_of(args[0]) is not MISSING:
        set_item(a, receiver, args[0], args[1] if len(args) > 1 else NONE)
    else:
        write_whole(a, receiver.o)
    return got


def _incoming(a: Analysis, name: str, args: list[Value]) -> list[Value]:
    if name in ("append", "add", "appendleft"):
        return args
    if name in ("insert", "setdefault"):
        return args[1:] if name == "insert" else args
    if name in ("extend", "extendleft", "update", "symmetric_difference_update", "subtract"):
        found: list[Value] = []
        for value in args:
            item = element(a, value)
            found += [item.inner or SOME_DATA] if item.form == BOX and item.fresh and name == "update" else [item]
        return found
    return []


def _got(a: Analysis, receiver: Value, name: str, args: list[Value]) -> Value:
    if name in ("pop", "popleft", "setdefault"):
        found = element(a, receiver)
        return join(found, args[1]) if len(args) > 1 else found
    if name == "popitem":
        return box(tuple, element(a, receiver))
    return NONE


# ------------------------------------------------------------------------------------------ data


def _of_data(a: Analysis, receiver: Value, name: str, args: list[Value], keywords: Keywords) -> Value:
    a.use(receiver)
    if type(receiver.o).__name__ in ("DataFrameGroupBy", "SeriesGroupBy"):  # they keep what they found out
        fields = receiver.o.__dict__
        a.snapshot(fields, None, contents(fields))
    is_array = type(receiver.o).__name__ == "ndarray" if receiver.o is not MISSING else None
    if is_array is not False and name in ARRAY_WRITES:
        look_at(a, args, keywords)
        write_data(a, receiver, name, *args, *keywords.values())
        return NONE
    if is_array is not True and name in FRAME_WRITES:
        look_at(a, args, keywords)
        write_data(a, receiver, name, *args, *keywords.values())
        return SOME_DATA  # what `pop` gives may be on the memory that the frame had
    inplace = keywords.get("inplace")
    if inplace is not None and inplace.o is not False:
        return _in_place(a, receiver, name, args, keywords)
    if name not in FRAME_METHODS and name not in ARRAY_METHODS and name not in STRING_METHODS:
        raise Unknown(f"method {name} of data")
    for keyword, value in keywords.items():
        if keyword in DANGEROUS and value.o is not None and value.o is not False:
            raise Unknown(f"{keyword}=")
        usable(a, value)
    for value in args:
        usable(a, value)
    if name in _OUT_BY_POSITION and is_array is not False:
        _no_output(name, args)
    if name in ("sample",):
        a.draws = True
    if name in ("groupby", "rolling", "resample", "expanding", "ewm"):
        return Value(DATA, owner=receiver.owner or receiver) if not receiver.fresh else FRESH_DATA
    if not all(value.form == DATA or all_fresh(value, 0) for value in (*args, *keywords.values())):
        return SOME_DATA  # of what a function gives, or what is in a container
    return _result(receiver, name, keywords)


def _no_output(name: str, args: list[Value]) -> None:
    for value in args:
        if value.form == DATA and not value.fresh and len(args) > 1:
            raise Unknown("an array to write to, by position")


def _result(receiver: Value, name: str, keywords: Keywords) -> Value:
    if not receiver.fresh and receiver.o is MISSING and receiver.owner is None:
        return SOME_DATA  # who knows what is in its cells
    if name == "copy" and not keywords:
        return FRESH_DATA
    pandas = sys.modules.get("pandas")
    if receiver.fresh:
        return FRESH_DATA
    if name in ARRAY_VIEWS or not DANGEROUS_IF_FALSE.isdisjoint(keywords):
        owner = receiver.owner or receiver
        return Value(DATA, owner=owner) if owner.o is not MISSING else SOME_DATA
    if name in ARRAY_METHODS or pandas is None or copy_on_write(pandas):
        return FRESH_DATA
    return SOME_DATA


def _in_place(a: Analysis, receiver: Value, name: str, args: list[Value], keywords: Keywords) -> Value:
    if name not in FRAME_METHODS:
        raise Unknown(f"method {name} in place")
    for value in (*args, *keywords.values()):
        usable(a, value)
    given = (*args, *keywords.values())
    write_data(a, receiver, name, *(value for value in given if value.form <= BOX))
    return NONE


# ------------------------------------------------------------------------------------------ classes and ufuncs

_CLASS_METHODS = {
    "dict": frozenset(["fromkeys"]),
    "str": frozenset(["maketrans", "join", "lower", "upper", "strip"]),
    "int": frozenset(["from_bytes"]),
    "float": frozenset(["fromhex"]),
    "bytes": frozenset(["fromhex"]),
    "datetime": frozenset(["now", "utcnow", "today", "fromtimestamp", "strptime", "fromisoformat", "combine"]),
    "date": frozenset(["today", "fromtimestamp", "fromisoformat"]),
    "Timestamp": frozenset(["now", "today", "utcnow", "fromtimestamp"]),
    "DataFrame": frozenset(["from_dict", "from_records"]),
    "MultiIndex": frozenset(["from_arrays", "from_frame", "from_product", "from_tuples"]),
    "Categorical": frozenset(["from_codes"]),
    "Path": frozenset(["cwd", "home"]),
}


def _of_class(a: Analysis, receiver: Value, name: str, args: list[Value], keywords: Keywords) -> Value:
    cls = receiver.o
    if name not in _CLASS_METHODS.get(cls.__name__, ()) or not is_own(name):
        raise Unknown(f"{cls.__name__}.{name}")
    look_at(a, args, keywords)
    if cls is dict:
        return box(dict, join(element(a, args[0]), args[1] if len(args) > 1 else NONE)) if args else SOMETHING
    if form_of(cls) == DATA:
        return SOME_DATA
    return TEXT if cls is str and name != "maketrans" else FRESH_DATA


def _of_ufunc(a: Analysis, receiver: Value, name: str, args: list[Value], keywords: Keywords) -> Value:
    if name not in ("reduce", "accumulate", "outer", "reduceat") or len(args) > 2 or "out" in keywords:
        raise Unknown(f"ufunc.{name}")
    check(a, receiver.o, args[:1], keywords)
    look_at(a, args, {})
    return FRESH_DATA


_METHODS = {
    ATOM: _of_atom,
    BOX: _of_box,
    DATA: _of_data,
    RANDOM: call_generator,
    ESTIMATOR: call_estimator,
    CLASS: _of_class,
    LIBRARY: _of_ufunc,
}
