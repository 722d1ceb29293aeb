"""A request that is made to its last byte, and not sent."""

from __future__ import annotations

from typing import Any

from reflex_ipython.errors import ModelError
from reflex_ipython.propose.request_cancel import RequestLine
from reflex_ipython.protocols import Outgoing


class OnlyLookedAt(RequestLine):
    """A line on which nothing goes out."""

    def __init__(self) -> None:
        super().__init__()
        self._outgoing: Outgoing | None = None

    def watch(self, request: Any) -> None:
        """Note the request, and stop before a connection is made."""
        self._outgoing = Outgoing(str(request.url), request.read())
        raise ModelError("Only looked at.", "other")

    def outgoing(self) -> Outgoing:
        """What was noted.

        Raises
        ------
        ModelError
            If no request was made.
        """
        if self._outgoing is None:
            raise ModelError("What would be sent could not be determined.", "other")
        return self._outgoing
