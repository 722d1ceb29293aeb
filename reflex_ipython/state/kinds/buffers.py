"""Raw bytes that can be written: bytearray, array.array, the buffers in memory of `io`."""

from __future__ import annotations

import io
from array import array
from typing import Any

from reflex_ipython.base.classes import class_vars
from reflex_ipython.state.kinds.kind import NOTHING, CannotRestore, Kind, ObjectWalk, no_objects
from reflex_ipython.state.kinds.layout import type_name

_ALL = slice(None)
_VIEWED = "a view keeps it from getting its old length back"


def _snapshot_bytearray(o: Any, walk: ObjectWalk) -> bytearray:
    walk.hold(bytearray.__len__(o))
    return bytearray.copy(o)


def _same_bytearray(o: Any, saved: bytearray) -> bool:
    return bytearray.__eq__(o, saved) is True


def _snapshot_array(o: Any, walk: ObjectWalk) -> bytes:
    walk.hold(array.__len__(o) * 8)
    return array.tobytes(o)


def _restore_array(o: Any, saved: bytes) -> None:
    code = array.__dict__["typecode"].__get__(o)
    _in_place(array.__setitem__, o, array(code, saved))


def _restore_bytearray(o: Any, saved: bytearray) -> None:
    _in_place(bytearray.__setitem__, o, saved)


def _in_place(set_item: Any, o: Any, saved: Any) -> None:
    try:
        set_item(o, _ALL, saved)
    except BufferError:
        raise CannotRestore(_VIEWED) from None


def _memory_file(cls: Any) -> Kind:
    """The kind of `io.StringIO` or `io.BytesIO`: its text, its position and whether it is closed."""
    closed = cls.__dict__["closed"].__get__

    def snapshot(o: Any, walk: ObjectWalk) -> Any:
        if closed(o):
            return None
        text = cls.getvalue(o)
        walk.hold(len(text))
        return text, cls.tell(o)

    def same(o: Any, saved: Any) -> bool:
        if closed(o) or saved is None:
            return bool(closed(o)) and saved is None
        return bool((cls.getvalue(o), cls.tell(o)) == saved)

    def restore(o: Any, saved: Any) -> None:
        if saved is None or closed(o):
            raise CannotRestore("closed")
        try:
            cls.seek(o, 0)
            cls.truncate(o, 0)
            cls.write(o, saved[0])
            cls.seek(o, saved[1])
        except BufferError:
            raise CannotRestore(_VIEWED) from None

    limit = "one that was closed stays closed"
    return Kind(f"io.{cls.__name__}", "partial", snapshot, same, restore, limit=limit, holds=no_objects)


def _viewed(o: Any) -> Any:
    try:
        return memoryview.obj.__get__(o)
    except ValueError:
        return None  # released


def _snapshot_view(o: Any, walk: ObjectWalk) -> bool:
    walk.follow((_viewed(o),))
    return _viewed(o) is None


# ------------------------------------------------------------------------------------------ Cython's own


def _snapshot_window(o: Any, walk: ObjectWalk) -> Any:
    walk.follow((o.base,))
    return NOTHING


def _bytes(o: Any) -> bytes | None:
    view = memoryview(o)
    return None if view.readonly or not view.contiguous or view.format == "O" else view.tobytes()


def _snapshot_memory(o: Any, walk: ObjectWalk) -> bytes | None:
    walk.hold(memoryview(o).nbytes)
    return _bytes(o)


def _restore_memory(o: Any, saved: bytes) -> None:
    memoryview(o).cast("B")[:] = saved


_ARRAY = "array.array, memory allocated by Cython"
WINDOW = Kind(_ARRAY, "exact", _snapshot_window)
MEMORY = Kind(_ARRAY, "exact", _snapshot_memory, lambda o, saved: _bytes(o) == saved, _restore_memory, holds=no_objects)
_CYTHON_TYPES = {"memoryview": WINDOW, "_memoryviewslice": WINDOW, "array": MEMORY}


def of_cython(cls: type) -> Kind | None:
    """The kind of Cython's memoryviews and arrays, of which each extension module has types of its own."""
    name = type_name(cls).rpartition(".")[2]
    return _CYTHON_TYPES.get(name) if {"T", "memview"} & {*class_vars(cls)} or name == "_memoryviewslice" else None


KINDS: dict[type, Kind] = {
    bytearray: Kind("bytearray", "exact", _snapshot_bytearray, _same_bytearray, _restore_bytearray, holds=no_objects),
    array: Kind(
        _ARRAY,
        "exact",
        _snapshot_array,
        lambda o, saved: bool(array.tobytes(o) == saved),
        _restore_array,
        holds=no_objects,
    ),
    memoryview: Kind(
        "memoryview",
        "partial",
        _snapshot_view,
        lambda o, saved: (_viewed(o) is None) is saved,
        limit="what it shows; one that was released stays released",
    ),
    io.StringIO: _memory_file(io.StringIO),
    io.BytesIO: _memory_file(io.BytesIO),
}
