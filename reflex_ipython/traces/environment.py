"""Which environment variables traced code asks for: `os.environ` tells of them while somebody listens.

Told is what code of the user's own asks, by whatever way; a library that looks for its own settings is not.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, Protocol

from reflex_ipython.base.library_files import is_library
from reflex_ipython.capture.bounds import clip
from reflex_ipython.traces.recorded import EnvironmentRead
from reflex_ipython.traces.recorder import CallRecorder

ALL = ""
"""In the place of a name: the whole environment was gone through."""
GOES_THROUGH = "goes through all environment variables"
TOO_LONG = "reads the environment variable {}, which is too long"
_VALUE = 2_000  # characters
_WAYS = ("os", "collections.abc", "_collections_abc", "posixpath", "ntpath", "pathlib", "getpass")
"""Modules by which one asks."""
_Class: Any = type(os.environ)
_plain_item, _plain_iteration = _Class.__getitem__, _Class.__iter__
_lock = threading.RLock()


class Listener(Protocol):
    """Who is told."""

    def asked(self, name: str, value: str | None) -> None:
        """A variable was asked for; None: it is not set."""


_listeners: list[Listener] = []


class EnvironmentLog:
    """The variables that the calls of one trace asked for, each once for a call.

    Parameters
    ----------
    recorder : CallRecorder
        Its bounds hold for them, and it knows which call is under way.
    """

    def __init__(self, recorder: CallRecorder) -> None:
        self._recorder = recorder
        self._reads: dict[tuple[int, str], EnvironmentRead] = {}

    @property
    def reads(self) -> tuple[EnvironmentRead, ...]:
        """All that are there."""
        return tuple(self._reads.values())

    def asked(self, name: str, value: str | None) -> None:
        """A variable was asked for."""
        opened = self._recorder.innermost
        if opened is None or (opened.id, ALL) in self._reads or len(self._reads) >= self._recorder.bounds.calls:
            return
        if name == ALL:
            found = EnvironmentRead(ALL, None, GOES_THROUGH, opened.id)
        elif value is not None and len(value) > _VALUE:
            found = EnvironmentRead(name, None, TOO_LONG.format(clip(name, 100)), opened.id)
        else:
            found = EnvironmentRead(name, value, "", opened.id)
        self._reads.setdefault((opened.id, name), found)


def listen(listener: Listener) -> Callable[[], None]:
    """Have one told of what is asked for from now on, on all threads.

    Returns
    -------
    callable
        Ends it. The last one puts back what was there.
    """
    with _lock:
        _listeners.append(listener)
        _Class.__getitem__, _Class.__iter__ = _item, _iteration

    def undo() -> None:
        with _lock:
            if listener in _listeners:
                _listeners.remove(listener)
            if not _listeners:
                _put_back()

    return undo


def silence() -> None:
    """End it for all, in a copy of the process."""
    with _lock:
        _listeners.clear()
        _put_back()


def asks_itself(frame: FrameType | None) -> bool:
    """Whether code of the user's own does something with the environment here, by itself or by Python's own ways."""
    while frame is not None and frame.f_globals.get("__name__") in _WAYS:
        frame = frame.f_back
    filename = "" if frame is None else frame.f_code.co_filename
    return not is_library(filename)


def _item(self: Any, key: Any) -> Any:
    try:
        value = _plain_item(self, key)
    except KeyError:
        _tell(self, key, None)
        raise
    _tell(self, key, value)
    return value


def _iteration(self: Any) -> Iterator[Any]:
    _tell(self, ALL, None)
    found: Iterator[Any] = _plain_iteration(self)
    return found


def _tell(environment: Any, name: Any, value: Any) -> None:
    """Whatever goes wrong here must not reach the user's code."""
    with contextlib.suppress(Exception):
        if environment is os.environ and type(name) is str and asks_itself(sys._getframe(2)):
            for listener in _listeners:
                listener.asked(name, value)


def _put_back() -> None:
    if _Class.__getitem__ is _item:  # else another's, who calls ours: it then tells nobody
        _Class.__getitem__ = _plain_item
    if _Class.__iter__ is _iteration:
        _Class.__iter__ = _plain_iteration
