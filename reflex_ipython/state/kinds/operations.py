"""How to undo one operation on an object where a snapshot of it all would be dear: 10,000 appends cost as many ints.

Each snapshot is taken before the operation runs, of the part that it writes. Where the whole object is small, or nobody
knows which part is written, the whole is noted as the kind that it is, or not at all.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

from reflex_ipython.base.classes import class_vars, is_exactly
from reflex_ipython.state.global_state import Shallow
from reflex_ipython.state.kinds import containers, frames
from reflex_ipython.state.kinds.array_data import same_data
from reflex_ipython.state.kinds.containers import DICT
from reflex_ipython.state.kinds.frame_writes import COLUMNS, REPLACING, snapshot_cells, snapshot_columns, snapshot_write
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.kind import NOTHING, CannotRestore, Kind, ObjectWalk
from reflex_ipython.state.kinds.table import current_table
from reflex_ipython.state.snapshots import Snapshot

MOST_ITEMS = 2_000
"""Items of a container up to which it is noted as a whole."""
MOST_BYTES = 1 << 18
"""Bytes of an array, or of a part of one, up to which they are copied: some 20 µs."""
_NOWHERE = Shallow()


def _of_operation(o: Any, walk: ObjectWalk) -> Any:
    return NOTHING  # what there is to note depends on the operation: the functions below do it


# ------------------------------------------------------------------------------------------ lists


def _shorten(o: Any, length: int) -> None:
    if list.__len__(o) < length:
        raise CannotRestore("it is shorter than it was")
    list.__delitem__(o, slice(length, None))


GROWTH = Kind(
    "list that grows at its end",
    "exact",
    _of_operation,
    lambda o, length: list.__len__(o) == length,
    _shorten,
    operation=True,
)


def growth(o: Any) -> Snapshot:
    """That a list grows at its end: its length."""
    return GROWTH, o, list.__len__(o)


def _same_place(o: Any, saved: tuple[int, object]) -> bool:
    index, value = saved
    return list.__len__(o) > index and list.__getitem__(o, index) is value


def _put_in_place(o: Any, saved: tuple[int, object]) -> None:
    index, value = saved
    if list.__len__(o) <= index:
        raise CannotRestore("it is shorter than it was")
    list.__setitem__(o, index, value)


PLACE = Kind("item of a list", "exact", _of_operation, _same_place, _put_in_place, operation=True)


def place(o: Any, index: int) -> Snapshot | None:
    """That another object takes the place of an item; None if there is no such item."""
    length = list.__len__(o)
    index += length if index < 0 else 0
    return (PLACE, o, (index, list.__getitem__(o, index))) if 0 <= index < length else None


# ------------------------------------------------------------------------------------------ dictionaries


def _same_entry(o: Any, saved: tuple[Any, object]) -> bool:
    key, value = saved
    return dict.get(o, key, MISSING) is value


def _put_entry_back(o: Any, saved: tuple[Any, object]) -> None:
    key, value = saved
    if value is MISSING:
        dict.pop(o, key, None)
    else:
        dict.__setitem__(o, key, value)


ENTRY = Kind("entry of a dict", "exact", _of_operation, _same_entry, _put_entry_back, operation=True)


def entry(o: Any, key: Any) -> Snapshot:
    """That a key gets a value, in a dict or `__dict__`. Its place among the others does not change by that.

    Parameters
    ----------
    o : dict
        Whose keys, like this one, have a hash and `__eq__` of built-in types.
    key : object
    """
    return ENTRY, o, (key, dict.get(o, key, MISSING))


# ------------------------------------------------------------------------------------------ classes


def _same_class_attribute(o: Any, saved: tuple[str, object]) -> bool:
    return class_vars(o).get(saved[0], MISSING) is saved[1]


def _put_class_attribute_back(o: Any, saved: tuple[str, object]) -> None:
    name, value = saved
    if value is MISSING:
        type.__delattr__(o, name)
    else:
        type.__setattr__(o, name, value)


CLASS_ATTRIBUTE = Kind(
    "attribute of a class",
    "exact",
    _of_operation,
    _same_class_attribute,
    _put_class_attribute_back,
    operation=True,
)


def class_attribute(o: type, name: str) -> Snapshot:
    """That an attribute of a class of the user's is bound."""
    return CLASS_ATTRIBUTE, o, (name, class_vars(o).get(name, MISSING))


# ------------------------------------------------------------------------------------------ slots


def _slot_now(o: Any, slot: Any) -> object:
    try:
        return slot.__get__(o)
    except AttributeError:
        return MISSING


def _same_slot(o: Any, saved: tuple[Any, object]) -> bool:
    return _slot_now(o, saved[0]) is saved[1]


def _put_slot_back(o: Any, saved: tuple[Any, object]) -> None:
    slot, value = saved
    if value is not MISSING:
        slot.__set__(o, value)
    elif _slot_now(o, slot) is not MISSING:
        slot.__delete__(o)


SLOT = Kind("slot of an object", "exact", _of_operation, _same_slot, _put_slot_back, operation=True)


def slot(o: Any, descriptor: Any) -> Snapshot:
    """That a slot of an object is bound; `descriptor` is that of its class."""
    return SLOT, o, (descriptor, _slot_now(o, descriptor))


# ------------------------------------------------------------------------------------------ arrays


