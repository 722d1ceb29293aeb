"""unittest.mock: who can start or stop a patch changes the list of the started ones, and what they have replaced."""

from __future__ import annotations

import sys
from typing import Any

from reflex_ipython.state.kinds.kind import NOTHING, CannotRestore, Kind, ObjectWalk
from reflex_ipython.state.kinds.registries import NAME

LIBRARIES = ("unittest.mock",)


def _patches(o: Any) -> list[Any]:
    return list(o._patch._active_patches)


def _stop_patches(o: Any, saved: list[Any]) -> None:
    active = _patches(o)
    for patch in reversed(active):
        if not any(patch is other for other in saved):
            patch.stop()
    if len(_patches(o)) != len(saved):
        raise CannotRestore("a patch was stopped")


def _same_patches(o: Any, saved: list[Any]) -> bool:
    now = _patches(o)
    return len(now) == len(saved) and all(some is other for some, other in zip(now, saved))


STARTED = Kind(NAME, "exact", lambda o, walk: _patches(o), _same_patches, _stop_patches)
"""Of the module."""


def kinds() -> dict[type, Kind]:
    """The kinds of patches, where the module is loaded."""
    mock = sys.modules.get("unittest.mock")
    return {} if mock is None else dict.fromkeys((mock._patch, mock._patch_dict), _PATCH)


def _snapshot(o: Any, walk: ObjectWalk) -> Any:
    walk.library_class(type(o))  # noted last, the module is put back first: a patch is stopped while it knows how
    return NOTHING


_PATCH = Kind(NAME, "exact", _snapshot)
