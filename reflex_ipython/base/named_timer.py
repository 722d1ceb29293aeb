"""A call some time from now, on a thread that has its name from the beginning.

`threading.Timer` can't be given one: it takes the next of Python's numbers first. The threads that the user's code
starts after it would have other names than without us, `Thread-8` for `Thread-7`, in their tracebacks and logs.
"""

from __future__ import annotations

import threading
from collections.abc import Callable


class NamedTimer(threading.Thread):
    """One call, unless it is cancelled before. It keeps no process alive.

    Parameters
    ----------
    name : str
        Of the thread.
    seconds : float
        From its start to the call.
    call : callable
    """

    def __init__(self, name: str, seconds: float, call: Callable[[], None]) -> None:
        super().__init__(name=name, daemon=True)
        self._seconds = seconds
        self._call = call
        self._is_cancelled = threading.Event()

    def cancel(self) -> None:
        """Have it call nothing any more, if it has not begun to."""
        self._is_cancelled.set()

    def run(self) -> None:
        """As `threading.Thread.run`."""
        if not self._is_cancelled.wait(self._seconds):
            self._call()
