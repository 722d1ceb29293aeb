"""Objects of C that never change but call functions of the user's: JSON's scanners and encoders, pydantic's schemas.

What they call is what the collector sees them refer to.
"""

from __future__ import annotations

import sys
from typing import Any

from reflex_ipython.state.kinds.kind import NOTHING, Kind, ObjectWalk
from reflex_ipython.state.kinds.moving import CALLS
from reflex_ipython.state.kinds.opaque import referents

_TYPES = {
    "_json": ("make_scanner", "make_encoder"),
    "pydantic_core._pydantic_core": ("SchemaValidator", "SchemaSerializer"),
}

LIBRARIES = tuple(_TYPES)


def _snapshot(o: Any, walk: ObjectWalk) -> Any:
    walk.follow(referents(o))
    return NOTHING


_CALLER = Kind(CALLS.name, "exact", _snapshot)


def kinds() -> dict[type, Kind]:
    """Those of the modules that are loaded."""
    loaded = [(sys.modules.get(module), names) for module, names in _TYPES.items()]
    return {getattr(module, name): _CALLER for module, names in loaded for name in names if hasattr(module, name)}
