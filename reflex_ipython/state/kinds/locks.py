"""Locks: one that a failed statement took is free again before anything ends that may wait for it."""

from __future__ import annotations

import _thread
import re
import sys
import threading
from collections.abc import Iterable
from types import FrameType
from typing import Any

from reflex_ipython.base.library_files import is_library
from reflex_ipython.state.kinds.kind import CannotRestore, Kind
from reflex_ipython.state.user_code import owned_namespace

_RLOCK = type(_thread.RLock())
_OWNER = re.compile(r"owner=(\d+) count=(\d+)")


def is_alone() -> bool:
    """Whether no other thread is in code of the user's, which may hold a lock."""
    here = threading.get_ident()
    return not any(in_users_code(frame) for ident, frame in sys._current_frames().items() if ident != here)


def in_users_code(frame: FrameType | None) -> bool:
    """Whether a frame, or one that it was called from, runs code of the user's."""
    while frame is not None:
        if not is_library(frame.f_code.co_filename) and owned_namespace(frame.f_globals):
            return True
        frame = frame.f_back
    return False


def _set(o: Any, saved: bool) -> None:
    if saved:
        o.acquire(False)
    else:
        raise CannotRestore("another thread may hold it")


def _owner(o: Any) -> tuple[int, int]:
    """The thread that holds it, and how often; zeros if none does."""
    found = _OWNER.search(_RLOCK.__repr__(o))
    return (int(found[1]), int(found[2])) if found is not None else (0, 0)


def _set_owner(o: Any, saved: tuple[int, int]) -> None:
    here = threading.get_ident()
    owner, count = _owner(o)
    if {owner, saved[0]} - {0, here}:
        raise CannotRestore("another thread holds it")
    for _ in range(count, saved[1]):
        _RLOCK.acquire(o, False)  # that of a class of the user's would run their code
    for _ in range(saved[1], count):
        _RLOCK.release(o)


LOCK = Kind(
    "lock",
    "partial",
    lambda o, walk: o.locked(),
    lambda o, saved: bool(o.locked() == saved),
    _set,
    limit="one that another thread may hold",
    instance=False,
)
REENTRANT = Kind(
    "reentrant lock",
    "partial",
    lambda o, walk: _owner(o),
    lambda o, saved: _owner(o) == saved,
    _set_owner,
    limit="one that another thread holds",
    instance=False,
)
KINDS: dict[type, Kind] = {_thread.LockType: LOCK, _RLOCK: REENTRANT}


def free(snapshots: Iterable[tuple[Kind, Any, Any]], *, alone: bool) -> None:
    """Free the locks that were free when these were taken.

    Parameters
    ----------
    snapshots : iterable of Snapshot
        Of anything.
    alone : bool
        Whether nobody but the code that is undone can have taken a lock that does not tell who holds it.
    """
    for kind, o, saved in snapshots:
        if kind is LOCK and alone and not saved and o.locked():
            o.release()
        elif kind is REENTRANT and saved == (0, 0) and _owner(o)[0] == threading.get_ident():
            _set_owner(o, saved)
