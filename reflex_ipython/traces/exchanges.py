"""What is kept of a request and its response: bounded, and without what lets others log in."""

from __future__ import annotations

import base64
from collections.abc import Iterable

from reflex_ipython.traces.recorded import Message

BODY = 64_000
"""Bytes of a body that are kept."""

_CREDENTIALS = frozenset(
    ("authorization", "cookie", "set-cookie", "proxy-authorization", "x-api-key", "x-auth-token", "x-csrf-token")
)


class Body:
    """Takes the pieces of a body as they pass."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self.size = 0
        """Bytes of all pieces."""

    def add(self, piece: bytes) -> None:
        """The next piece."""
        self.size += len(piece)
        self._kept += piece[: max(0, BODY - len(self._kept))]

    @property
    def kept(self) -> bytes:
        """As much as is kept of it."""
        return bytes(self._kept)

    def message(self, headers: Iterable[tuple[str, str]]) -> Message:
        """It with its headers."""
        told = tuple((name, "" if name.lower() in _CREDENTIALS else value) for name, value in headers)
        return Message(told, base64.b64encode(self.kept).decode("ascii"), self.size)
