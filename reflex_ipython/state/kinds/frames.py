"""pandas: with copy-on-write a snapshot of a frame takes microseconds whatever its size; else its arrays are copied.

A frame is its manager of blocks, its `attrs` and flags. Put back in place: whoever holds the frame sees it as it was.
"""

from __future__ import annotations

import sys
from typing import Any

from reflex_ipython.state.kinds.containers import identical
from reflex_ipython.state.kinds.kind import Kind, Walk

_DERIVED = ("_mgr", "_item_cache", "_cacher", "_is_copy")
"""Fields that are made anew from the others."""


BYPASSING = frozenset({"array", "values", "arrays", "_values", "_data", "_ndarray"})
"""Attributes by which code gets at an extension array itself, past copy-on-write."""
_LABELS = frozenset({"_data", "_values"})
"""Those by which it gets at labels that it can write to; what an index shows in public is read-only since pandas 3."""


class _Saved:
    """The frame's other fields, its labels, and a manager that shares its blocks."""

    __slots__ = ("axes", "fields", "manager")

    def __init__(self, fields: dict[str, Any], manager: Any) -> None:
        self.fields = fields
        self.axes = list(manager.axes)
        self.manager = manager.copy(deep=False)


def copy_on_write(pandas: Any) -> bool:
    """Whether a write to a frame leaves the memory alone that others share."""
    if int(pandas.__version__.partition(".")[0]) >= 3:
        return True
    using = getattr(sys.modules.get("pandas._config"), "using_copy_on_write", None)
    return bool(using is not None and using())


def kinds() -> dict[type, Kind]:
    """The kinds of pandas, where it is loaded."""
    pandas = sys.modules.get("pandas")
    if pandas is None:
        return {}
    frame = Kind("pandas.DataFrame, pandas.Series", "exact", _note, _same, _restore, instance=False)
    index = Kind(
        "pandas.Index",
        "exact",
        _note_index,
        _same_index,
        _restore_index,
        instance=False,
    )
    backed = sys.modules["pandas._libs.arrays"].NDArrayBacked
    array = Kind("pandas.Categorical, DatetimeArray, …", "exact", lambda o, walk: walk.follow((o._ndarray,)))
    return {pandas.DataFrame: frame, pandas.Series: frame, pandas.Index: index, backed: array}


def _fields(o: Any) -> dict[str, Any]:
    return object.__getattribute__(o, "__dict__")  # type: ignore[no-any-return]  # a frame's own, no property


def _note(o: Any, walk: Walk) -> _Saved:
    fields = dict(_fields(o))
    manager = fields["_mgr"]
    kept = {name: value for name, value in fields.items() if name not in _DERIVED}
    walk.follow(kept.values())
    walk.follow(manager.axes)
    if copy_on_write(sys.modules["pandas"]):
        for block in manager.blocks:
            walk.share(block.values, _bytes_of(block.values))
            _follow_cells(block.values, walk)
    else:
        walk.follow([block.values for block in manager.blocks])
    return _Saved(kept, manager)


def _bytes_of(values: Any) -> int:
    """The bytes of a block; 0 of an array that is not of numpy or pandas, and may run anybody's code."""
    library = type(values).__module__.partition(".")[0]
    return int(values.nbytes) if library in ("numpy", "pandas") else 0


def _follow_cells(values: Any, walk: Walk) -> None:
    """What the cells hold. Under copy-on-write, an array that was looked at stays as it is."""
    if type(values).__module__ != "numpy":
        if not BYPASSING.isdisjoint(walk.attributes):
            walk.follow((values,))
    elif values.dtype == object and id(values) not in walk.remembered:
        items = values.ravel(order="K").tolist()
        walk.expect(iter(items), len(items))
        if not walk.follow(items):
            walk.remembered[id(values)] = values


def _same(o: Any, saved: _Saved) -> bool:
    fields = {name: value for name, value in _fields(o).items() if name not in _DERIVED}
    if fields.keys() != saved.fields.keys() or not identical(
        (fields[name] for name in saved.fields), saved.fields.values(), len(fields)
    ):
        return False
    manager = _fields(o)["_mgr"]
    return identical(manager.axes, saved.axes, len(manager.axes)) and _same_blocks(manager.blocks, saved.manager.blocks)


def _same_blocks(now: Any, then: Any) -> bool:
    return len(now) == len(then) and all(
        _address(block.values) == _address(other.values)
        and (block.mgr_locs is other.mgr_locs or list(block.mgr_locs) == list(other.mgr_locs))
        for block, other in zip(now, then)
    )


def _address(values: Any) -> Any:
    """Which memory an array stands for: equal for two windows on the same one."""
    if hasattr(values, "__array_interface__"):
        return values.__array_interface__["data"][0], values.shape, values.strides
    inner = getattr(values, "_ndarray", None)
    if inner is not None:
        return _address(inner)
    fields = getattr(values, "__dict__", None)
    if not fields:
        return id(values)
    return {name: _address(value) for name, value in fields.items() if name != "_cache"}


def _restore(o: Any, saved: _Saved) -> None:
    fields = _fields(o)
    kept = {name: fields[name] for name in ("_item_cache", "_cacher", "_is_copy") if name in fields}
    fields.clear()
    fields.update(saved.fields)
    fields["_mgr"] = manager = saved.manager.copy(deep=False)
    manager.axes = list(saved.axes)
    if "_item_cache" in kept:
        kept["_item_cache"].clear()
    for name, value in kept.items():
        fields[name] = value


_NAMES = ("_name", "_names")


def _note_index(o: Any, walk: Walk) -> tuple[Any, ...]:
    ways = _LABELS if copy_on_write(sys.modules["pandas"]) else BYPASSING
    if not ways.isdisjoint(walk.attributes):
        walk.follow((_fields(o).get("_data"),))
    return _index_names(o)


def _index_names(o: Any) -> tuple[Any, ...]:
    fields = _fields(o)
    return tuple(list(value) if type(value) is list else value for value in map(fields.get, _NAMES))


def _same_index(o: Any, saved: tuple[Any, ...]) -> bool:
    return all(
        identical(now, then, len(now)) if type(now) is type(then) is list else now is then
        for now, then in zip(_index_names(o), saved)
    )


def _restore_index(o: Any, saved: tuple[Any, ...]) -> None:
    for name, value in zip(_NAMES, saved):
        if name in _fields(o):
            _fields(o)[name] = list(value) if type(value) is list else value
