"""Hanging up a request that waits: another thread shuts the socket, and the read that waits on it ends at once.

Closing the client from another thread does not do it: a read that waits in the kernel goes on waiting.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from typing import Any

POLL = 0.05
"""Seconds between two looks at the event: what a cancel may take."""


class Line:
    """The sockets of one request. `trace` is told of them by httpx, through its request extension of that name."""

    def __init__(self) -> None:
        self._sockets: list[socket.socket] = []
        self._shut = False
        self._lock = threading.Lock()

    def watch(self, request: Any) -> None:
        """Follow a request, as the httpx event hook "request"."""
        request.extensions["trace"] = self.trace

    def trace(self, event: str, details: dict[str, Any]) -> None:
        """Note the socket when a connection is made, and again when it goes over to TLS."""
        if not event.endswith(("connect_tcp.complete", "start_tls.complete")):
            return
        connection = details["return_value"].get_extra_info("socket")
        with self._lock:
            self._sockets.append(connection)
            if self._shut:
                _shut(connection)

    def hang_up(self) -> None:
        """End what waits on these sockets, now or later."""
        with self._lock:
            self._shut = True
            for connection in self._sockets:
                _shut(connection)


def _shut(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):  # it has ended already, or went over to TLS and is another object by now
        # The plain method: that of an SSL socket would take away the TLS state that another thread is reading with.
        socket.socket.shutdown(connection, socket.SHUT_RDWR)


@contextlib.contextmanager
def hanging_up_when(cancelled: threading.Event) -> Iterator[Line]:
    """A line that is hung up as soon as `cancelled` is set. No thread is left behind."""
    line, done = Line(), threading.Event()

    def wait() -> None:
        while not done.wait(POLL):
            if cancelled.is_set():
                line.hang_up()
                return

    thread = threading.Thread(target=wait, name="reflex-hang-up", daemon=True)
    thread.start()
    try:
        yield line
    finally:
        done.set()
        thread.join()
