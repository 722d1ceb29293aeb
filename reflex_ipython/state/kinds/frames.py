"""pandas: a frame is its manager of blocks, its `attrs`, its flags, and what is in the arrays of its blocks.

Put back in place: whoever holds the frame sees it as it was, and the arrays that it shares with others are the same
again. No copy-on-write snapshot is taken: a reference to a block changes what the next write to it does, for everybody.
"""

from __future__ import annotations

import sys
import weakref
from typing import Any

from reflex_ipython.base.classes import inherits
from reflex_ipython.state.kinds import indexes
from reflex_ipython.state.kinds.blocks import Structure
from reflex_ipython.state.kinds.containers import identical
from reflex_ipython.state.kinds.kind import NOTHING, Kind, ObjectWalk
from reflex_ipython.state.kinds.labels import in_dtype
from reflex_ipython.state.kinds.small_data import noticeable

_CACHED = "_item_cache"
"""Where pandas before 3 keeps the columns that were asked for, by their names."""
_DERIVED = frozenset({"_mgr", _CACHED, "_cacher"})
"""Fields that are made anew from the others, or that are noted on their own."""

BYPASSING = indexes.BYPASSING
"""Attributes by which code gets at the data of an index."""


class Fields:
    """All of a frame but what is in its arrays: this is what its columns are, and it takes no copy.

    Parameters
    ----------
    o : DataFrame or Series
    """

    __slots__ = ("cached", "kept", "structure")

    def __init__(self, o: Any) -> None:
        fields = _fields(o)
        self.kept = _kept(o, fields)
        self.structure = Structure(fields["_mgr"])
        # Not held: pandas looks at the references to a column to tell whether a write to it would be lost.
        self.cached = [(name, _weak(column)) for name, column in fields.get(_CACHED, {}).items()]

    def same(self, o: Any) -> bool:
        """Whether the frame has the same fields and is made of the same arrays and labels."""
        fields = _fields(o)
        kept = _kept(o, fields)
        return (
            kept.keys() == self.kept.keys()
            and identical((kept[name] for name in self.kept), self.kept.values(), len(kept))
            and self.structure.same(fields["_mgr"])
            and self._same_cached(fields.get(_CACHED, {}))
        )

    def holds(self) -> list[Any]:
        """What is kept alive for it and might be seen to live: big arrays and labels, and what the fields hold."""
        parts = (*self.structure.axes, *self.structure.arrays)
        return [*self.kept.values(), *noticeable(parts)]

    def _alive(self) -> list[tuple[Any, Any]]:
        """The columns that were cached, but for those that are gone: they would be made anew when asked for."""
        return [(name, column()) for name, column in self.cached if column() is not None]

    def _same_cached(self, now: dict[Any, Any]) -> bool:
        alive = self._alive() if self.cached else []
        return len(now) == len(alive) and all(
            name is other and column is now_column
            for (name, column), other, now_column in zip(alive, now.keys(), now.values())
        )

    def restore(self, o: Any) -> None:
        """Make the frame of the same fields, arrays and labels again."""
        fields = _fields(o)
        others = {name: fields[name] for name in (*_DERIVED, *_accessors(o)) if name in fields}
        fields.clear()
        fields.update(self.kept)
        fields.update(others)
        fields["_mgr"] = self.structure.put_back()
        if _CACHED in fields:
            fields[_CACHED].clear()
            fields[_CACHED].update(self._alive())


def copy_on_write(pandas: Any) -> bool:
    """Whether a write to a frame leaves the memory alone that others share."""
    if int(pandas.__version__.partition(".")[0]) >= 3:
        return True
    using = getattr(sys.modules.get("pandas._config"), "using_copy_on_write", None)
    return bool(using is not None and using())


def _fields(o: Any) -> dict[str, Any]:
    return object.__getattribute__(o, "__dict__")  # type: ignore[no-any-return]  # a frame's own, no property


def _accessors(o: Any) -> set[str]:
    """What pandas keeps among the fields once it was asked for: `str`, `dt`, `plot`."""
    pandas = sys.modules["pandas"]
    base = pandas.Series if inherits(type(o), pandas.Series) else pandas.DataFrame
    return base._accessors  # type: ignore[no-any-return]  # pandas' own set of names


def _kept(o: Any, fields: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in fields.items() if name not in _DERIVED}
    if len(kept) > _FEW:
        for name in _accessors(o):
            kept.pop(name, None)
    return kept


_FEW = 4
"""Fields that a frame of pandas has of its own."""


def _weak(column: Any) -> Any:
    return weakref.ref(column)


# ------------------------------------------------------------------------------------------ the kinds


LIBRARIES = ("pandas",)


def kinds() -> dict[type, Kind]:
    """The kinds of pandas, where it is loaded."""
    pandas = sys.modules.get("pandas")
    if pandas is None:
        return {}
    frame = Kind("pandas.DataFrame, pandas.Series", "exact", _snapshot, _same, _restore, instance=False, holds=_holds)
    index = indexes.kind(lasting=int(pandas.__version__.partition(".")[0]) >= 3)
    backed = sys.modules["pandas._libs.arrays"].NDArrayBacked
    array = Kind("pandas.Categorical, DatetimeArray, …", "exact", _snapshot_array)
    return {pandas.DataFrame: frame, pandas.Series: frame, pandas.Index: index, backed: array}


def _snapshot_array(o: Any, walk: ObjectWalk) -> Any:
    walk.follow((o._ndarray, *in_dtype(o._dtype)))
    return NOTHING


def _snapshot(o: Any, walk: ObjectWalk) -> Any:
    manager = _fields(o)["_mgr"]
    if not hasattr(manager, "blocks"):  # `mode.data_manager` of pandas 2: an object with lists of arrays
        walk.follow((manager,))
        return None
    saved = Fields(o)
    walk.follow(saved.kept.values())
    walk.follow(saved.structure.axes)
    walk.follow(saved.structure.arrays)
    return saved


def _same(o: Any, saved: Any) -> bool:
    return saved is None or bool(saved.same(o))


def _restore(o: Any, saved: Any) -> None:
    saved.restore(o)


def _holds(saved: Any) -> list[Any]:
    return [] if saved is None else saved.holds()
