"""Imports that are under way: who forks amid one has a child in which that module stays locked for ever."""

from __future__ import annotations

import sys
from collections.abc import Container
from threading import get_ident
from types import FrameType


def importing(among: Container[int] | None = None) -> bool:
    """Whether another thread imports a module just now.

    Parameters
    ----------
    among : container of int, optional
        The threads that count, by their identifiers. None: all others.
    """
    others = ((ident, frame) for ident, frame in sys._current_frames().items() if ident != get_ident())
    return any(_imports(frame) for ident, frame in others if among is None or ident in among)


def imports_here() -> bool:
    """Whether this thread is in an import."""
    return _imports(sys._getframe())


def _imports(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False
