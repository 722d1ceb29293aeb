"""numpy arrays: the owner's memory is copied within the budget and written back in place, so that views stay true."""

from __future__ import annotations

import sys
import warnings
from typing import Any

from reflex_ipython.base.classes import inherits
from reflex_ipython.state.bounds import OverBound
from reflex_ipython.state.kinds.array_data import put_back_data, same_beginning, same_data
from reflex_ipython.state.kinds.functions import PASSES_ON
from reflex_ipython.state.kinds.kind import NOTHING, CannotRestore, Kind, ObjectWalk
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.kinds.opaque import referents

_SMALL = 1 << 16
"""Bytes up to which an array is just copied."""
UNLOCKING = frozenset({"setflags", "flags", "base", "as_strided"})
"""Attributes by which code can write to an array that is read-only, or to more than what an array shows."""


class _Saved:
    """What was noted of an array.

    Parameters
    ----------
    plain : numpy.ndarray
        The array itself.
    data : numpy.ndarray or None
        A copy; None where its owner holds the data, or nobody can write it.
    unsure : bool
        Whether the copy is of an earlier statement, and nobody has looked whether it still was right at this one.
    """

    __slots__ = ("address", "data", "form", "unsure", "writeable")

    def __init__(self, plain: Any, data: Any, unsure: bool = False) -> None:
        self.form = (plain.shape, plain.strides, plain.dtype)
        self.writeable = plain.flags.writeable
        self.address = plain.__array_interface__["data"][0]
        self.data = data
        self.unsure = unsure


LIBRARIES = ("numpy",)


def _snapshot_ufunc(o: Any, walk: ObjectWalk) -> Any:
    """One that `frompyfunc` made calls a function."""
    walk.follow(referents(o))
    return NOTHING


_UFUNC = Kind(PASSES_ON.name, "exact", _snapshot_ufunc, instance=False)


def kinds() -> dict[type, Kind]:
    """The kinds of numpy, where it is loaded."""
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return {}
    arrays = _Arrays(numpy)
    return {
        numpy.ufunc: _UFUNC,
        numpy.ndarray: Kind(
            "numpy.ndarray",
            "partial",
            arrays.snapshot,
            arrays.same,
            arrays.restore,
            holds=_objects_in,
            limit="one that was resized while something else refers to it keeps its new size",
            glance=arrays.glance,
            certain=True,
        ),
        numpy.void: Kind("numpy.void", "exact", _snapshot_record),
        numpy.flatiter: Kind("numpy.flatiter", "named", _snapshot_flat, lambda o, saved: bool(o.index == saved)),
    }


def _snapshot_flat(o: Any, walk: ObjectWalk) -> int:
    walk.follow((o.base,))  # what is written through it
    return int(o.index)


def _snapshot_record(o: Any, walk: ObjectWalk) -> Any:
    walk.follow((o.base,))  # a record of a structured array is a window on it
    return NOTHING


def _objects_in(saved: _Saved) -> list[Any]:
    return saved.data.ravel(order="K").tolist() if saved.data is not None and saved.data.dtype.hasobject else []


