"""A picture of a namespace of frames and arrays that two runs can be compared by: values, flags, shared memory."""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

import numpy
import pandas


def picture(names: dict[str, Any]) -> dict[str, Any]:
    """What every name shows, and which of the memory behind the names is shared."""
    shown = {name: o for name, o in names.items() if not name.startswith("__") and _shown(o)}
    buffers = [(name, place, buffer) for name in sorted(shown) for place, buffer in enumerate(_buffers(shown[name]))]
    shared = [
        (one, place, other, there)
        for one, place, some in buffers
        for other, there, others in buffers
        if (one, place) < (other, there) and numpy.shares_memory(some, others)
    ]
    return {"shared": shared, **{name: _face(o) for name, o in shown.items()}}


def data(o: Any) -> list[tuple[numpy.ndarray, bytes]]:
    """The arrays in which the data of an object lie, and what is in them now."""
    return [(array, array.tobytes()) for array in _buffers(o)]


def _shown(o: Any) -> bool:
    return not isinstance(o, (ModuleType, FunctionType, type))


def _buffers(o: Any) -> Iterator[numpy.ndarray]:
    """The arrays of numpy in which the data of an object lie."""
    if isinstance(o, numpy.ndarray):
        yield o
    elif isinstance(o, (pandas.DataFrame, pandas.Series)):
        for block in o._mgr.blocks:
            yield from _buffers(block.values)
    elif isinstance(o, pandas.Index):
        if not isinstance(o, (pandas.MultiIndex, pandas.RangeIndex)):
            yield from _buffers(o._data)
    elif isinstance(o, pandas.api.extensions.ExtensionArray):
        inside = (vars(o).get(name) for name in ("_data", "_mask", "_left", "_right", "_sparse_values"))
        for part in (*inside, getattr(o, "_ndarray", None)):
            yield from _buffers(part)


def _face(o: Any) -> Any:
    if isinstance(o, numpy.ndarray):
        flags = (o.flags.writeable, o.flags.owndata, o.strides)
        return type(o).__name__, repr(o.tolist()), o.dtype.str, flags, type(o.base)
    if isinstance(o, pandas.DataFrame):
        blocks = [(str(block.mgr_locs), block.values.shape, _owners(block)) for block in o._mgr.blocks]
        labels = _face(o.index), _face(o.columns)
        own = {name: repr(value) for name, value in vars(o).items() if name in ("_attrs", "crs")}
        columns = [repr(o.iloc[:, n].tolist()) for n in range(o.shape[1])]
        return type(o).__name__, columns, list(map(str, o.dtypes)), labels, own, repr(o.flags), blocks
    if isinstance(o, pandas.Series):
        return type(o).__name__, repr(o.tolist()), str(o.dtype), repr(o.name), _face(o.index), _owners(o._mgr.blocks[0])
    if isinstance(o, pandas.Index):
        return type(o).__name__, repr(list(o)), str(o.dtype), repr(o.names), repr(getattr(o, "freq", None))
    if isinstance(o, pandas.api.extensions.ExtensionArray):
        return type(o).__name__, repr(o), getattr(o, "_readonly", None)
    return type(o).__name__, repr(o) if isinstance(o, (int, float, str, list, dict, bool, bytearray)) else ""


def _owners(block: Any) -> int:
    """How many blocks and indexes share the memory, as pandas counts them; 0 where that changes nothing for it."""
    counts = pandas.__version__ >= "3" or pandas.options.mode.copy_on_write is True
    return sum(reference() is not None for reference in block.refs.referenced_blocks) if counts else 0
