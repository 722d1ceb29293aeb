"""Which form an object has, by its type: the types of Python, and those that a loaded library really has.

A class may say of itself that it comes from numpy. So a class of a library is taken for one only if the library's
module has it under its name, and none of its methods was written elsewhere. What was found is kept for library
classes alone, which live as long as their library; a class of the user's is looked at each time anew.
"""

from __future__ import annotations

import abc
import collections
import datetime
import pathlib
import re
import sys
import types
import typing
from typing import Any

from reflex_ipython.base.classes import class_vars, classes, module_name, qualname
from reflex_ipython.base.library_files import is_library
from reflex_ipython.state.analysis.values import (
    ANY,
    ATOM,
    BOX,
    BUILTIN,
    CLASS,
    DATA,
    ESTIMATOR,
    FIGURE,
    FUNCTION,
    LIBRARY,
    MODULE,
    OWN,
    RANDOM,
    Value,
)
from reflex_ipython.state.kinds import zones
from reflex_ipython.state.kinds.layout import identity, is_static
from reflex_ipython.state.user_code import contents, owned_module

ATOMS: tuple[type, ...] = (
    int,
    float,
    str,
    bool,
    bytes,
    complex,
    type(None),
    type(...),
    type(NotImplemented),
    range,
    datetime.date,
    datetime.datetime,
    datetime.time,
    datetime.timedelta,
    datetime.timezone,
    re.Pattern,
    re.Match,
    pathlib.PosixPath,
    pathlib.WindowsPath,
    pathlib.PurePosixPath,
    pathlib.PureWindowsPath,
)
BOXES: tuple[type, ...] = (
    list,
    tuple,
    dict,
    set,
    frozenset,
    bytearray,
    collections.deque,
    collections.Counter,
    collections.OrderedDict,
    collections.defaultdict,
)
_forms: dict[int, int] = {
    **{identity(cls): ATOM for cls in ATOMS},
    **{identity(cls): BOX for cls in BOXES},
    identity(types.FunctionType): FUNCTION,
    identity(types.BuiltinFunctionType): BUILTIN,
    identity(types.MethodType): BUILTIN,
    identity(types.ModuleType): MODULE,
    identity(type): CLASS,
    identity(abc.ABCMeta): CLASS,
}


def mind_zones() -> None:
    """Where there are time zones of the user's, dates are no atoms: what is done with them may run code of theirs."""
    users = zones.users_zones()
    if users != (_forms[identity(datetime.datetime)] != ATOM):
        for cls in zones.dated():
            _forms[identity(cls)] = ANY if users else ATOM
            (ATOM_IDS.discard if users else ATOM_IDS.add)(identity(cls))


_kept: list[type] = []
"""The classes of libraries that have a form, so that no id is given out twice."""

ATOM_IDS: set[int] = {identity(cls) for cls in ATOMS}

_PANDAS_ATOMS = frozenset(["Timestamp", "Timedelta", "Period", "NaTType", "NAType"])
_PANDAS_DATA = frozenset(
    [
        "DataFrame",
        "Series",
        "Index",
        "RangeIndex",
        "MultiIndex",
        "DatetimeIndex",
        "TimedeltaIndex",
        "PeriodIndex",
        "CategoricalIndex",
        "IntervalIndex",
        "Categorical",
        "DataFrameGroupBy",
        "SeriesGroupBy",
    ]
)


def form_of(cls: type) -> int:
    """The form of the objects of a class."""
    form = _forms.get(identity(cls))
    return form if form is not None else _find(cls)


def live(o: Any) -> Value:
    """What is known of an object that exists."""
    form = _forms.get(identity(type(o)))
    return Value(form if form is not None else _find(type(o)), o, form == ATOM)


def _find(cls: type) -> int:
    root = module_name(cls).partition(".")[0]
    family = _FAMILIES.get(root)
    if family is None or not is_library_class(cls):
        return OWN if type(cls) is type else ANY
    form = family(cls)
    if form == ATOM and cls in zones.dated() and zones.users_zones():
        return ANY
    _kept.append(cls)
    _forms[identity(cls)] = form
    if form == ATOM:
        ATOM_IDS.add(identity(cls))
    return form


def is_library_class(cls: type) -> bool:
    """Whether a loaded library has that very class under its name, and wrote its methods."""
    if is_static(cls):
        return True
    module = sys.modules.get(module_name(cls))
    if module is None or owned_module(module_name(cls)):
        return False
    found: Any = contents(module)
    for name in qualname(cls).split("."):
        found = found.get(name) if type(found) is dict else class_vars(found).get(name) if _is_class(found) else None
    return found is cls and all(map(_of_library, class_vars(cls).values()))


def _is_class(o: object) -> bool:
    return any(base is type for base in classes(type(o)))


def _of_library(attribute: object) -> bool:
    return type(attribute) is not types.FunctionType or is_library(attribute.__code__.co_filename)


# ------------------------------------------------------------------------------------------ libraries


def _numpy(cls: type) -> int:
    numpy = sys.modules["numpy"]
    if cls is numpy.ndarray:
        return DATA
    if cls is numpy.ufunc or cls is type(numpy.sum):
        return LIBRARY
    random = sys.modules.get("numpy.random")
    if random is not None and (cls is random.Generator or cls is random.RandomState):
        return RANDOM
    mro = classes(cls)
    if any(base is numpy.generic for base in mro):
        return ANY if any(base is numpy.void or base is numpy.object_ for base in mro) else ATOM
    return ATOM if any(base is numpy.dtype for base in mro) else ANY


def _pandas(cls: type) -> int:
    name = cls.__name__
    return ATOM if name in _PANDAS_ATOMS else DATA if name in _PANDAS_DATA else ANY


def _sklearn(cls: type) -> int:
    return ESTIMATOR if any(base.__name__ == "BaseEstimator" for base in classes(cls)) else ANY


def _matplotlib(cls: type) -> int:
    return FIGURE


def _random(cls: type) -> int:
    return RANDOM if cls.__name__ == "Random" else ANY


def _fractions(cls: type) -> int:
    return ATOM if cls.__name__ == "Fraction" else ANY


def _typing(cls: type) -> int:
    return ATOM if cls is typing.TypeVar else ANY


_FAMILIES = {
    "numpy": _numpy,
    "pandas": _pandas,
    "sklearn": _sklearn,
    "matplotlib": _matplotlib,
    "random": _random,
    "fractions": _fractions,
    "typing": _typing,
}
