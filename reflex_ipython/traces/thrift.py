"""How much of the time recording calls may take: a small share, and a few milliseconds in advance."""

from __future__ import annotations

import math
from collections import Counter

SHARE = 0.05
"""Of the time that passes."""
ADVANCE = 0.005
"""Seconds that may be taken at once, after a tenth of a second of rest."""


class Thrift:
    """Which functions are called so often that not each of their calls is recorded, and when there is time for one.

    Parameters
    ----------
    always : int
        So many calls of each function in a block are recorded whatever they take.
    """

    def __init__(self, always: int) -> None:
        self._always = always
        self._counts: Counter[int] = Counter()
        self.frequent: set[int] = set()
        """Of these a hook tells only when `until` is over, by the ids of their codes."""
        self.until = -math.inf
        """As `time.perf_counter` has it."""

    def begin(self) -> None:
        """A block begins."""
        self._counts.clear()
        self.frequent.clear()

    def began(self, code: int) -> None:
        """A call is recorded; the id of its code."""
        self._counts[code] += 1
        if self._counts[code] >= self._always:
            self.frequent.add(code)

    def spent(self, start: float, end: float) -> None:
        """Recording took from then to then."""
        self.until = max(self.until, end - ADVANCE / SHARE) + (end - start) / SHARE
