"""A bound on how long a block may work, on the main thread: that it waits for its turn on a busy machine is no work."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from reflex_ipython.capture.bounds import WAITS


class TooLong(BaseException):
    """It takes much longer than it did."""


@contextmanager
def within(seconds: float, most: float) -> Iterator[None]:
    """Raises in the block when time is up. On the main thread, where the process has no other use for the two alarms.

    Parameters
    ----------
    seconds : float
        Of the processor's time. The clock on the wall has `WAITS` times as much: for what waits.
    most : float
        On that clock in any case.
    """

    is_up = False

    def stop(*_: Any) -> None:
        nonlocal is_up
        if not is_up:  # both alarms may be due
            is_up = True
            raise TooLong

    wall = max(0.001, min(WAITS * seconds, most))
    alarms = {signal.SIGPROF: (signal.ITIMER_PROF, seconds), signal.SIGALRM: (signal.ITIMER_REAL, wall)}
    before = {number: signal.signal(number, stop) for number in alarms}
    for timer, left in alarms.values():
        signal.setitimer(timer, left)
    try:
        yield
    finally:
        for timer, _ in alarms.values():
            signal.setitimer(timer, 0)
        for number, handler in before.items():
            signal.signal(number, handler)
