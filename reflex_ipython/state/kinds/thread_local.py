"""What a thread has of its own: `threading.local`."""

from __future__ import annotations

import _thread
from typing import Any

from reflex_ipython.state.kinds.kind import NOTHING, Kind, Walk

LOCAL: Any = _thread._local


def _note(o: Any, walk: Walk) -> Any:
    walk.follow((LOCAL.__getattribute__(o, "__dict__"),))  # that of this thread: a plain dict
    return NOTHING


KIND = Kind("threading.local: what this thread has in it", "exact", _note, instance=False)
"""Only for that very class: one that is derived from it may run code of the user's for a thread that is new to it."""