class _Arrays:
    def __init__(self, numpy: Any) -> None:
        self._numpy = numpy

    def plain(self, o: Any) -> Any:
        """The array without its subclass, whose methods may be the user's."""
        array = self._numpy.ndarray
        return o if type(o) is array else array.view(o, array)

    # -------------------------------------------------------------------------------------- noting

    def snapshot(self, o: Any, walk: ObjectWalk) -> _Saved:
        plain = self.plain(o)
        dtype = plain.dtype
        objects = dtype.hasobject
        if dtype.names is not None or dtype.metadata is not None:
            walk.follow((dtype,))  # its names can be assigned, and what is in its metadata can change
        locked = not plain.flags.writeable and UNLOCKING.isdisjoint(walk.attributes)
        if locked and not objects:
            return _Saved(plain, None)
        owner = self._owner(o)
        if owner is not o:
            is_array = inherits(type(owner), self._numpy.ndarray)
            if not (is_array and not objects and self._is_small_part(o, self.plain(owner), walk)):
                walk.follow((owner,))
                if is_array:
                    return _Saved(plain, None)
        if objects:
            if plain.size > _SMALL:
                walk.expect(iter(plain.flat), plain.size)
            walk.follow(plain.ravel(order="K").tolist())
        return _Saved(plain, None) if locked else self._copied(o, plain, walk)

    def _owner(self, o: Any) -> Any:
        """Whose memory it is: the array itself, another one, or something that is no array."""
        array, get_base = self._numpy.ndarray, self._numpy.ndarray.base.__get__
        while (base := get_base(o)) is not None:
            o = base
            if not inherits(type(o), array):
                break
        return o

    def _is_small_part(self, o: Any, owner: Any, walk: ObjectWalk) -> bool:
        """Whether to copy what the array shows rather than all that its owner has: the code gets at no more by it.

        All such parts of one owner are together less than half of it.
        """
        if owner.nbytes < _SMALL or not UNLOCKING.isdisjoint(walk.attributes):
            return False
        key = identity(owner)
        so_far: dict[int, int] = walk.remembered.setdefault(key, {})
        so_far[identity(o)] = self.plain(o).nbytes
        return bool(2 * sum(so_far.values()) < owner.nbytes)

    def _copied(self, o: Any, plain: Any, walk: ObjectWalk) -> _Saved:
        if plain.nbytes < _SMALL:
            walk.hold(plain.nbytes)
            return _Saved(plain, plain.copy(order="K"))
        earlier = walk.earlier(o)
        data, unsure = None, False
        if type(earlier) is _Saved and earlier.data is not None:
            try:  # statements share one copy of what did not change between them
                unsure = earlier.unsure
                if walk.copying(lambda: self.same(o, earlier), plain.nbytes):
                    data = earlier.data
            except OverBound:  # no time to look: if it is the same at the end, it never changed
                data, unsure = earlier.data, True
        if data is None:
            walk.hold(plain.nbytes)
            data, unsure = walk.copying(lambda: plain.copy(order="K"), plain.nbytes), False
        return walk.keep(o, _Saved(plain, data, unsure))  # type: ignore[no-any-return]  # what it was given

    # -------------------------------------------------------------------------------------- looking

    def same(self, o: Any, saved: _Saved) -> bool:
        plain = self.plain(o)
        return self._same_form(plain, saved) and (saved.data is None or same_data(self._numpy, plain, saved.data))

    def glance(self, o: Any, saved: _Saved) -> bool | None:
        """The same, in a few µs: None where nobody knows without looking at all of it."""
        plain = self.plain(o)
        if not self._same_form(plain, saved):
            return False
        if saved.data is None:
            return True
        if plain.nbytes < _SMALL:
            return same_data(self._numpy, plain, saved.data)
        return None if same_beginning(self._numpy, plain, saved.data) else False

    def _same_form(self, plain: Any, saved: _Saved) -> bool:
        return bool(
            (plain.shape, plain.strides, plain.dtype) == saved.form
            and plain.flags.writeable == saved.writeable
            and plain.__array_interface__["data"][0] == saved.address
        )

    # -------------------------------------------------------------------------------------- the way back

    def restore(self, o: Any, saved: _Saved) -> None:
        plain = self.plain(o)
        if plain.__array_interface__["data"][0] != saved.address:
            raise CannotRestore("its memory has moved")
        if saved.unsure:
            if self.same(o, saved):
                return
            raise CannotRestore("it may already have changed in an earlier statement")
        if not plain.flags.writeable and (saved.writeable or saved.data is not None):
            self._numpy.ndarray.setflags(o, write=True)
        if (plain.shape, plain.strides, plain.dtype) != saved.form:
            _set_form(self._numpy.ndarray, o, saved.form)
        if saved.data is not None:
            put_back_data(self._numpy, self.plain(o), saved.data)
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
