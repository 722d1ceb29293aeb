"""How much time noting may take: a small share of what the cells themselves take, and a few milliseconds in advance.

Most cells succeed, and what is noted for them is never needed. So noting is paid for by the time that statements take:
a notebook of quick cells pays for little, a training run for all that it wants. What there is no credit for is named,
not noted.
"""

from __future__ import annotations

import time
from collections.abc import Callable

SHARE = 0.03
"""Of the time that statements take. What watching costs besides makes 5 % of it, for short statements."""
ADVANCE = 0.005
"""Seconds that are given without having been earned: at the beginning, and when nothing ran for a while. Nobody who
runs one cell after the other by hand notices them; a notebook that runs from top to bottom has them once.
"""
_WHILE = 1.0
"""Seconds."""
MOST = 0.25
"""Seconds that can be saved up: no statement waits longer than that for its checkpoint."""
_MELTS = 0.25
"""Of what is saved up beyond the advance, with each cell that follows another at once. What the imports at the top have
earned must not make a hundred light cells behind them slow; it is there for whoever runs the next one by hand.
"""


class Credit:
    """What is left to spend, for all cells of a kernel.

    Parameters
    ----------
    share : float
        Of the statements' time, what is earned; 0.03 is 3 %. May be set.
    clock : callable
        Seconds, for what statements take and for a rest between cells.
    work : callable
        Seconds of this thread's processor, for what noting takes: what others do on a busy machine must not change
        what is covered.
    """

    def __init__(
        self,
        share: float = SHARE,
        clock: Callable[[], float] = time.perf_counter,
        work: Callable[[], float] = time.thread_time,
    ):
        self.share = share
        self.clock = clock
        self.work = work
        self.left = ADVANCE
        self._last = clock()

    def advance(self) -> None:
        """Give without its having been earned."""
        self.left = max(self.left, ADVANCE)

    def begin(self) -> None:
        """A cell begins."""
        if self.clock() - self._last > _WHILE:
            self.advance()
        elif self.left > ADVANCE:
            self.left -= (self.left - ADVANCE) * _MELTS

    def earn(self, seconds: float) -> None:
        """A statement took so long."""
        left = self.left + seconds * self.share
        self.left = left if left < MOST else MOST

    def end(self) -> None:
        """A cell has ended."""
        self._last = self.clock()

    def spend(self, seconds: float) -> None:
        """Noting took so much of the processor's time. What was spent too much is made up for by what comes."""
        self.left -= seconds


class Unlimited(Credit):
    """As much as the bounds of a cell allow."""

    def __init__(self) -> None:
        super().__init__()
        self.left = float("inf")

    def begin(self) -> None:
        """There is enough."""

    def earn(self, seconds: float) -> None:
        """There is enough."""

    def spend(self, seconds: float) -> None:
        """There is enough."""
