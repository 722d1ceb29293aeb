"""Whether an object that exists is plain: whether nothing of the user's runs when it is printed, compared, iterated.

Looked at quickly and not at length: an object that is too large to be looked at is not plain, as far as one knows.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from typing import Any

from reflex_ipython.state.analysis.forms import ATOM_IDS, form_of
from reflex_ipython.state.analysis.values import ATOM, BOX, DATA
from reflex_ipython.state.kinds.layout import identity

class_name = type.__dict__["__name__"].__get__

MOST_ITEMS = 1_000
"""Items of a container that are looked at: some 40 µs."""
_DEPTH = 4
_MOST_BLOCKS = 64
_EXTENSION_ARRAYS = frozenset(
    [
        "ArrowExtensionArray",
        "ArrowStringArray",
        "ArrowStringArrayNumpySemantics",
        "BooleanArray",
        "DatetimeArray",
        "FloatingArray",
        "IntegerArray",
        "NumpyExtensionArray",
        "PeriodArray",
        "StringArray",
        "TimedeltaArray",
    ]
)


def plain(o: Any, depth: int = _DEPTH) -> bool:
    """Whether the object is plain."""
    form = form_of(type(o))
    if form == ATOM:
        return True
    if form == DATA:
        return plain_data(o)
    return form == BOX and depth > 0 and plain_box(o, depth)


def plain_box(o: Any, depth: int = _DEPTH) -> bool:
    """Whether a built-in container is plain."""
    cls = type(o)
    if isinstance(o, dict):
        return _plain_items(dict.keys(o), depth) and _plain_items(dict.values(o), depth)
    return cls is bytearray or _plain_items(o, depth)


def _plain_items(items: Collection[Any], depth: int) -> bool:
    if len(items) > MOST_ITEMS:
        return False
    if ATOM_IDS.issuperset(map(identity, map(type, items))):
        return True
    return len(items) <= MOST_ITEMS // 4 and all(plain(item, depth - 1) for item in items)


def only_atoms(o: Any) -> bool:
    """Whether a built-in container has nothing but atoms in it, as far as a quick look says."""
    if len(o) > MOST_ITEMS:
        return False
    values = dict.values(o) if isinstance(o, dict) else o
    return ATOM_IDS.issuperset(map(identity, map(type, o))) and ATOM_IDS.issuperset(map(identity, map(type, values)))


_TEXT_ID = frozenset([identity(str)])


def only_text(o: Any) -> bool:
    """Whether a built-in container has nothing but texts in it, and keys of a dict likewise."""
    values = dict.values(o) if isinstance(o, dict) else ()
    return _TEXT_ID.issuperset(map(identity, map(type, o))) and _TEXT_ID.issuperset(map(identity, map(type, values)))


def plain_key(key: Any) -> bool:
    """Whether hashing and comparing the key runs nothing of the user's."""
    cls = type(key)
    if cls is str or cls is int:
        return True
    if cls is tuple:
        return all(map(plain_key, key))
    return form_of(cls) == ATOM


def plain_keys(o: Any) -> bool:
    """Whether looking up a plain key in a dict runs nothing of the user's, by a look at its keys, or at its ends.

    Only a key of another kind with the very same hash would be asked; keys of a large dict are of one kind.
    """
    few = dict.__len__(o) <= _FEW_KEYS
    for key in dict.keys(o) if few else (next(dict.__iter__(o)), next(dict.__reversed__(o))):
        cls = type(key)
        if cls is not str and cls is not int and not plain_key(key):
            return False
    return True


_FEW_KEYS = 8


# ------------------------------------------------------------------------------------------ numpy and pandas


def plain_data(o: Any) -> bool:
    """Whether an array, a frame, an index … has no objects of the user's in it."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and type(o) is numpy.ndarray:
        return _plain_array(o)
    fields = object.__getattribute__(o, "__dict__") if hasattr(type(o), "__dict__") else None
    if type(fields) is not dict:
        return False
    manager = fields.get("_mgr")
    if manager is not None:
        return _plain_manager(manager) and not fields.get("_attrs")
    if ("obj" in fields and "_grouper" in fields) or "grouper" in fields:
        return plain_data(fields["obj"])
    return _plain_values(o) if class_name(type(o)) == "Categorical" else _plain_labels(o, fields)


def _plain_array(o: Any) -> bool:
    if not o.dtype.hasobject:
        return True
    if o.dtype.kind != "O":
        return False
    items = o.ravel(order="K")
    if o.size <= MOST_ITEMS:  # atoms alone: what comes out of data can't be written to
        return ATOM_IDS.issuperset(map(identity, map(type, items.tolist())))
    lib = sys.modules.get("pandas._libs.lib")
    return lib is not None and bool(lib.is_string_array(items, skipna=True))


def _plain_manager(manager: Any) -> bool:
    blocks = manager.blocks
    if len(blocks) > _MOST_BLOCKS:
        return False
    ndarray = sys.modules["numpy"].ndarray
    for block in blocks:
        values = block.values
        if (type(values) is not ndarray or values.dtype.hasobject) and not _plain_values(values):
            return False
    return all(map(_plain_axis, manager.axes))


def _plain_axis(index: Any) -> bool:
    return form_of(type(index)) == DATA and _plain_labels(index, object.__getattribute__(index, "__dict__"))


def _plain_labels(index: Any, fields: dict[str, Any]) -> bool:
    if "_range" in fields:
        return True
    levels = fields.get("_levels")
    if levels is not None:
        return all(map(_plain_axis, levels))
    return _plain_values(fields.get("_data"))


def _plain_values(values: Any) -> bool:
    cls = type(values)
    if cls is sys.modules["numpy"].ndarray:
        return _plain_array(values)
    name = class_name(cls)
    pandas = sys.modules["pandas"]
    if name == "Categorical":
        return cls is pandas.Categorical and _plain_axis(values.dtype.categories)
    if name == "IntervalArray":
        return cls is pandas.arrays.IntervalArray and all(map(_plain_side, (values._left, values._right)))
    if name not in _EXTENSION_ARRAYS or not is_pandas_array(cls):
        return False
    inner = getattr(values, "_ndarray", None)
    return inner is None or name == "StringArray" or _plain_array(inner)


def _plain_side(side: Any) -> bool:
    """The bounds of intervals: an index, or its values."""
    return _plain_axis(side) if hasattr(type(side), "get_loc") else _plain_values(side)


def is_pandas_array(cls: type) -> bool:
    """Whether pandas itself has that class of arrays."""
    key = identity(cls)
    if key in _pandas_arrays:
        return True
    name = class_name(cls)
    found = getattr(sys.modules["pandas"].arrays, name, None) is cls or (
        getattr(sys.modules.get("pandas.core.arrays.string_arrow"), name, None) is cls
    )
    if found:
        _pandas_arrays[key] = cls
    return found


_pandas_arrays: dict[int, type] = {}
"""Those that were met: they live as long as pandas."""
