"""What a thread or a context has of its own: `threading.local`, `contextvars.ContextVar`."""

from __future__ import annotations

import _thread
import contextvars
from typing import Any

from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.kind import NOTHING, CannotRestore, Kind, Walk

LOCAL: Any = _thread._local


def _note_local(o: Any, walk: Walk) -> Any:
    walk.follow((LOCAL.__getattribute__(o, "__dict__"),))  # that of this thread: a plain dict
    return NOTHING


def _value(o: Any) -> Any:
    return contextvars.ContextVar.get(o, MISSING)


def _note_variable(o: Any, walk: Walk) -> Any:
    saved = _value(o)
    if saved is not MISSING:
        walk.follow((saved,))
    return saved


def _restore_variable(o: Any, saved: Any) -> None:
    if saved is MISSING:
        raise CannotRestore("it had no value")
    contextvars.ContextVar.set(o, saved)


LOCAL_KIND = Kind("threading.local: what this thread has in it", "exact", _note_local, instance=False)
"""Only for that very class: one that is derived from it may run code of the user's for a thread that is new to it."""

KINDS: dict[type, Kind] = {
    contextvars.ContextVar: Kind(
        "contextvars.ContextVar",
        "partial",
        _note_variable,
        lambda o, saved: _value(o) is saved,
        _restore_variable,
        hopeless=lambda o, saved: saved is MISSING,
        limit="one that had no value keeps the new one",
    ),
}
