"""Reading what another process of ours has just written, which may have been tampered with.

A report of a trial comes with most failures. For these the import of pydantic, 0.1 s and 5,000 objects that every
garbage collection would walk through from then on, is too much: what our own process writes needs no leniency.
"""

from __future__ import annotations

import dataclasses
import functools
import types
from collections.abc import Callable
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")
Reader = Callable[[Any], Any]


def from_own_json(kind: type[T], data: Any) -> T:
    """A dataclass of the models from what `to_json` made of it, and JSON of that.

    Parameters
    ----------
    kind : type
        Its fields are texts, numbers, truth values, `None`, `Literal`, tuples, dicts with texts as keys, other
        dataclasses, and unions of these.
    data : object
        A field that is missing gets its default; one that is unknown is left out.

    Raises
    ------
    ValueError
        If `data` is not of that shape. Nothing is taken for something else, but for a whole number for a float.
    """
    return cast(T, _reader(kind)(data))  # type: ignore[arg-type]  # mypy: a class is hashable


@functools.lru_cache(maxsize=None)
def _reader(kind: Any) -> Reader:
    """What reads values of a type."""
    if dataclasses.is_dataclass(kind):
        return functools.partial(_read_dataclass, kind)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return functools.partial(_read_choice, arguments)
    if origin in (Union, types.UnionType):
        return functools.partial(_read_union, tuple(map(_reader, arguments)))
    if origin is tuple and arguments[-1:] == (Ellipsis,):
        return functools.partial(_read_items, _reader(arguments[0]))
    if origin is tuple:
        return functools.partial(_read_tuple, tuple(map(_reader, arguments)))
    if origin is dict and arguments[0] is str:
        return functools.partial(_read_dict, _reader(arguments[1]))
    if kind in (str, int, float, bool, types.NoneType):
        return functools.partial(_read_plain, (float, int) if kind is float else (kind,))
    raise TypeError(f"no field of such a report is a {kind}")


def _read_dataclass(kind: Any, data: Any) -> Any:
    readers, needed = _fields(kind)
    data = _of_type(data, dict)
    if not needed <= data.keys():
        raise ValueError(f"there is no {', '.join(sorted(needed - data.keys()))}")
    return kind(**{name: read(data[name]) for name, read in readers.items() if name in data})


@functools.lru_cache(maxsize=None)
def _fields(kind: Any) -> tuple[dict[str, Reader], frozenset[str]]:
    """What reads each field, and which of them have no default."""
    hints, fields = get_type_hints(kind), dataclasses.fields(kind)
    without = (one for one in fields if one.default is one.default_factory is dataclasses.MISSING)
    return {one.name: _reader(hints[one.name]) for one in fields}, frozenset(one.name for one in without)


def _read_choice(choices: tuple[Any, ...], data: Any) -> Any:
    if type(data) not in map(type, choices) or data not in choices:
        raise ValueError("it is none of those that there are")
    return data


def _read_union(readers: tuple[Reader, ...], data: Any) -> Any:
    for read in readers:
        try:
            return read(data)
        except ValueError:
            continue
    raise ValueError("it is of none of the types that it may have")


def _read_items(read: Reader, data: Any) -> tuple[Any, ...]:
    return tuple(map(read, _of_type(data, list)))


def _read_tuple(readers: tuple[Reader, ...], data: Any) -> tuple[Any, ...]:
    if len(_of_type(data, list)) != len(readers):
        raise ValueError("there are too many items, or too few")
    return tuple(read(item) for read, item in zip(readers, data))


def _read_dict(read: Reader, data: Any) -> dict[str, Any]:
    return {name: read(value) for name, value in _of_type(data, dict).items()}


def _read_plain(kinds: tuple[type[Any], ...], data: Any) -> Any:
    found = _of_type(data, *kinds)
    return found if type(found) is kinds[0] else kinds[0](found)


def _of_type(data: Any, *kinds: type[Any]) -> Any:
    if type(data) not in kinds:
        raise ValueError(f"a {type(data).__name__} is not what belongs there")
    return data
