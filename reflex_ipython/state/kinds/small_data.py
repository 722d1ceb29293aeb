"""Which labels and arrays of pandas and numpy are small and plain: nobody would notice if they lived longer."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Iterable
from typing import Any

from reflex_ipython.base.classes import is_exactly

_SMALL = 64_000
"""Bytes that such data may have together."""
_PLAIN = (str, int, float, bool, type(None))
_FIELDS = ("_data", "_mask", "_left", "_right", "_sparse_values")


def noticeable(parts: Iterable[Any]) -> list[Any]:
    """Those that are not small and plain, or that somebody refers to weakly."""
    left, found = _SMALL, []
    for part in parts:
        size = _bytes(part)
        if size is None or size > left:
            found.append(part)
        else:
            left -= size
    return found


def _bytes(part: Any) -> int | None:
    """The bytes of plain data; None of anything else."""
    library = type(part).__module__.partition(".")[0]
    if library == "numpy" and type(part).__name__ == "ndarray":
        return _bytes_of_array(part)
    fields = vars(part) if library == "pandas" and hasattr(part, "__dict__") else {}
    if library != "pandas" or _referred_to(part, getattr(part, "_references", None)):
        return None
    if type(part).__name__ == "RangeIndex":
        return 0
    inside = [fields[name] for name in _FIELDS if name in fields]
    inside += [part._ndarray] if hasattr(part, "_ndarray") else []
    inside += [*fields.get("_levels", ()), *fields.get("_codes", ())]
    sizes = [_bytes(o) for o in inside]
    return sum(size for size in sizes if size is not None) if sizes and None not in sizes else None


def _referred_to(o: Any, lists: Any) -> bool:
    """Whether somebody has a weak reference to it, besides pandas in its lists of who shares memory."""
    references = weakref.getweakrefs(o)
    own = [] if lists is None else lists.referenced_blocks
    return any(
        _holders(references, place) > sum(other is references[place] for other in own)
        for place in range(len(references))
    )


def _holders(references: list[Any], place: int) -> int:
    return sys.getrefcount(references[place]) - _ALONE


_ALONE = 0
_ALONE = _holders([object()], 0)  # what the call itself adds, which depends on the version of Python


def _bytes_of_array(array: Any) -> int | None:
    plain = array.dtype.kind in "biufcmMSU" or (array.dtype.kind == "O" and array.nbytes <= _SMALL and _texts(array))
    size, o = int(array.nbytes), array
    while o is not None:
        if not plain or type(o).__name__ != "ndarray" or weakref.getweakrefcount(o):
            return None
        size, o = max(size, int(o.nbytes)), o.base
    return size


def _texts(array: Any) -> bool:
    return all(is_exactly(o, _PLAIN) or type(o).__name__ == "NAType" for o in array.ravel().tolist())
