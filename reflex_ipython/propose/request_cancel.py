"""Hanging up a request that waits: another thread shuts the socket, and the read that waits on it ends at once.

Closing the client from another thread does not do it: a read that waits in the kernel goes on waiting.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

from reflex_ipython.base.own_threads import OwnThread

POLL = 0.05
"""Seconds between two looks at the event: what a cancel may take."""


class RequestLine:
    """The sockets of one request. `trace` is told of them by httpx, through its request extension of that name.

    They are duplicates: the end of a connection is the same, and is reached even while TLS is being negotiated, when
    the socket itself is in nobody's hands.
    """

    def __init__(self) -> None:
        self.overdue = False
        """Whether it was hung up because it took too long."""
        self.connected = False
        """Whether there was a connection at all."""
        self._sockets: list[socket.socket] = []
        self._shut = False
        self._lock = threading.Lock()

    @property
    def is_hung_up(self) -> bool:
        """Whether nothing is to be waited for any more."""
        return self._shut

    def watch(self, request: Any) -> None:
        """Follow a request, as the httpx event hook "request"."""
        request.extensions["trace"] = self.trace

    def trace(self, event: str, details: dict[str, Any]) -> None:
        """Note the socket when a connection is made."""
        if event.endswith("connect_tcp.complete"):
            self.add(details["return_value"].get_extra_info("socket"))

    def add(self, connection: socket.socket) -> None:
        """Note a connection."""
        with self._lock:
            if self._shut:  # nobody waits for it any more, and nobody would close the duplicate
                _shut(connection)
                return
            self.connected = True
            self._sockets.append(connection.dup())

    def hang_up(self) -> None:
        """End what waits on these sockets, now or later."""
        with self._lock:
            self._shut = True
            for connection in self._sockets:
                _shut(connection)

    def close(self) -> None:
        """Let go of the duplicates."""
        with self._lock:
            self._shut = True
            while self._sockets:
                self._sockets.pop().close()


def _shut(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):  # it has ended already
        connection.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def hanging_up_when(cancelled: threading.Event, seconds: float) -> Iterator[RequestLine]:
    """A line that is hung up as soon as `cancelled` is set, or after so many seconds. No thread is left behind."""
    line, done = RequestLine(), threading.Event()
    end = time.monotonic() + seconds

    def wait() -> None:
        while not done.wait(POLL):
            line.overdue = time.monotonic() >= end
            if cancelled.is_set() or line.overdue:
                line.hang_up()
                return

    thread = OwnThread(target=wait, name="reflex-hang-up")
    thread.start()
    try:
        yield line
    finally:
        done.set()
        thread.join()
        line.close()
