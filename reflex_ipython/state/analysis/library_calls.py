"""Calls of functions of numpy, pandas, scikit-learn, matplotlib and the standard library."""

from __future__ import annotations

import inspect
import sys
from typing import Any

from reflex_ipython.base.library_files import is_library
from reflex_ipython.state.analysis.analysis import Analysis
from reflex_ipython.state.analysis.joins import all_fresh
from reflex_ipython.state.analysis.tables import (
    DANGEROUS,
    DANGEROUS_IF_FALSE,
    NUMPY_NUMBERS,
    NUMPY_POSITIONS,
    NUMPY_UNKNOWN,
    NUMPY_VIEWS,
    PANDAS_FUNCTIONS,
    SKLEARN_MODULES,
    STANDARD_LIBRARY,
)
from reflex_ipython.state.analysis.values import (
    ANY,
    ATOM,
    BOUND,
    BOX,
    BUILTIN,
    CLASS,
    DATA,
    ESTIMATOR,
    FRESH_DATA,
    FUNCTION,
    LAMBDA,
    LIBRARY,
    NONE,
    NUMBERS,
    SOME_DATA,
    Unknown,
    Value,
    box,
)
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.user_code import contents, owned_class

Keywords = dict[str, Value]
_CALLABLE = frozenset([FUNCTION, LAMBDA, BOUND])
_positions: dict[Any, tuple[tuple[int, bool], ...]] = {}
"""Of functions of libraries: where, among what they are given by position, the dangerous ones stand."""


def usable(a: Analysis, value: Value) -> None:
    """A library may look at it, and call it."""
    form = value.form
    if form in _CALLABLE:
        if form == FUNCTION and is_library(value.o.__code__.co_filename):
            raise Unknown("a function of a library, given to another")
        many = [SOME_DATA] * _parameters(value)
        found = a.again(lambda: a.call(value, many, {}))
        if not a.plain(found) or (found.form == BOX and not all_fresh(found, 0)):
            raise Unknown("objects, given to a library by a function")
    elif form == BOX:
        if not a.plain(value):
            _usable_items(a, value)
    elif form in (CLASS, LIBRARY):
        if form == CLASS and owned_class(value.o):
            raise Unknown("a class of the user's, given to a library")
    elif form == BUILTIN:
        a.call(value, [SOME_DATA], {})
    elif form == ANY:
        raise Unknown("who knows what, given to a library")
    else:
        a.use(value)


def _usable_items(a: Analysis, value: Value) -> None:
    if value.o is not MISSING or not value.fresh:
        raise Unknown("a container of objects, given to a library")
    for item in value.parts or ((value.inner,) if value.inner is not None else ()):
        usable(a, item)


def _parameters(value: Value) -> int:
    """How many arguments a function can be given that is passed to a library."""
    if value.form == LAMBDA:
        return len(value.inner[0].args.args)
    function = value.o if value.form == FUNCTION else value.inner[1]
    return int(function.__code__.co_argcount) - (value.form == BOUND)


def check(a: Analysis, function: Any, args: list[Value], keywords: Keywords) -> None:
    """`Unknown` if a function of a library may write to what it is given, or run what nobody knows."""
    for name, value in keywords.items():
        if name in DANGEROUS and value.o is not None and value.o is not False:
            raise Unknown(f"{name}=")
        if name in DANGEROUS_IF_FALSE and value.o is not True and value.o is not None:
            raise Unknown(f"{name}=")
        usable(a, value)
    for value in args:
        usable(a, value)
    if len(args) > 1:
        for position, if_false in positions(function):
            if position < len(args):
                o = args[position].o
                if (if_false and o is not True) or (not if_false and o is not None and o is not False):
                    raise Unknown("an argument to write to")


def positions(function: Any) -> tuple[tuple[int, bool], ...]:
    """Where the dangerous parameters stand, and whether they are dangerous if false."""
    found = _positions.get(function)
    if found is None:
        try:
            parameters = inspect.signature(function).parameters.values()
        except (ValueError, TypeError):
            found = _without_signature(function)
        else:
            found = tuple(
                (place, each.name in DANGEROUS_IF_FALSE)
                for place, each in enumerate(parameters)
                if each.kind != each.KEYWORD_ONLY and (each.name in DANGEROUS or each.name in DANGEROUS_IF_FALSE)
            )
        _positions[function] = found
    return found


def _without_signature(function: Any) -> tuple[tuple[int, bool], ...]:
    name = getattr(function, "__name__", "")
    if name not in NUMPY_POSITIONS or contents(sys.modules.get("numpy")).get(name) is not function:
        raise Unknown("a function without signature")
    return NUMPY_POSITIONS[name]


# ------------------------------------------------------------------------------------------ numpy


