"""`GET /reflex/api/log`: what happens to all requests, as server-sent events, until the client goes away."""

from __future__ import annotations

from jupyter_server.auth.decorator import authorized
from tornado.iostream import StreamClosedError
from tornado.web import authenticated

from reflex_ipython.server.base_handler import ServiceHandler
from reflex_ipython.server.jobs import Busy
from reflex_ipython.server.live_log import LogSubscriber

PULSE = 15.0
"""Seconds without an event after which a comment is sent: so that whoever is in between keeps the connection."""


class LogHandler(ServiceHandler):
    """One who follows."""

    _follower: LogSubscriber | None = None

    @authenticated
    @authorized("read")
    async def get(self) -> None:
        """Send what happens."""
        self.set_header("Content-Type", "text/event-stream")
        self.set_header("Cache-Control", "no-cache")
        try:
            with self.service.log_stream.followed() as follower:
                self._follower = follower
                message = ": you follow\n\n"
                while not follower.gone:
                    self.write(message)
                    await self.flush()
                    message = await follower.next(PULSE)
        except Busy:
            self.refuse(429, "As many follow the log as may.")
        except StreamClosedError:
            return

    def on_connection_close(self) -> None:
        """The client went away."""
        if self._follower is not None:
            self._follower.leave()
        super().on_connection_close()
