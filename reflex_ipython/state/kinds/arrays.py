"""numpy arrays: the owner's memory is copied within the budget and written back in place, so that views stay true."""

from __future__ import annotations

import sys
import warnings
from typing import Any

from reflex_ipython.state.kinds.containers import identical
from reflex_ipython.state.kinds.kind import NOTHING, CannotRestore, Kind, Walk
from reflex_ipython.state.kinds.layout import inherits

_CHUNK = 1 << 20
"""Bytes compared at once: small enough to stay in the processor's cache."""
_SMALL = 1 << 16
"""Bytes up to which an array is just copied."""
UNLOCKING = frozenset({"setflags", "flags", "base"})
"""Attributes by which code can write to an array that is read-only."""


class _Saved:
    """What was noted of an array. `data` is None where its owner holds the data, or nobody can write it."""

    __slots__ = ("address", "data", "form", "writeable")

    def __init__(self, plain: Any, data: Any) -> None:
        self.form = (plain.shape, plain.strides, plain.dtype)
        self.writeable = plain.flags.writeable
        self.address = plain.__array_interface__["data"][0]
        self.data = data


def kinds() -> dict[type, Kind]:
    """The kinds of numpy, where it is loaded."""
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return {}
    arrays = _Arrays(numpy)
    return {
        numpy.ndarray: Kind(
            "numpy.ndarray",
            "partial",
            arrays.note,
            arrays.same,
            arrays.restore,
            limit="one that got another length while something else refers to it keeps that length",
        ),
        numpy.void: Kind("numpy.void", "exact", _note_record),
        numpy.flatiter: Kind("numpy.flatiter", "named", _note_flat, lambda o, saved: bool(o.index == saved)),
    }


def _note_flat(o: Any, walk: Walk) -> int:
    walk.follow((o.base,))  # what is written through it
    return int(o.index)


def _note_record(o: Any, walk: Walk) -> Any:
    walk.follow((o.base,))  # a record of a structured array is a window on it
    return NOTHING


class _Arrays:
    def __init__(self, numpy: Any) -> None:
        self._numpy = numpy
        self._kind: Kind | None = None

    def plain(self, o: Any) -> Any:
        """The array without its subclass, whose methods may be the user's."""
        array = self._numpy.ndarray
        return o if type(o) is array else array.view(o, array)

    def note(self, o: Any, walk: Walk) -> _Saved:
        plain = self.plain(o)
        if plain.dtype.names is not None:
            walk.follow((plain.dtype,))  # its names can be assigned
        locked = not plain.flags.writeable and UNLOCKING.isdisjoint(walk.attributes)
        if locked and not plain.dtype.hasobject:
            return _Saved(plain, None)
        owner = self._owner(o)
        if owner is not o:
            walk.follow((owner,))
            if inherits(type(owner), self._numpy.ndarray):
                return _Saved(plain, None)
        if plain.dtype.hasobject:
            walk.follow(plain.ravel(order="K").tolist())
        saved = _Saved(plain, None if locked else self._copy(o, plain, walk))
        if plain.nbytes >= _SMALL:
            walk.keep(o, saved)
        return saved

    def _owner(self, o: Any) -> Any:
        """Whose memory it is: the array itself, another one, or something that is no array."""
        array, get_base = self._numpy.ndarray, self._numpy.ndarray.base.__get__
        while (base := get_base(o)) is not None:
            o = base
            if not inherits(type(o), array):
                break
        return o

    def _copy(self, o: Any, plain: Any, walk: Walk) -> Any:
        if plain.nbytes < _SMALL:
            walk.hold(plain.nbytes)
            return plain.copy(order="K")
        earlier = walk.earlier(o)
        if type(earlier) is _Saved and earlier.data is not None and walk.copying(lambda: self.same(o, earlier)):
            return earlier.data  # two statements share one copy of what did not change between them
        walk.hold(plain.nbytes)
        return walk.copying(lambda: plain.copy(order="K"))

    def same(self, o: Any, saved: _Saved) -> bool:
        plain = self.plain(o)
        if (plain.shape, plain.strides, plain.dtype) != saved.form or plain.flags.writeable != saved.writeable:
            return False
        if plain.__array_interface__["data"][0] != saved.address:
            return False
        return saved.data is None or self._same_data(plain, saved.data)

    def _same_data(self, plain: Any, data: Any) -> bool:
        if plain.dtype.hasobject:
            return plain.dtype.kind == "O" and identical(plain.ravel().tolist(), data.ravel().tolist(), plain.size)
        some, others = (self._bytes(array) for array in (plain, data))
        if some is None or others is None:
            return bool(plain.tobytes() == data.tobytes())
        chunks = range(0, len(some), _CHUNK)
        return all(self._numpy.array_equal(some[at : at + _CHUNK], others[at : at + _CHUNK]) for at in chunks)

    def _bytes(self, plain: Any) -> Any:
        """The array's memory as words of 8 bytes where they fit, else as bytes; None if it has gaps."""
        if not plain.size or not (plain.flags.c_contiguous or plain.flags.f_contiguous):
            return None
        flat = plain.ravel(order="K")
        return flat.view(self._numpy.uint64 if plain.nbytes % 8 == 0 and flat.itemsize % 8 == 0 else self._numpy.uint8)

    def restore(self, o: Any, saved: _Saved) -> None:
        plain = self.plain(o)
        if plain.__array_interface__["data"][0] != saved.address:
            raise CannotRestore("it has got other memory")
        if not plain.flags.writeable and (saved.writeable or saved.data is not None):
            self._numpy.ndarray.setflags(o, write=True)
        if (plain.shape, plain.strides, plain.dtype) != saved.form:
            _set_form(self._numpy.ndarray, o, saved.form)
            plain = self.plain(o)
        if saved.data is not None:
            self._numpy.copyto(plain, saved.data, casting="no")
        self._numpy.ndarray.setflags(o, write=saved.writeable)


def _set_form(array: Any, o: Any, form: tuple[Any, ...]) -> None:
    shape, strides, dtype = form
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # there is no other way to do it in place
        if dtype != o.dtype:
            array.dtype.__set__(o, dtype)
        if o.shape != shape:
            array.shape.__set__(o, shape)
        if o.strides != strides:
            array.strides.__set__(o, strides)
