"""What a cell does to the world outside its namespace, seen by an audit hook.

What C libraries do by themselves (HDF5, a database's own client) is not
seen; the objects that stand for such things are named by the journal, and calls that are known to write without an
event are found in the code (`unseen`).
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

from reflex_ipython.state.audit import listen
from reflex_ipython.state.audit_events import EVENTS, UNPICKLING, imports_library
from reflex_ipython.state.connections import listen_for_connections
from reflex_ipython.state.effect import STARTED_THREAD, OutsideEffect
from reflex_ipython.state.kinds.interpreter_hooks import listen_for_hooks
from reflex_ipython.state.workers import works_for_cell

__all__ = ["STARTED_THREAD", "EffectWatch", "Folders", "OutsideEffect", "Sink", "unlisten", "watch"]


Sink = Callable[[OutsideEffect], None]
Folders = Callable[[], tuple[str, ...]]

_MOST = 200
"""Effects told of in one statement; a loop that writes 10,000 files is told of well enough by then."""


class EffectWatch:
    """Who is watching, and on which threads, from `begin` on; call it to stop.

    Parameters
    ----------
    own_folders : callable
        Gives folders; files below these are the shell's own business: its history, its directory stack.
    begun : callable
        Tells how many statements have begun: each is told of all its own effects, though an earlier one did the same.
    """

    def __init__(self, own_folders: Folders, begun: Callable[[], int]) -> None:
        self._sink: Sink = _nobody
        self._own_folders = own_folders
        self._begun = begun
        self._told: set[OutsideEffect] = set()
        self._unpickled: set[tuple[Any, ...]] = set()
        self._made: set[str] = set()

    def begin(self, sink: Sink) -> None:
        """Tell `sink` of each effect of this thread, and of those that work for it; nothing was told of before."""
        global _watch
        self._sink = sink
        self._statement = self._begun()
        self._thread = threading.get_ident()
        self._before = frozenset(threading._active)  # type: ignore[attr-defined]  # `enumerate` takes a lock
        if self._unpickled:
            self._unpickled = set()
        if self._told:
            self._told = set()
        if self._made:
            self._made = set()
        self._removed: tuple[str, ...] = ()
        if not _listening:
            others = EVENTS.keys() - {UNPICKLING}
            _listening.extend([listen(others, _happened), listen({UNPICKLING}, _unpickled)])
            _listening.extend([listen_for_hooks(), listen_for_connections()])
        _watch = self

    def __call__(self) -> None:
        """Stop."""
        global _watch
        if _watch is self:
            _watch = None
        self._sink = _nobody  # it may be of who holds this: both are to end at once

    def event(self, name: str, args: tuple[Any, ...]) -> None:
        """An audit event, of any thread."""
        if self._begun() != self._statement:
            self._next()
        if len(self._told) >= _MOST or not self._is_ours(name):
            return
        try:
            effect = self._effect(name, args)
        except Exception:  # noqa: BLE001 - an error in here would break the user's call
            effect = OutsideEffect("other", name)
        if effect is not None and effect not in self._told:
            self._told.add(effect)
            self._sink(effect)

    def unpickled(self, name: str, args: tuple[Any, ...]) -> None:
        """The same where data names a class: thousands of objects may be of one, so each is looked at once."""
        module, path = args
        if type(module) is not str or type(path) is not str:  # an `Unpickler` of the user's may ask for anything
            return
        if self._begun() != self._statement:
            self._next()
        if args not in self._unpickled and self._is_ours(name):
            self._unpickled.add(args)
            self.event(name, args)

    def _next(self) -> None:
        """Another statement runs than when something was told of last."""
        self._statement = self._begun()
        if self._unpickled:
            self._unpickled = set()
        if self._told:
            self._told = set()
            self._made = {path for path in self._made if path.startswith(_temporary())} if self._made else self._made

    def _is_ours(self, name: str) -> bool:
        thread = threading.get_ident()
        return thread == self._thread or works_for_cell(thread, name, self._thread, known=thread in self._before)

    def _effect(self, name: str, args: tuple[Any, ...]) -> OutsideEffect | None:
        effect = EVENTS[name](args)
        if effect is None or effect in self._told or self._own(args) or (effect.kind != "import" and imports_library()):
            return None
        if effect.made:
            self._made.add(effect.made)
        return None if effect.removed and self._removes_own(name, effect.removed) else effect

    def _removes_own(self, name: str, path: str) -> bool:
        """Whether it was made here as well, by this statement or among temporary files; or is told of with its folder.

        What an earlier statement has made anywhere else is named: resumed behind that one, it would not be there.
        """
        inside = path.startswith(self._removed)
        if name == "shutil.rmtree":
            self._removed += (os.path.join(path, ""),)
        return inside or path in self._made

    def _own(self, args: tuple[Any, ...]) -> bool:
        """Whether it is about a file in one of those folders. Some events, `os.forkpty`, come without arguments."""
        return bool(args) and type(args[0]) is str and args[0].startswith(self._own_folders())


@contextlib.contextmanager
def unwatched() -> Iterator[None]:
    """What is done in here is ours, and no effect of the user's code."""
    global _watch
    before, _watch = _watch, None
    try:
        yield
    finally:
        _watch = before


def _nobody(effect: OutsideEffect) -> None:
    """Who is told while nobody watches."""


def _temporary() -> str:
    """The folder of temporary files, if anybody has asked for one; a text that no path begins with, if not."""
    found = getattr(sys.modules.get("tempfile"), "tempdir", None)
    return os.path.join(found, "") if type(found) is str else "\0"


_watch: EffectWatch | None = None
_listening: list[Callable[[], None]] = []
"""Ends the listening, which goes on from cell to cell: to begin and to end it takes longer than a short cell."""


def watch(sink: Sink, own_folders: Folders = tuple, begun: Callable[[], int] = int) -> EffectWatch:
    """Tell `sink` of each effect of this thread, and of those that work for it, from now on.

    Parameters
    ----------
    sink : callable
    own_folders : callable
        Gives folders; files below these are the shell's own business: its history, its directory stack.
    begun : callable
        Tells how many statements have begun.

    Returns
    -------
    EffectWatch
        Call it to stop.
    """
    watching = EffectWatch(own_folders, begun)
    watching.begin(sink)
    return watching


def unlisten() -> None:
    """Listen no more, until somebody watches again."""
    while _listening:
        _listening.pop()()


def _happened(event: str, args: tuple[Any, ...]) -> None:
    watching = _watch
    if watching is not None:
        watching.event(event, args)


def _unpickled(event: str, args: tuple[Any, ...]) -> None:
    watching = _watch
    if watching is not None:
        watching.unpickled(event, args)
