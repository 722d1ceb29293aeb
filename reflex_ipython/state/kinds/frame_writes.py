"""How to undo one write to a frame of pandas: which columns it has, and the cells that the write goes to.

What gives a frame other columns or labels makes blocks anew and never writes to the memory of those that were there, so
it is enough to note what the frame is made of, in some µs whatever its size. Of a write to cells, these are copied.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.state.kinds.array_data import put_back_data, same_data
from reflex_ipython.state.kinds.containers import identical
from reflex_ipython.state.kinds.frames import Fields
from reflex_ipython.state.kinds.kind import NOTHING, Kind, ObjectWalk
from reflex_ipython.state.kinds.small_data import noticeable
from reflex_ipython.state.snapshots import Snapshot

REPLACING = frozenset(
    {"drop", "drop_duplicates", "dropna", "eval", "insert", "pop", "query", "rename", "rename_axis", "reset_index"}
    | {"set_axis", "set_index", "sort_index", "sort_values"}
)
"""Methods of a DataFrame that change it, `inplace` or always, and never write to the memory that its columns have."""
_ALL = slice(None)
_NONE = slice(0, 0)
_MANY = 1_000
"""Columns from which on nobody looks for one by its label."""


def snapshot_columns(frame: Any) -> Snapshot:
    """That a frame gets other columns or labels: `df['k'] = v`, `del df['k']`, `df.columns = …`, `REPLACING`.

    Parameters
    ----------
    frame : pandas.DataFrame or pandas.Series

    Returns
    -------
    Snapshot
    """
    return COLUMNS, frame, Fields(frame)


def snapshot_cells(frame: Any, most: int, columns: list[int] | None = None, rows: slice = _ALL) -> Snapshot | None:
    """That cells of a frame are written to: `.loc`, `.iloc`, `.at`, `.iat`, `update`, `fillna(inplace=True)`.

    Parameters
    ----------
    frame : pandas.DataFrame or pandas.Series
    most : int
        Bytes that may be copied.
    columns : list of int or None
        The places of the columns that it can go to; None: all.
    rows : slice
        The places of the rows.

    Returns
    -------
    Snapshot or None
        None if that is more, or if nobody knows where a column keeps its data.
    """
    fields = Fields(frame)
    windows = []
    for place, values in enumerate(fields.structure.arrays):
        inside = _inside(values)
        if inside is None:
            return None
        rows_of = [_ALL] if columns is None else _places(fields.structure.parts[place].locs, columns)
        windows += [_Window(place, nth, row, rows) for nth in range(len(inside)) for row in rows_of]
    arrays = fields.structure.arrays
    if sum(window.on(arrays).nbytes for window in windows) > most:
        return None
    holders = [(o, dict(vars(o))) for o in arrays if hasattr(o, "__dict__")]
    return CELLS, frame, _Cells(fields, [(window, window.on(arrays).copy(order="K")) for window in windows], holders)


def snapshot_write(frame: Any, key: Any, positional: bool, most: int) -> Snapshot | None:
    """That `frame.iloc[key] = …` or, not positional, `frame.loc[key] = …` is about to run: as few cells as possible.

    Parameters
    ----------
    frame : pandas.DataFrame
    key : object
    positional : bool
    most : int
        Bytes that may be copied.

    Returns
    -------
    Snapshot or None
    """
    axes = frame._mgr.axes
    rows, columns = _ALL, None
    if type(axes[-1]).__name__ == "MultiIndex":
        pass  # a tuple may be one label
    elif type(key) is tuple and len(key) == len(axes) == 2:
        rows = _rows(axes[1], key[0], positional)
        columns = _columns(axes[0], key[1], positional)
    elif type(key) is not tuple:
        rows = _rows(axes[-1], key, positional)
    return snapshot_cells(frame, most, columns, rows)


def _rows(labels: Any, key: Any, positional: bool) -> slice:
    """The places of the rows where that is plain to see; else all of them."""
    if type(key) is not int:
        return key if positional and type(key) is slice and _is_plain(key) else _ALL
    if positional:
        return slice(key, key + 1 or None)
    if type(labels).__name__ != "RangeIndex":
        return _ALL
    numbers = labels._range
    return slice(numbers.index(key), numbers.index(key) + 1) if key in numbers else _NONE


def _is_plain(key: slice) -> bool:
    return all(is_exactly(bound, (int, type(None))) for bound in (key.start, key.stop, key.step))


def _columns(labels: Any, key: Any, positional: bool) -> list[int] | None:
    """The places of the columns where that is plain to see; else None. No label is asked whether it is equal."""
    if len(labels) > _MANY or type(labels).__module__.partition(".")[0] != "pandas":
        return None
    if positional:
        return [key % len(labels)] if type(key) is int and len(labels) else None
    if type(key) is not str or type(labels).__name__ != "Index":
        return None
    return [place for place, label in enumerate(labels) if type(label) is str and label == key]


# ------------------------------------------------------------------------------------------ where the cells are


class _Window(NamedTuple):
    """A part of the data of a block."""

    block: int
    nth: int
    row: Any
    rows: slice

    def on(self, arrays: list[Any]) -> Any:
        data = (_inside(arrays[self.block]) or [])[self.nth]
        return data[self.row, self.rows] if data.ndim == 2 else data[self.rows]


def _places(locs: Any, columns: list[int]) -> list[slice]:
    """The rows of a block that are these columns."""
    found = locs.as_array
    rows = [int(row) for column in columns for row in (found == column).nonzero()[0]]
    return [slice(row, row + 1) for row in rows]


def _inside(values: Any) -> list[Any] | None:
    """The arrays of numpy that a write to the values writes to; None if nobody knows."""
    if type(values) is sys.modules["numpy"].ndarray:
        return [values] if values.flags.writeable else []
    if type(values).__module__.partition(".")[0] != "pandas":
        return None
    if hasattr(values, "_ndarray"):
        return _inside(values._ndarray)
    fields = vars(values)
    parts = [_inside(fields[name]) for name in ("_data", "_mask", "_left", "_right") if name in fields]
    return None if None in parts else [array for part in parts if part is not None for array in part]


# ------------------------------------------------------------------------------------------ the kinds


class _Cells:
    __slots__ = ("copies", "fields", "holders")

    def __init__(self, fields: Fields, copies: list[tuple[_Window, Any]], holders: list[tuple[Any, Any]]) -> None:
        self.fields = fields
        self.copies = copies
        self.holders = holders

    def pairs(self) -> Iterator[tuple[Any, Any]]:
        """What is in the cells now, and what was."""
        arrays = self.fields.structure.arrays
        return ((window.on(arrays), copy) for window, copy in self.copies)


def _of_operation(o: Any, walk: ObjectWalk) -> Any:
    return NOTHING  # what there is to note depends on the operation: the functions above do it


def _same(o: Any, saved: _Cells) -> bool:
    return (
        saved.fields.same(o)
        and all(_same_fields(vars(o), fields) for o, fields in saved.holders)
        and all(same_data(sys.modules["numpy"], now, then) for now, then in saved.pairs())
    )


def _same_fields(now: dict[str, Any], then: dict[str, Any]) -> bool:
    return now.keys() == then.keys() and identical((now[name] for name in then), then.values(), len(then))


def _restore(o: Any, saved: _Cells) -> None:
    saved.fields.restore(o)
    for holder, fields in saved.holders:
        vars(holder).clear()
        vars(holder).update(fields)
    for now, then in saved.pairs():
        put_back_data(sys.modules["numpy"], now, then)


COLUMNS = Kind(
    "columns of a pandas.DataFrame",
    "exact",
    _of_operation,
    lambda o, saved: bool(saved.same(o)),
    lambda o, saved: saved.restore(o),
    operation=True,
    holds=lambda saved: saved.holds(),
)
CELLS = Kind(
    "cells of a pandas.DataFrame",
    "exact",
    _of_operation,
    _same,
    _restore,
    operation=True,
    holds=lambda saved: [*saved.fields.holds(), *noticeable(array for array, _ in saved.holders)],
)
