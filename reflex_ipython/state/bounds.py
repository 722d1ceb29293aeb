"""How much the journal may look at and hold for one cell; over a bound a name is left out, and said so."""

from __future__ import annotations

import dataclasses
import time
from collections import Counter

from reflex_ipython.base.process_memory import leaves_room


@dataclasses.dataclass(frozen=True)
class Bounds:
    """The bounds of one cell.

    Parameters
    ----------
    nodes : int
        Objects looked at; an object that several statements reach counts once.
    bytes : int
        Bytes held in copies of arrays and containers.
    milliseconds : float
        The processor time of looking, over all statements. Copying the data of arrays is not in it: `bytes` bounds
        that.
    """

    nodes: int = 10_000
    bytes: int = 256_000_000
    milliseconds: float = 50.0


_PER_SECOND = 3e9
"""Bytes that are copied in a second, about."""


NO_CREDIT = "saving it would have taken too long for such quick cells"
"""Why something is not noted that took more than the share of the cells' time that there is for it."""


LIMITED = "this process's memory limit leaves no room for a copy"
"""Why something is not noted that the user's own code may need the room of."""
_LARGE = 1_000_000
"""Bytes of a copy from which such a limit is asked for."""


class OverBound(Exception):
    """A name can't be covered within the bounds. Its text says which one, in words that fit in brackets."""


class Budget:
    """What is left of the bounds in this cell."""

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self.counted: set[int] = set()
        self.held = 0
        self.large: Counter[str] = Counter()
        """Bytes of what is held for names that take much."""
        self._spent = 0.0
        self._start = 0.0
        self._most = float("inf")
        self.copying = 0.0

    @property
    def nodes_left(self) -> int:
        """How many more objects may be looked at."""
        return self.bounds.nodes - len(self.counted)

    def start(self, most: float = float("inf")) -> None:
        """The clock runs from here. `most`: the seconds that noting this statement may take, copying included."""
        self._most = most
        self._start = time.thread_time()  # not the clock on the wall: a busy machine must not change what is covered

    def stop(self) -> None:
        """The clock stands still until the next `start`."""
        self._spent += time.thread_time() - self._start

    def check(self, more: float = 0.0) -> None:
        """Raise `OverBound` if too many objects were counted, or if it took too long, with so many seconds more."""
        if len(self.counted) > self.bounds.nodes:
            raise OverBound(f"more than {self.bounds.nodes:,} objects")
        if (self._looking() + more) * 1e3 > self.bounds.milliseconds:
            raise OverBound(f"more than {self.bounds.milliseconds:g} ms")
        if time.thread_time() - self._start + more > self._most:
            raise OverBound(NO_CREDIT)

    def hold(self, size: int) -> None:
        """Take `size` bytes more into a copy, or raise `OverBound`."""
        if self.held + size > self.bounds.bytes:
            raise OverBound(f"more than {self.bounds.bytes / 1e6:,.0f} MB")
        if size > _LARGE and not leaves_room(size):
            raise OverBound(LIMITED)
        self.go_over(size)
        self.held += size

    def takes(self, size: int) -> bool:
        """Whether `size` bytes more may be held; then they are counted."""
        if self.held + size > self.bounds.bytes or (size > _LARGE and not leaves_room(size)):
            return False
        self.held += size
        return True

    def is_for(self, name: str, size: int) -> None:
        """So many of the bytes are held for what a name is bound to."""
        if size > _LARGE:
            self.large[name] += size

    def go_over(self, size: int) -> None:
        """Copy or compare `size` bytes of data, or raise `OverBound` if there is no time for it."""
        seconds = size / _PER_SECOND
        if seconds > self._most:
            raise OverBound(NO_CREDIT)
        self._most -= seconds

    def copied(self, seconds: float) -> None:
        """So much of the time went into copying the data of arrays, which does not count."""
        self.copying += seconds

    def _looking(self) -> float:
        return self._spent + time.thread_time() - self._start - self.copying
