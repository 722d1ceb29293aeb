"""Functions, what closes over what, and everything that only passes a call on."""

from __future__ import annotations

import contextlib
import functools
import gc
import re
import sys
import types
import typing
from collections.abc import Callable, Iterable
from operator import is_
from typing import Any, Literal, NamedTuple

from reflex_ipython.base.own_dict import dict_of_partial, parts_of_partial, set_partial
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.kind import NOTHING, CannotRestore, Kind, ObjectWalk

_FIELDS = tuple(
    types.FunctionType.__dict__[name]
    for name in ("__code__", "__defaults__", "__kwdefaults__", "__name__", "__qualname__", "__doc__", "__module__")
)
ANNOTATED = "__annotations__"
"""Code that uses this word may change what functions say of their parameters: nobody looks at it else."""
_LAZY = sys.version_info >= (3, 14)
"""Whether to ask for them may run code of the user's."""
_annotations = types.FunctionType.__dict__[ANNOTATED]
_globals = types.FunctionType.__dict__["__globals__"].__get__
_closure = types.FunctionType.__dict__["__closure__"].__get__
_contents = types.CellType.__dict__["cell_contents"]


def _snapshot_function(o: Any, walk: ObjectWalk) -> Any:
    saved = tuple(field.__get__(o) for field in _FIELDS)
    walk.follow(saved[1:3])
    walk.follow(_closure(o) or ())
    walk.run(saved[0], _globals(o))
    if ANNOTATED in walk.attributes and not _LAZY:
        walk.follow((_annotations.__get__(o),))
    return saved


def _same_function(o: Any, saved: Any) -> bool:
    return all(field.__get__(o) is value for field, value in zip(_FIELDS, saved))


def _restore_function(o: Any, saved: Any) -> None:
    for field, value in zip(_FIELDS, saved):
        if field.__get__(o) is not value:
            field.__set__(o, value)


def _cell(o: Any) -> Any:
    try:
        return _contents.__get__(o)
    except ValueError:  # empty
        return MISSING


def _snapshot_cell(o: Any, walk: ObjectWalk) -> Any:
    saved = _cell(o)
    walk.follow((saved,))
    return saved


def _restore_cell(o: Any, saved: Any) -> None:
    if saved is not MISSING:
        _contents.__set__(o, saved)
    else:
        with contextlib.suppress(ValueError):  # empty already
            _contents.__delete__(o)


_CACHED = functools._lru_cache_wrapper
_cache_info = _CACHED.__dict__["cache_info"]
_dict_of_cached = _CACHED.__dict__["__dict__"].__get__

_MOST_LINKS = 2_000
"""Results of a cache with a limit that are looked at: to list them takes 0.1 µs each, whatever they are."""


class _Cache(NamedTuple):
    info: Any
    """What `cache_info` gives."""
    noted: Literal["", "results", "entries"]
    """What is noted besides: the results; or all entries, as the dict that a cache without a limit is."""


def _snapshot_cache(o: Any, walk: ObjectWalk) -> _Cache:
    info = _cache_info(o)
    if not info.currsize or (info.maxsize is not None and info.currsize > _MOST_LINKS):
        return _Cache(info, "")
    held = gc.get_referents(o)  # what links hold, if there are such; the dict; the function; types; its attributes
    ours = _dict_of_cached(o)
    place = next((at for at in reversed(range(len(held))) if type(held[at]) is dict and held[at] is not ours), 0)
    if not place or len(held[place]) != info.currsize:
        return _Cache(info, "")
    if info.maxsize is None:
        walk.follow((held[place],))
        return _Cache(info, "entries")
    own_parts = {_CACHED, *(one for one in held[place:] if type(one) is type)}  # the type of links among them
    walk.follow([one for one in held[:place] if type(one) is not type or one not in own_parts])
    return _Cache(info, "results")


def _restore_cache(o: Any, saved: _Cache) -> None:
    has_same_entries = _cache_info(o)._replace(hits=0) == saved.info._replace(hits=0)
    if not saved.info.currsize:
        _CACHED.cache_clear(o)
    elif saved.noted == "entries" or (saved.noted == "results" and has_same_entries):
        raise CannotRestore("its counts of hits and misses stay")
    else:  # which links are new can't be seen
        _CACHED.cache_clear(o)
        raise CannotRestore("its cache was emptied")


