"""Signals while this process is copied: the copy gets none, and Ctrl-C, here, waits until the copy is made.

Ctrl-C goes to the whole group of processes. Raised in the copy before it is one that tries fixes, it would have that go
on as a second kernel; raised here in what Python runs after a fork, it would be shown as an error there, and lost.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from types import FrameType

_FORGOTTEN = (signal.SIGINT, signal.SIGCHLD, signal.SIGALRM, signal.SIGUSR1, signal.SIGUSR2)


class _Thread(threading.local):
    """Of the thread that makes a copy, which is the only one in it."""

    blocked: AbstractSet[int] | None = None
    """The signals that were blocked when the copy was made; None: none was made."""


_here = _Thread()


@contextlib.contextmanager
def interrupt_waits() -> Iterator[None]:
    """Have Ctrl-C strike at the end of the block; the second one strikes at once, since whatever runs here may hang."""
    handler = signal.getsignal(signal.SIGINT)
    if handler in (signal.SIG_IGN, None) or threading.current_thread() is not threading.main_thread():
        yield
        return
    struck: list[int] = []

    def strike() -> None:
        signal.signal(signal.SIGINT, handler)
        signal.raise_signal(signal.SIGINT)

    def note(number: int, frame: FrameType | None) -> None:
        struck.append(number)
        if len(struck) > 1:
            strike()

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is note:
            signal.signal(signal.SIGINT, handler)
        if len(struck) == 1:
            strike()


@contextlib.contextmanager
def blocked() -> Iterator[None]:
    """Let no signal that a copy forgets reach this thread, nor a copy that is made here until it has forgotten them."""
    maker, before = os.getpid(), signal.pthread_sigmask(signal.SIG_BLOCK, _FORGOTTEN)
    _here.blocked = before
    try:
        yield
    finally:
        if os.getpid() == maker:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def forget() -> None:
    """In a copy: no handler of the parent's is to run here, and nothing is to wake up its event loop."""
    signal.set_wakeup_fd(-1)
    for number in _FORGOTTEN:
        signal.signal(number, signal.SIG_IGN if number == signal.SIGINT else signal.SIG_DFL)
    if _here.blocked is not None:
        signal.pthread_sigmask(signal.SIG_SETMASK, _here.blocked)