def _same_part(o: Any, saved: tuple[Any, Any]) -> bool:
    index, then = saved
    now = o[index]
    return now.dtype == then.dtype and now.shape == then.shape and same_data(sys.modules["numpy"], now, then)


def _write_part(o: Any, saved: tuple[Any, Any]) -> None:
    index, then = saved
    if not o.flags.writeable:
        raise CannotRestore("it is read-only now")
    o[index] = then


def _objects_in(saved: tuple[Any, Any]) -> Any:
    then = saved[1]
    return then.ravel().tolist() if then.dtype.hasobject else ()


PART = Kind("part of a numpy array", "exact", _of_operation, _same_part, _write_part, operation=True, holds=_objects_in)


def part(o: Any, index: Any) -> Snapshot | None:
    """That a part of an array is written to.

    Parameters
    ----------
    o : numpy.ndarray
        Of that very type.
    index : int, slice, array of bool or int, ellipsis, or tuple of those

    Returns
    -------
    Snapshot or None
        None if the part is too large to be copied.
    """
    ndarray: Any = sys.modules["numpy"].ndarray
    indices = index if type(index) is tuple else (index,)
    fancy = [each for each in indices if isinstance(each, (ndarray, list))]
    if fancy:  # a copy comes out, as large as the index says
        if any(_count(each, ndarray) > MOST_ITEMS * 10 for each in fancy) or o.nbytes > 64 * MOST_BYTES:
            return None
        indices = tuple(each.copy() if isinstance(each, (ndarray, list)) else each for each in indices)
    # With an ellipsis an array comes out, and never an item: a record would be a window on the array, and an array that
    # is an item would be taken for a part.
    if not isinstance(index, str) and not any(each is ... for each in indices):  # the name of a field stands alone
        indices = (*indices, ...)
    chosen = index if isinstance(index, str) else indices
    found: Any = o[chosen]
    if found.nbytes > MOST_BYTES:
        return None
    return PART, o, (chosen, found if fancy else found.copy())


def _count(each: Any, ndarray: Any) -> int:
    return int(each.size) if isinstance(each, ndarray) else len(each)


# ------------------------------------------------------------------------------------------ whole objects

_CONTAINERS: dict[type, Kind] = {
    **{cls: kind for cls, kind in containers.KINDS.items() if cls not in (tuple, frozenset)},
    Counter: DICT,
}


def whole(o: Any) -> Snapshot | None:
    """The whole contents of a small object as the kind that it is; None if it is not small, or several kinds in one.

    Parameters
    ----------
    o : object
        Of a built-in or library type, exactly.
    """
    cls = type(o)
    container = _CONTAINERS.get(cls)
    if container is not None:
        return None if len(o) > MOST_ITEMS else (container, o, container.snapshot(o, _NOWHERE))
    numpy = sys.modules.get("numpy")
    if numpy is not None and cls is numpy.ndarray:
        return None if o.nbytes > MOST_BYTES else (PART, o, (..., o.copy()))
    kinds = current_table().kinds(cls)
    if len(kinds) != 1 or kinds[0].restore is None:
        return None
    saved = kinds[0].snapshot(o, _NOWHERE)
    return None if saved is NOTHING else (kinds[0], o, saved)


def contents(fields: dict[str, Any]) -> Snapshot | None:
    """The whole `__dict__` of an object; None if it is not small."""
    return None if dict.__len__(fields) > MOST_ITEMS else (DICT, fields, DICT.snapshot(fields, _NOWHERE))


_LOCATORS = frozenset(["loc", "iloc", "at", "iat"])


def frame_snapshot(frame: Any, how: str, key: Any = MISSING) -> Snapshot | None:
    """What undoes a write to a pandas frame or series; None if a full checkpoint is due.

    Parameters
    ----------
    frame : pandas.DataFrame or pandas.Series
        Of one of those very types.
    how : str
        What is written: "item", "attribute", "columns", or the name of a method or locator.
    key : object
        Which item or location; `MISSING` if nobody knows.
    """
    is_frame = type(frame).__name__ == "DataFrame"
    fields = object.__getattribute__(frame, "__dict__")
    if "_cacher" in fields and not frames.copy_on_write(sys.modules["pandas"]):
        return None  # the frame that it was taken from is told, and may make its block anew
    if how == "columns" or (is_frame and (how in REPLACING or how == "attribute")):
        return snapshot_columns(frame)
    labels = fields["_mgr"].axes[0]
    if is_frame and how == "item" and is_exactly(key, (str, int)) and type(labels).__name__ != "MultiIndex":
        return snapshot_columns(frame)
    if how in _LOCATORS and key is not MISSING:
        return snapshot_write(frame, key, how in ("iloc", "iat"), MOST_BYTES)
    return snapshot_cells(frame, MOST_BYTES)


def only_columns(*entries: Snapshot | None) -> bool:
    """Whether none of these writes goes to a cell."""
    return all(snapshot is not None and snapshot[0] is COLUMNS for snapshot in entries)


def size(snapshot: Snapshot) -> int:
    """The bytes of data that a snapshot of one operation has copied."""
    kind, _, saved = snapshot
    copied: Any = saved[1] if kind is PART else None
    return int(copied.nbytes) if hasattr(copied, "nbytes") else 0
