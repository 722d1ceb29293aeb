"""What is in an array of numpy: compared bit by bit, and written back where it differs, a piece at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reflex_ipython.state.kinds.containers import identical

_CHUNK = 1 << 20
"""Bytes that are compared at once: small enough to stay in the processor's cache until they are written."""
_WORDS = frozenset({1, 2, 4, 8})


def same_data(numpy: Any, some: Any, others: Any) -> bool:
    """Whether two plain arrays of one shape and dtype hold the same bits, or the very same objects."""
    if some.dtype.names is not None and some.dtype.hasobject:
        return all(same_data(numpy, some[name], others[name]) for name in some.dtype.names)
    if some.dtype.kind == "O":
        return identical(some.ravel().tolist(), others.ravel().tolist(), some.size)
    if some.dtype.hasobject:
        return all(map(_same_text, some.ravel().tolist(), others.ravel().tolist()))
    return next(_differing(numpy, some, others), None) is None


def put_back_data(numpy: Any, o: Any, data: Any) -> None:
    """Make the plain array `o` hold what `data` holds, writing only to what differs."""
    if o.dtype.hasobject:
        numpy.copyto(o, data, casting="no")
        return
    for some, others in _differing(numpy, o, data):
        some[...] = others


def same_beginning(numpy: Any, some: Any, others: Any) -> bool:
    """Whether the first piece holds the same, in no time; what holds objects counts as the same."""
    if some.dtype.hasobject:
        return True
    part, other = next(_pieces(some, others), (None, None))
    return part is None or _equal(numpy, part, other)


def _same_text(some: object, other: object) -> bool:
    """Items of numpy's own text type; what stands for a missing one may be anything."""
    return some is other or (type(some) is type(other) is str and some == other)


def _differing(numpy: Any, some: Any, others: Any) -> Iterator[tuple[Any, Any]]:
    return (pair for pair in _pieces(some, others) if not _equal(numpy, *pair))


def _equal(numpy: Any, some: Any, other: Any) -> bool:
    if some.dtype.kind in "uV" and some.dtype.itemsize in _WORDS:
        return bool(numpy.array_equal(some, other))
    return bool(some.tobytes() == other.tobytes())


def _pieces(some: Any, others: Any) -> Iterator[tuple[Any, Any]]:
    """Windows on both, along the first axis."""
    if not some.size:
        return
    first, second = _as_words(some, others)
    rows = max(1, _CHUNK * len(first) // max(1, first.nbytes))
    for at in range(0, len(first), rows):
        yield first[at : at + rows], second[at : at + rows]


def _as_words(some: Any, others: Any) -> tuple[Any, Any]:
    """Windows on both as unsigned numbers, flat where they have no gaps: a NaN is then equal to itself."""
    if (some.flags.c_contiguous and others.flags.c_contiguous) or (
        some.flags.f_contiguous and others.flags.f_contiguous
    ):
        flat, other = some.ravel(order="K"), others.ravel(order="K")
        words = "u8" if some.nbytes % 8 == 0 and flat.itemsize % 8 == 0 else "u1"
        return flat.view(words), other.view(words)
    if some.itemsize in _WORDS:
        return some.view(f"u{some.itemsize}"), others.view(f"u{some.itemsize}")
    return some, others
