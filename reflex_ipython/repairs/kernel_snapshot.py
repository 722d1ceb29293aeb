"""The copy of the kernel in which the fixes of one repair are tried."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable


@dataclasses.dataclass(eq=False)
class KernelSnapshot:
    """Whether it is there, and who waits for it.

    Parameters
    ----------
    original : float
        Seconds that the failed run took.
    wanted : bool
        Whether the repair is still open.
    made : Event
        Set once it is there, or once it is known that there is none.
    then : callable
        What was put off until then.
    """

    original: float
    wanted: bool = True
    made: threading.Event = dataclasses.field(default_factory=threading.Event)
    then: Callable[[], object] = lambda: None

    def settle(self) -> None:
        """It is there, or there will be none."""
        if not self.made.is_set():
            self.made.set()
            self.then()

    def abandon(self) -> None:
        """Nobody wants it any more, and what was put off until then is not done."""
        self.wanted = False
        self.made.set()


def no_snapshot() -> KernelSnapshot:
    """That of a repair of an earlier session: there is none, and nobody waits for it."""
    none = KernelSnapshot(0.0)
    none.abandon()
    return none
