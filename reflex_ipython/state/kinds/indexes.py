"""pandas: the labels of frames. They can't change but for their names, unless code goes behind their backs.

Objects of the user's among them can (`labels`).
"""

from __future__ import annotations

from typing import Any

from reflex_ipython.state.kinds.containers import identical
from reflex_ipython.state.kinds.kind import Kind, ObjectWalk
from reflex_ipython.state.kinds.labels import follow_labels
from reflex_ipython.state.kinds.small_data import noticeable

_DERIVED = frozenset({"_cache", "_id", "_references", "_engine", "_levels", "_codes", "_range"})
"""Fields that follow from the others, or never change."""
_BEHIND = frozenset({"_data", "_values", "_ndarray", "setflags", "flags", "base", "as_strided", "ctypes"})
"""Attributes by which code gets at labels that it can write to."""
_SHOWN = frozenset(
    {"array", "arrays", "asarray", "asanyarray", "ascontiguousarray", "ravel", "to_numpy", "to_series", "to_frame"}
    | {"values", "view", "Series", "DataFrame"}
)
"""Those by which it gets at them until pandas 3, as well."""
BYPASSING = _BEHIND | _SHOWN
_SMALL = 1 << 16
"""Bytes up to which labels that can be written to are noted whatever the code says."""


class _Frozen(list[Any]):
    """A list as it was."""


def kind(lasting: bool) -> Kind:
    """The kind of indexes.

    Parameters
    ----------
    lasting : bool
        Whether what an index shows in public is read-only.
    """
    ways = _BEHIND if lasting else BYPASSING

    def snapshot(o: Any, walk: ObjectWalk) -> dict[str, Any]:
        data = _fields(o).get("_data")
        if not ways.isdisjoint(walk.attributes) or not (lasting or _bytes_of(data) > _SMALL):
            walk.follow((data,))
        follow_labels(o, data, walk)
        saved = _contents(o)
        walk.follow([value for name, value in saved.items() if name != "_data"])
        return saved

    return Kind("pandas.Index", "exact", snapshot, _same, _restore, instance=False, holds=_holds)


def _bytes_of(data: Any) -> float:
    """The bytes of plain data, without objects in it; infinity of anything else."""
    plain = type(data).__module__ == "numpy" and not data.dtype.hasobject
    return float(data.nbytes) if plain else float("inf")


def _fields(o: Any) -> dict[str, Any]:
    return object.__getattribute__(o, "__dict__")  # type: ignore[no-any-return]  # an index's own, no property


def _contents(o: Any) -> dict[str, Any]:
    found = {
        name: _Frozen(value) if type(value) is list else value
        for name, value in _fields(o).items()
        if name not in _DERIVED
    }
    inner = getattr(found.get("_data"), "__dict__", {})
    return {**found, _FREQUENCY: inner["_freq"]} if "_freq" in inner else found


_FREQUENCY = "the frequency of its data"


def _same(o: Any, saved: dict[str, Any]) -> bool:
    now = _contents(o)
    return now.keys() == saved.keys() and all(_is(now[name], value) for name, value in saved.items())


def _is(now: Any, then: Any) -> bool:
    return now is then or (type(now) is type(then) is _Frozen and identical(now, then, len(now)))


def _holds(saved: dict[str, Any]) -> list[Any]:
    found = [o for value in saved.values() for o in (value if type(value) is _Frozen else (value,))]
    rest = [o for o in found if not type(o).__module__.startswith("pandas._libs.tslibs")]  # frequencies never change
    return noticeable(rest)


def _restore(o: Any, saved: dict[str, Any]) -> None:
    fields = _fields(o)
    for name in fields.keys() - saved.keys() - _DERIVED:
        del fields[name]
    for name, value in saved.items():
        if name == _FREQUENCY:
            saved["_data"].__dict__["_freq"] = value
        else:
            fields[name] = list(value) if type(value) is _Frozen else value
    fields.get("_cache", {}).clear()
