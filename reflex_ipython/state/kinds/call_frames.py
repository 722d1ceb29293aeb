"""Frames of calls, and tracebacks, which lead to them: the variables of the user's functions are in there.

They are looked at where the code asks for them: nobody else gets at what they hold.
"""

from __future__ import annotations

import gc
import types
from typing import Any

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.state.kinds.kind import NOTHING, CannotRestore, Kind, ObjectWalk
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.user_code import owned_namespace

ASKING = frozenset({"f_locals", "getargvalues"})
"""Attributes by which code gets at the variables of a frame."""


def _parts(o: Any) -> list[Any]:
    """What the collector sees a frame hold, but for what its function reads, and a copy of its variables as a dict."""
    known = (o.f_globals, o.f_builtins)
    return [part for part in gc.get_referents(o) if not any(part is other for other in known)]


def _snapshot_frame(o: Any, walk: ObjectWalk) -> Any:
    parts = _parts(o)
    if not owned_namespace(o.f_globals):  # who called the library may be the user's again
        walk.follow([part for part in parts if type(part) is types.FrameType])
        return NOTHING
    if not ASKING.isdisjoint(walk.attributes):
        walk.follow([part for part in parts if not _is_called(part, o)])
    return _variables(parts)


def _is_called(part: Any, frame: Any) -> bool:
    """Whether it is the function that runs there, which nobody gets at by the frame."""
    return type(part) is types.FunctionType and part.__code__ is frame.f_code


def _variables(parts: list[Any]) -> set[int]:
    return {identity(part) for part in parts if not is_exactly(part, (dict, types.FrameType))}


def _same_frame(o: Any, saved: set[int]) -> bool:
    return saved <= _variables(_parts(o))


def _restore_frame(o: Any, saved: set[int]) -> None:
    raise CannotRestore("its variables are others now")


def _snapshot_traceback(o: Any, walk: ObjectWalk) -> Any:
    walk.follow((o.tb_frame, o.tb_next))
    return o.tb_next


def _restore_traceback(o: Any, saved: Any) -> None:
    o.tb_next = saved


KINDS: dict[type, Kind] = {
    types.FrameType: Kind(
        "frame of a call",
        "partial",
        _snapshot_frame,
        _same_frame,
        _restore_frame,
        unrestorable=lambda o, saved: not _same_frame(o, saved),
        limit="what its variables refer to is put back; one that is cleared stays so",
    ),
    types.TracebackType: Kind(
        "traceback", "exact", _snapshot_traceback, lambda o, saved: o.tb_next is saved, _restore_traceback
    ),
}
