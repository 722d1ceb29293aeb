"""Connections of SQLite whose maker may give them functions of the user's, which nobody can look up later.

Where the statement has the connection, its kind sees the words of the code. One that a function makes and fills before
it gives it away is met here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from reflex_ipython.state.audit import listen
from reflex_ipython.state.introspection import may_use
from reflex_ipython.state.kinds.held_by_live import CALLED_BY_SQLITE, calling
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.user_code import owned_namespace


def listen_for_connections() -> Callable[[], None]:
    """Know of each connection that is made from now on by code that may give it functions.

    Returns
    -------
    callable
        Call it to end that.
    """
    return listen(("sqlite3.connect/handle",), _made)


def _made(event: str, args: tuple[Any, ...]) -> None:
    key = identity(args[0])
    calling.discard(key)  # of one that has ended
    frame: FrameType | None = sys._getframe(2)  # behind this and the process's one hook
    while frame is not None:
        if owned_namespace(frame.f_globals) and may_use(frame.f_code, frame.f_globals, CALLED_BY_SQLITE):
            calling.add(key)
            return
        frame = frame.f_back
