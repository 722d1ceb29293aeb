"""numpy's descriptions and iterators of arrays: dtypes whose names are assigned, `broadcast`, `nditer`, flags."""

from __future__ import annotations

import gc
import sys
from typing import Any

from reflex_ipython.base.classes import inherits
from reflex_ipython.base.unwarned import unwarned
from reflex_ipython.state.kinds.kind import NOTHING, CannotRestore, Kind, ObjectWalk

_MOST_STEPS = 100_000


def _snapshot_dtype(o: Any, walk: ObjectWalk) -> Any:
    metadata, names = o.metadata, o.names
    if metadata is not None:
        walk.follow(gc.get_referents(metadata))
    if o.subdtype is not None:
        walk.follow((o.subdtype[0],))
    if names is None:
        return NOTHING
    walk.follow([field[0] for field in o.fields.values()])
    return names


def _set_names(o: Any, saved: tuple[str, ...]) -> None:
    with unwarned():
        o.names = saved


def _restore_place(o: Any, saved: int) -> None:
    if saved > _MOST_STEPS:
        raise CannotRestore("it was too far along")
    o.reset()
    for _ in range(saved):
        next(o)


def _snapshot_iteration(o: Any, walk: ObjectWalk) -> None:
    walk.follow(o.operands)


def _is_dtype(cls: Any, numpy: Any) -> bool:
    return inherits(type(cls), type) and inherits(cls, numpy.dtype)


LIBRARIES = ("numpy",)


def kinds() -> dict[type, Kind]:
    """Those of numpy, where it is loaded."""
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return {}
    dtypes = Kind("numpy.dtype", "exact", _snapshot_dtype, lambda o, saved: bool(o.names == saved), _set_names)
    classes = {type(numpy.dtype(code)) for code in numpy.typecodes["All"]}
    classes.update(cls for cls in vars(getattr(numpy, "dtypes", None) or numpy).values() if _is_dtype(cls, numpy))
    return {
        **dict.fromkeys(classes, dtypes),
        numpy.broadcast: Kind(
            "numpy.broadcast", "exact", lambda o, walk: o.index, lambda o, saved: bool(o.index == saved), _restore_place
        ),
        numpy.nditer: Kind("hash, csv reader, nditer, …", "named", _snapshot_iteration, lambda o, saved: False),
        type(numpy.empty(0).flags): Kind(
            "hash, csv reader, nditer, …", "named", lambda o, walk: None, lambda o, saved: False
        ),  # it does not tell what it has set
    }
