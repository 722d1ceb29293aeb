"""numba: functions that are compiled when they are called, and the random numbers that compiled code draws.

What a call adds to such a function is code for other types of arguments: nobody sees it but in the time that it takes.
"""

from __future__ import annotations

import sys
from typing import Any

from reflex_ipython.state.kinds.functions import PASSES_ON
from reflex_ipython.state.kinds.kind import NOTHING, Kind, ObjectWalk
from reflex_ipython.state.kinds.random_state import SHARED

LIBRARIES = ("numba._dispatcher",)


class _Draws:
    """Stands for the state, so that it is noted once, however many functions there are."""


_DRAWS = _Draws()


def _state(o: Any) -> Any:
    helpers = sys.modules["numba._helperlib"]
    return [helpers.rnd_get_state(pointer) for pointer in _pointers(helpers)]


def _pointers(helpers: Any) -> tuple[int, ...]:
    """Where this thread has that of `numpy.random` and that of `random`, which numba keeps apart."""
    return helpers.rnd_get_np_state_ptr(), helpers.rnd_get_py_state_ptr()


def _set_state(o: Any, saved: Any) -> None:
    helpers = sys.modules["numba._helperlib"]
    for pointer, state in zip(_pointers(helpers), saved):
        helpers.rnd_set_state(pointer, state)


def _snapshot(o: Any, walk: ObjectWalk) -> Any:
    walk.follow((o.py_func, _DRAWS))  # it runs as it was written where it is compiled for objects
    return NOTHING


def kinds() -> dict[type, Kind]:
    """The kinds of numba, where it is loaded."""
    dispatcher = sys.modules.get("numba._dispatcher")
    if dispatcher is None:
        return {}
    draws = Kind(SHARED, "exact", lambda o, walk: _state(o), lambda o, saved: bool(_state(o) == saved), _set_state)
    return {dispatcher.Dispatcher: Kind(PASSES_ON.name, "exact", _snapshot, instance=False), _Draws: draws}
