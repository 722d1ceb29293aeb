"""The streams on which a kernel's cells print: what is written is sent a moment later, by another thread."""

from __future__ import annotations

import sys
from typing import Any

from reflex_ipython.base.classes import inherits
from reflex_ipython.ipython.interrupts import held


class KernelStreams:
    """Those of ipykernel that are, or were, `sys.stdout` and `sys.stderr` as a cell begins.

    What a cell puts in their place is the user's: a `Tee` is neither asked nor flushed, but the kernel's own stream to
    which it writes. In a terminal there is none.
    """

    def __init__(self) -> None:
        self._class: Any = getattr(sys.modules.get("ipykernel.iostream"), "OutStream", None)
        self._known: dict[int, Any] = {}  # by identity: a stream of the user's may compare itself as it likes
        self._empty: dict[int, Any] = {}
        """What each of them collected text in when all was sent: it takes another one whenever it begins to send."""

    def send(self) -> None:
        """Have what was printed so far sent; waits for the other thread, where there is something.

        No interrupt may strike meanwhile: before Python 3.13 a thread that is asked just then whether it is alive
        counts as dead from then on, and two threads send at the same time.
        """
        for known, stream in self._known.items():
            # By the time that it sends, nothing is pending any more, but what it sends has not left yet.
            if stream._flush_pending or stream._buffers or stream._buffers is not self._empty[known]:
                with held():
                    self._class.flush(stream)
                self._empty[known] = stream._buffers

    def look(self) -> None:
        """Get to know those that are there now: a cell begins, which may put others in their place."""
        for stream in (sys.stdout, sys.stderr):
            if id(stream) not in self._known and self._class is not None and inherits(type(stream), self._class):
                self._known[id(stream)] = stream
        self._empty = {known: stream._buffers for known, stream in self._known.items()}  # the cell before has sent all