def call_numpy(a: Analysis, function: Any, name: str, args: list[Value], keywords: Keywords) -> Value:
    """A function of numpy."""
    if name in NUMPY_UNKNOWN:
        raise Unknown(f"numpy.{name}")
    check(a, function, args, keywords)
    a.warns = True
    if name in NUMPY_NUMBERS and len(args) == 1 and not keywords:
        return NUMBERS
    if name in NUMPY_VIEWS or "copy" in keywords or not all(map(_is_data, args)):
        return _window(args)
    return FRESH_DATA


def _is_data(value: Value) -> bool:
    """Whether nothing that it holds can go over into an array and be written to there."""
    return value.form <= DATA or value.form > BOX or all_fresh(value)


def _window(args: list[Value]) -> Value:
    if all(map(all_fresh, args)):
        return FRESH_DATA
    if len(args) >= 1 and args[0].form == DATA and all(value.form == ATOM for value in args[1:]):
        owner = args[0].owner or args[0]
        return Value(DATA, owner=owner) if owner.o is not MISSING else SOME_DATA
    return SOME_DATA


def call_numpy_object(a: Analysis, o: Any, args: list[Value], keywords: Keywords) -> Value:
    """A ufunc, or a function of numpy that others can take over."""
    numpy = sys.modules["numpy"]
    if type(o) is numpy.ufunc:
        if not _is_known_ufunc(o):
            raise Unknown("a ufunc made by hand")
        if len(args) > o.nin or not keywords.keys() <= {"where", "axis", "dtype", "casting", "keepdims"}:
            raise Unknown("out=")
        for value in (*args, *keywords.values()):
            a.use(value)
        a.warns = True
        return FRESH_DATA
    implementation = getattr(o, "_implementation", None)
    code = getattr(implementation, "__code__", None)
    if code is not None and not is_library(code.co_filename):
        raise Unknown("a function in numpy's clothes")
    return call_numpy(a, o, o.__name__, args, keywords)


def _is_known_ufunc(o: Any) -> bool:
    """Whether it is one of those of the libraries: `frompyfunc` makes them of any function."""
    for module in ("numpy", "scipy.special"):
        found = sys.modules.get(module)
        if found is not None and vars(found).get(o.__name__) is o:
            return True
    return False


# ------------------------------------------------------------------------------------------ functions


def call_function(a: Analysis, function: Any, args: list[Value], keywords: Keywords) -> Value:
    """A Python function of a library."""
    module, name = function.__globals__.get("__name__", ""), function.__code__.co_name
    if contents(sys.modules.get(module)) is not function.__globals__:
        raise Unknown("a function in a library's clothes")
    root = module.partition(".")[0]
    if root == "numpy":
        return call_numpy(a, function, name, args, keywords)
    if root == "pandas":
        return _pandas(a, function, name, args, keywords)
    if root == "sklearn":
        return _sklearn(a, function, module, name, args, keywords)
    if root == "IPython" and name == "display":
        for value in args:
            a.use(value)
        if keywords:
            raise Unknown("display with options")
        return NONE
    if module == "copy":
        return _copied(a, name, args)
    known = STANDARD_LIBRARY.get(module, frozenset())
    if known is not None and name not in known:
        raise Unknown(f"{module}.{name}")
    check(a, function, args, keywords)
    if module == "glob":
        return box(list, FRESH_DATA)
    return FRESH_DATA if all(map(all_fresh, (*args, *keywords.values()))) else SOME_DATA


def _copied(a: Analysis, name: str, args: list[Value]) -> Value:
    if name not in ("copy", "deepcopy") or len(args) != 1 or not a.plain(args[0]):
        raise Unknown(f"copy.{name}")
    value = args[0]
    if value.form != BOX:
        return FRESH_DATA
    return box(value.cls or type(value.o), FRESH_DATA if name == "deepcopy" else SOME_DATA)


def _pandas(a: Analysis, function: Any, name: str, args: list[Value], keywords: Keywords) -> Value:
    if name not in PANDAS_FUNCTIONS or "chunksize" in keywords or "iterator" in keywords:
        raise Unknown(f"pandas.{name}")
    if name.startswith("read_") and not (args and args[0].form == ATOM):
        raise Unknown("a read from something")
    check(a, function, args, keywords)
    a.warns = True
    return FRESH_DATA if name.startswith(("read_", "date_range", "get_dummies")) else SOME_DATA


def _sklearn(a: Analysis, function: Any, module: str, name: str, args: list[Value], keywords: Keywords) -> Value:
    if not module.startswith(SKLEARN_MODULES) or name.startswith(("fetch_", "set_", "_", "dump", "shuffle_")):
        raise Unknown(f"{module}.{name}")
    for value in (*args, *keywords.values()):
        if value.form == ESTIMATOR:
            raise Unknown("an estimator, given to a function")
    wrapped = getattr(function, "__wrapped__", function)
    check(a, wrapped, args, keywords)
    a.draws = a.warns = True
    if name == "train_test_split":
        return box(list, SOME_DATA)
    return SOME_DATA
