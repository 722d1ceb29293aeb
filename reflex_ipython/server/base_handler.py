"""What all handlers of the service have in common. The server's own login guards each of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from jupyter_server.base.handlers import APIHandler
from tornado.web import HTTPError

from reflex_ipython.server.service import KEY, ReflexService

RETRY_AFTER = 2
"""Seconds after which somebody who was turned away may come again."""


class ServiceHandler(APIHandler):
    """Answers in JSON, and says in one line of JSON in the server's log what it did."""

    auth_resource = "reflex"

    _refusal = ""

    @property
    def service(self) -> ReflexService:
        """What they share."""
        service: ReflexService = self.settings[KEY]
        return service

    def answer(self, content: Mapping[str, Any], status: int = 200) -> None:
        """Send it."""
        self.set_status(status)
        self.finish(json.dumps(content))

    def refuse(self, status: int, words: str) -> NoReturn:
        """End with an error: `{"message": words}`."""
        self.service.metrics.refused(status)
        self._refusal = words
        raise HTTPError(status, log_message=words)

    def note(self, event: str, **told: Any) -> None:
        """A structured line in the log, without anybody's words or code."""
        user = getattr(self.current_user, "username", "")
        self.log.info("%s", json.dumps({"event": f"reflex.{event}", "user": user, **told}))

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """As the server's others do; too many are told when to come again.

        Tornado keeps an error's words with each `%` doubled, as its log wants them: ours are told as they are.
        """
        if status_code == 429:
            self.set_header("Retry-After", str(RETRY_AFTER))
        if self._refusal:
            self.answer({"message": self._refusal, "reason": None}, status_code)
        else:
            super().write_error(status_code, **kwargs)
