"""The streams on which a kernel's cells print: what is written is sent a moment later, by another thread."""

from __future__ import annotations

import sys
from typing import Any

from reflex_ipython.base.classes import inherits


class KernelStreams:
    """Those of ipykernel that are, or were, `sys.stdout` and `sys.stderr` as a cell begins.

    What a cell puts in their place is the user's: a `Tee` is neither asked nor flushed, but the kernel's own stream to
    which it writes. In a terminal there is none.
    """

    def __init__(self) -> None:
        self._class: Any = getattr(sys.modules.get("ipykernel.iostream"), "OutStream", None)
        self._known: dict[int, Any] = {}  # by identity: a stream of the user's may compare itself as it likes

    def send(self) -> None:
        """Have what was printed so far sent; waits for the other thread, where there is something."""
        for stream in self._known.values():
            if stream._flush_pending:
                self._class.flush(stream)

    def look(self) -> None:
        """Get to know those that are there now: a cell begins, which may put others in their place."""
        for stream in (sys.stdout, sys.stderr):
            if id(stream) not in self._known and self._class is not None and inherits(type(stream), self._class):
                self._known[id(stream)] = stream
