"""Registries of `catalogue`, which spaCy and others make: what is registered is in one dict that its module has."""

from __future__ import annotations

import sys
from typing import Any

from reflex_ipython.state.kinds.kind import NOTHING, Kind, ObjectWalk
from reflex_ipython.state.kinds.registries import NAME, registry

LIBRARIES = ("catalogue",)
_ALL = registry(("REGISTRY",), deep=True)


def kinds() -> dict[type, Kind]:
    """The kind of registries, where the module is loaded."""
    registries = getattr(sys.modules.get("catalogue"), "Registry", None)
    return {} if registries is None else {registries: Kind(NAME, "exact", _snapshot)}


def _snapshot(o: Any, walk: ObjectWalk) -> Any:
    walk.snapshot(_ALL, sys.modules["catalogue"])
    return NOTHING