def _same_cache(o: Any, saved: _Cache) -> bool:
    now = _cache_info(o)
    return bool(now == saved.info) or (now.currsize == saved.info.currsize == 0)


def through(name: str, *, instance: bool = True, words: Callable[[Any], Iterable[str]] = lambda o: ()) -> Kind:
    """A kind that holds other objects and has nothing of its own that changes.

    `words`: the attributes that whoever calls one uses, as code does that names them.
    """

    def snapshot(o: Any, walk: ObjectWalk) -> Any:
        walk.attributes.update(words(o))
        walk.follow(gc.get_referents(o))  # what the collector sees: all of it, and no code of anybody runs
        return NOTHING

    return Kind(name, "exact", snapshot, instance=instance)


def _snapshot_partial(o: Any, walk: ObjectWalk) -> tuple[Any, ...]:
    parts = parts_of_partial(o)
    walk.follow(parts)
    return parts


def _restore_partial(o: Any, saved: tuple[Any, ...]) -> None:
    set_partial(o, saved, dict_of_partial(o))


# ------------------------------------------------------------------------------------------ globals


def _snapshot_globals(o: Any, walk: ObjectWalk) -> dict[str, Any]:
    return dict.copy(o)


def _same_globals(o: Any, saved: dict[str, Any]) -> bool:
    return dict.__len__(o) == len(saved) and all(dict.get(o, name, MISSING) is saved[name] for name in saved)


def _restore_globals(o: Any, saved: dict[str, Any]) -> None:
    for name in [name for name in dict.keys(o) if name not in saved]:
        dict.__delitem__(o, name)
    for name, value in saved.items():
        if dict.get(o, name, MISSING) is not value:
            dict.__setitem__(o, name, value)


GLOBALS = Kind("namespace of a script or of `exec`", "exact", _snapshot_globals, _same_globals, _restore_globals)
"""Of functions that were defined elsewhere than in the notebook or a module. What they read there, the walk follows."""

PASSES_ON = through("bound method, partial, property, view of a dict")


def _own_name(o: Any) -> tuple[str]:
    return (o.__name__,)


_METHOD_OF_C = through(PASSES_ON.name, words=_own_name)
"""`subclasses = Base.__subclasses__` is called later by code that does not name it."""


def _snapshot_of_cython(o: Any, walk: ObjectWalk) -> Any:
    walk.attributes.add(o.__name__)
    module = sys.modules.get(o.__module__)
    if module is not None:
        walk.follow((module,))
    return NOTHING


CYTHON = "cython_function_or_method"
"""The types of Cython's functions are called so, one for each version of it that compiled a library."""
OF_CYTHON = Kind(PASSES_ON.name, "exact", _snapshot_of_cython)
"""Whoever calls one can get at its module, as with a function of C."""

KINDS: dict[type, Kind] = {
    functools.cached_property: through(PASSES_ON.name, instance=False),  # its lock stands for nothing outside
    types.FunctionType: Kind(
        "function: code, defaults, attributes", "exact", _snapshot_function, _same_function, _restore_function
    ),
    functools.partial: Kind(
        PASSES_ON.name,
        "exact",
        _snapshot_partial,
        lambda o, saved: all(map(is_, parts_of_partial(o), saved)),
        _restore_partial,
    ),
    types.CellType: Kind(
        "closure variable",
        "exact",
        _snapshot_cell,
        lambda o, saved: _cell(o) is saved,
        _restore_cell,
        holds=lambda saved: (saved,),  # itself, not a copy of ours
    ),
    _CACHED: Kind(
        "function with lru_cache",
        "partial",
        _snapshot_cache,
        _same_cache,
        _restore_cache,
        limit="its counts of hits and misses stay; it is emptied where new entries can't be told apart",
    ),
    **dict.fromkeys(
        (
            types.MethodType,
            types.MemberDescriptorType,
            types.GenericAlias,
            types.UnionType,
            typing.TypeVar,
            typing.ParamSpec,
            types.MappingProxyType,
            property,
            staticmethod,
            classmethod,
            super,
            slice,
            type({}.keys()),
            type({}.values()),
            type({}.items()),
        ),
        PASSES_ON,
    ),
    **dict.fromkeys(
        (
            types.BuiltinMethodType,
            type(re.compile("").match),  # from C, with the class that defines it
            types.MethodWrapperType,
            types.MethodDescriptorType,
        ),
        _METHOD_OF_C,
    ),
}
