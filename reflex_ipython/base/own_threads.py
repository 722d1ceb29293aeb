"""Threads of ours, shielded from what belongs to the user's.

What a cell has set to trace or profile its threads, or to debug them, is not meant for ours.

Python collects garbage on whichever thread allocates, and calls the finalizers of what it finds there. A window of Tk
or Qt that ends on another thread than its own takes the process with it. So where such a library is loaded, the
collector finds nothing on our threads; it does a little later, on a thread of the user's. Not everywhere: what is due
then is a collection of everything, for which the next cell or the next click would wait (20 to 30 ms beside pandas).

A process that a cell forks waits for what they import just then: in the child the module would stay locked for ever.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from operator import methodcaller
from typing import Any

from reflex_ipython.base.importing import importing, imports_here
from reflex_ipython.base.named_timer import NamedTimer

_PATIENCE = 5.0
"""Seconds that a fork waits at most."""
_PAUSE = 0.002
_MOMENT = 0.1  # seconds, for the end of the fork


class _Collection(threading.local):
    """What is done when garbage is collected: on our threads alone there are `set_aside` and `put_back`.

    It is Python code nowhere, so that no thread gives way in between.
    """

    start = property(methodcaller("set_aside"))
    stop = property(methodcaller("put_back"))


_collection: Any = _Collection()
_BOUND_TO_A_THREAD = (
    *("_tkinter", "PyQt5.QtCore", "PyQt6.QtCore", "PySide2.QtCore", "PySide6.QtCore"),
    *("wx._core", "gi._gi"),
)
"""Modules of libraries whose objects end the process where they end on another thread than theirs."""
_told = partial(getattr, _collection)
"""As a callback of the collector, which says "start" or "stop", and what it does: that is the default."""
_at_work: set[int] = set()
_change = threading.Lock()
_interrupted = threading.Event()


@contextlib.contextmanager
def shielded() -> Iterator[None]:
    """On this thread of ours, let no function trace the block, and no window end by the collector.

    Objects that the user has frozen (`gc.freeze`) before that stay so, but then garbage is collected as ever.
    """
    sys.settrace(None)
    sys.setprofile(None)
    thread: Any = threading.current_thread()
    thread.pydev_do_not_trace = thread.is_pydev_daemon_thread = True  # as ipykernel says it of its own
    ident = thread.ident
    if ident in _at_work:  # in an outer block
        yield
        return
    sets_aside = not sys.modules.keys().isdisjoint(_BOUND_TO_A_THREAD) and not gc.get_freeze_count()
    if sets_aside:
        _collection.set_aside, _collection.put_back = gc.freeze, gc.unfreeze
    with _change:
        _at_work.add(ident)
        if sets_aside and _told not in gc.callbacks:
            gc.callbacks.append(_told)
    try:
        yield
    finally:
        with _change:
            _at_work.remove(ident)
            if not _at_work:
                with contextlib.suppress(ValueError):
                    gc.callbacks.remove(_told)
        vars(_collection).clear()


def _let_imports_end() -> None:
    """Before a fork: not amid one of our imports, unless it may be waiting for one of this thread's."""
    end = time.monotonic() + _PATIENCE
    try:
        while _at_work and importing(_at_work) and not imports_here() and time.monotonic() < end:
            time.sleep(_PAUSE)
    except KeyboardInterrupt:  # raised here it would be lost
        _interrupted.set()


def _hand_on() -> None:
    """After a fork: an interrupt that came before it is sent again, for when this is over."""
    if _interrupted.is_set():
        _interrupted.clear()
        main: Any = threading.main_thread()
        NamedTimer("reflex-interrupt", _MOMENT, lambda: signal.pthread_kill(main.ident, signal.SIGINT)).start()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_let_imports_end, after_in_parent=_hand_on, after_in_child=_interrupted.clear)


class OwnThread(threading.Thread):
    """One that Python does not wait for when it ends; else as `threading.Thread`."""

    def __init__(self, **named: Any) -> None:
        super().__init__(daemon=True, **named)

    def run(self) -> None:
        """As `threading.Thread.run`."""
        with shielded():
            super().run()
