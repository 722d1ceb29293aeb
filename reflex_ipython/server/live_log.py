"""What happens to all requests, for whoever follows it now."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from reflex_ipython.server.jobs import Busy

ROOM = 1_000
"""Messages that wait for a slow follower; what comes beyond is lost to it, and it is told so."""


class LogSubscriber:
    """One who follows."""

    def __init__(self) -> None:
        self.gone = False
        """Whether it follows no more."""
        self._messages: asyncio.Queue[str] = asyncio.Queue(ROOM)
        self._lost = 0

    def take(self, message: str) -> None:
        """Keep a message for it."""
        if self._messages.full():
            self._lost += 1
            return
        if self._lost and self._messages.qsize() < ROOM - 1:
            self._messages.put_nowait(sse("lost", {"messages": self._lost}))
            self._lost = 0
        self._messages.put_nowait(message)

    def leave(self) -> None:
        """Follow no more: what waits for the next message ends at once, and makes room for another."""
        self.gone = True
        with contextlib.suppress(asyncio.QueueFull):  # then nothing waits
            self._messages.put_nowait("")

    async def next(self, seconds: float) -> str:
        """The next message; after so many seconds without one, a comment that keeps the connection."""
        try:
            return await asyncio.wait_for(self._messages.get(), seconds)
        except asyncio.TimeoutError:
            return ": still here\n\n"


class LiveLog:
    """All who follow. To be used on the event loop's thread.

    Parameters
    ----------
    most : int
        So many at once.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._followers: set[LogSubscriber] = set()

    @contextlib.contextmanager
    def followed(self) -> Iterator[LogSubscriber]:
        """Follow until the end of the block.

        Raises
        ------
        Busy
            If too many do.
        """
        if len(self._followers) >= self._most:
            raise Busy
        follower = LogSubscriber()
        self._followers.add(follower)
        try:
            yield follower
        finally:
            self._followers.discard(follower)

    def publish(self, kind: str, data: Mapping[str, Any]) -> None:
        """Tell all of them."""
        if self._followers:
            message = sse(kind, data)
            for follower in self._followers:
                follower.take(message)


def sse(kind: str, data: Mapping[str, Any]) -> str:
    """A server-sent event: JSON has no line ends of its own."""
    return f"event: {kind}\ndata: {json.dumps(data)}\n\n"
