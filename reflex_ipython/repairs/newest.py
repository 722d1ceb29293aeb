"""Of failures in quick succession only the newest is asked about by itself: the user is hardly at the others."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

TOGETHER = 1.0
"""Seconds within which two failures are one occasion."""
_KEPT = 100
NOT_ASKED = "Another cell failed right after this one, so the model is not asked here. Ask it if you want to."


class Newest:
    """Knows which repairs were overtaken.

    Parameters
    ----------
    clock : callable
        Gives seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._latest = ("", float("-inf"))
        self._overtaken: deque[str] = deque(maxlen=_KEPT)

    def failed(self, repair_id: str) -> str:
        """A new failure; gives the repair that it has overtaken, empty for none."""
        with self._lock:
            (before, began), now = self._latest, self._clock()
            self._latest = (repair_id, now)
            if not before or now - began >= TOGETHER:
                return ""
            self._overtaken.append(before)
            return before

    def overtook(self, repair_id: str) -> bool:
        """Whether another failure has overtaken this one."""
        return repair_id in self._overtaken
