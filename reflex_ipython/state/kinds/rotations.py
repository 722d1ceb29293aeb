"""scipy: before 1.17, rotations are an object of C with one array, which an item can be assigned to."""

from __future__ import annotations

import sys
from typing import Any

from reflex_ipython.state.kinds.kind import Kind, ObjectWalk, no_objects
from reflex_ipython.state.kinds.layout import is_static

LIBRARIES = ("scipy.spatial.transform._rotation",)


def kinds() -> dict[type, Kind]:
    """The kind of rotations, where they are loaded and of C."""
    module = sys.modules.get("scipy.spatial.transform._rotation")
    if module is None or not is_static(module.Rotation):
        return {}
    return {module.Rotation: Kind("scipy rotation", "exact", _snapshot, _same, _restore, holds=no_objects)}


def _quaternions(o: Any) -> Any:
    return o.__getstate__()[0]  # a window on its own memory, no copy


def _snapshot(o: Any, walk: ObjectWalk) -> Any:
    quaternions = _quaternions(o)
    walk.hold(quaternions.nbytes)
    return walk.copying(quaternions.copy)


def _same(o: Any, saved: Any) -> bool:
    return bool(_quaternions(o).tobytes() == saved.tobytes())


def _restore(o: Any, saved: Any) -> None:
    _quaternions(o)[...] = saved
