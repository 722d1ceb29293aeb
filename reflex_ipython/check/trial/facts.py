"""Measuring the user's values: their type, shape and length, and a fingerprint that changes when they do.

Nothing of the user's runs: a type of theirs is told by its name alone. Libraries are looked up among loaded modules.
"""

from __future__ import annotations

import itertools
import sys
import zlib
from collections import OrderedDict, defaultdict, deque
from collections.abc import Hashable
from typing import Any

from reflex_ipython.base.classes import inherits, is_exactly, module_name, qualname
from reflex_ipython.base.own_dict import own_dict
from reflex_ipython.models import ValueFacts

_SIZED = (str, bytes, bytearray, list, tuple, dict, set, frozenset, deque, range, OrderedDict, defaultdict)
_ATOMS = (int, float, complex, bool, str, bytes, type(None), range)
_ITEMS = 1_000  # of a container that are looked at
_DEPTH = 3
_WHOLE = 16 << 20  # bytes of an array up to which all of it is looked at
_SAMPLES = 4_096  # pieces of a larger one
_LISTED = 20  # items of a container whose text is told
_BRIEF = 80  # characters of it

Fingerprint = Hashable


def facts(value: Any) -> ValueFacts:
    """What can be measured of any value."""
    kind = type(value)
    module = module_name(kind)
    name = qualname(kind) if module == "builtins" else f"{module}.{qualname(kind)}"
    if is_exactly(value, _SIZED):
        return ValueFacts(name, length=len(value))
    if _is(value, "numpy", "ndarray"):
        return _array(_public(name, "numpy"), value)
    if _is(value, "pandas", "DataFrame", "Series", "Index"):
        dtype = "" if _is(value, "pandas", "DataFrame") else str(value.dtype)
        return ValueFacts(_public(name, "pandas"), tuple(value.shape), dtype, len(value))
    if _is(value, "polars", "DataFrame"):
        return ValueFacts(_public(name, "polars"), tuple(value.shape), "", value.height)
    if _is(value, "torch", "Tensor"):
        return ValueFacts(name, tuple(value.shape), str(value.dtype).removeprefix("torch."))
    return ValueFacts(name)


def brief(value: Any) -> str:
    """A small plain value as Python writes it; empty for any other. No foreign `__repr__` runs."""
    if not _is_plain(value, 3):
        return ""
    text = repr(value)
    return text if len(text) <= _BRIEF else text[: _BRIEF - 1] + "…"


def _is_plain(value: Any, depth: int) -> bool:
    if is_exactly(value, _ATOMS):
        return type(value) is not int or value.bit_length() <= 2_000  # Python refuses to write longer ones
    if _is(value, "numpy", "generic"):
        return type(value).__module__ == "numpy" and not _is(value, "numpy", "void", "object_")
    if not is_exactly(value, (list, tuple, set, frozenset, dict)) or depth == 0 or len(value) > _LISTED:
        return False
    items = [*value, *value.values()] if type(value) is dict else value
    return all(_is_plain(item, depth - 1) for item in items)


def fingerprint(value: Any, depth: int = 0) -> Fingerprint:
    """A small value that differs when the given one's content does, as far as can be told fast; None: can't be told.

    Parameters
    ----------
    value : object
    depth : int
        How deep inside other containers it is.
    """
    kind = type(value)
    if is_exactly(value, _ATOMS):
        return kind.__name__, hash(value)
    if is_exactly(value, (list, tuple, deque, set, frozenset)):
        return kind.__name__, len(value), _items(value, depth)
    if is_exactly(value, (dict, OrderedDict, defaultdict)):
        return kind.__name__, len(value), _items(value, depth), _items(value.values(), depth)
    if kind is bytearray:
        return kind.__name__, len(value), zlib.crc32(value)
    if _is(value, "numpy", "ndarray"):
        return _array_fingerprint(value)
    if _is(value, "pandas", "DataFrame"):
        columns = tuple(map(str, value.columns))
        return (
            value.shape,
            columns,
            _index(value),
            tuple(fingerprint(value.iloc[:, i], depth) for i in range(min(200, len(columns)))),
        )
    if _is(value, "pandas", "Series", "Index"):
        return str(value.dtype), _index(value), _column(value)
    return _attributes(value, depth)


def is_immutable(value: Any) -> bool:
    """Whether a value can only be replaced, never changed."""
    return is_exactly(value, _ATOMS)


def _is(value: Any, module: str, *names: str) -> bool:
    """Whether the value is of one of a library's types, without loading the library."""
    loaded = sys.modules.get(module)
    types = tuple(found for name in names if isinstance(found := getattr(loaded, name, None), type))
    return any(inherits(type(value), each) for each in types)  # `isinstance` would ask the value itself


def _public(name: str, module: str) -> str:
    """`pandas.core.frame.DataFrame` is `pandas.DataFrame` to its users."""
    found = getattr(sys.modules.get(module), name.rpartition(".")[2], None)
    return f"{module}.{name.rpartition('.')[2]}" if isinstance(found, type) else name


def _array(name: str, value: Any) -> ValueFacts:
    return ValueFacts(name, tuple(value.shape), str(value.dtype), value.shape[0] if value.shape else None)


def _items(values: Any, depth: int) -> Hashable:
    if depth >= _DEPTH:
        return None
    return tuple(fingerprint(value, depth + 1) for value in itertools.islice(values, _ITEMS))


def _array_fingerprint(value: Any) -> Hashable:
    head = (value.shape, str(value.dtype))
    if value.dtype.hasobject:
        return *head, tuple(fingerprint(item, _DEPTH) or id(item) for item in value.ravel()[:_ITEMS].tolist())
    if value.nbytes <= _WHOLE:
        return *head, zlib.crc32(value.tobytes())
    flat = value.reshape(-1)  # a view, for what is contiguous
    return *head, zlib.crc32(flat[:: max(1, flat.size // _SAMPLES)].tobytes())


def _index(value: Any) -> Hashable:
    """The labels of a table's rows."""
    index = getattr(value, "index", None)
    if index is None or _is(index, "pandas", "RangeIndex"):
        return (index.start, index.step) if index is not None else None
    return str(index.dtype), _column(index)


def _column(value: Any) -> Hashable:
    """A column's content: all of it where it is an array of numbers, else some of its elements."""
    numpy = sys.modules["numpy"]
    if isinstance(value.dtype, numpy.dtype) and not value.dtype.hasobject:
        return _array_fingerprint(value.to_numpy())
    step = max(1, len(value) // _ITEMS)
    elements = value.array if hasattr(value, "array") else value
    return len(value), tuple(str(element) for element in elements[::step])


def _attributes(value: Any, depth: int) -> Hashable:
    """An object with attributes, as estimators and records are: these."""
    own = own_dict(value)
    if type(own) is not dict or not own:
        return None
    return qualname(type(value)), _items(own, depth), _items(own.values(), depth)
