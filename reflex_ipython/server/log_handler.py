"""`GET /reflex/api/log`: what happens to all requests, as server-sent events, until the client goes away."""

from __future__ import annotations

import asyncio

from jupyter_server.auth.decorator import authorized
from tornado.iostream import StreamClosedError
from tornado.web import authenticated

from reflex_ipython.server.base_handler import ServiceHandler
from reflex_ipython.server.jobs import Busy

PULSE = 15.0
"""Seconds without an event after which a comment is sent: so that whoever is in between keeps the connection."""


class LogHandler(ServiceHandler):
    """One who follows."""

    _gone: asyncio.Event | None = None

    @authenticated
    @authorized("read")
    async def get(self) -> None:
        """Send what happens."""
        self._gone = asyncio.Event()
        self.set_header("Content-Type", "text/event-stream")
        self.set_header("Cache-Control", "no-cache")
        try:
            with self.service.log_stream.followed() as follower:
                self.write(": you follow\n\n")
                await self.flush()
                while not self._gone.is_set():
                    self.write(await follower.next(PULSE))
                    await self.flush()
        except Busy:
            self.refuse(429, "As many follow the log as may.")
        except StreamClosedError:
            return

    def on_connection_close(self) -> None:
        """The client went away."""
        if self._gone is not None:
            self._gone.set()
        super().on_connection_close()
