"""What asking over an SDK has in common, whichever API it speaks: OpenAI's and Anthropic's are made alike."""

from __future__ import annotations

import contextlib
import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

from reflex_ipython.errors import ModelError
from reflex_ipython.propose.address import NO_KEY_NEEDED, Address, address
from reflex_ipython.propose.only_looked_at import OnlyLookedAt
from reflex_ipython.propose.transport import AnswerPiece, HangUp, Message
from reflex_ipython.propose.trouble import explain
from reflex_ipython.protocols import Outgoing
from reflex_ipython.settings import Settings


class SdkTransport(ABC):
    """See `transport.Transport`."""

    def stream(self, messages: Sequence[Message], settings: Settings, line: HangUp) -> Iterator[AnswerPiece]:
        """Ask, and give the answer piece by piece; every error of the SDK's comes out as a ModelError."""
        where = address(settings)
        trouble: ModelError
        with self._client(where, settings, line) as client:
            try:
                with self._open(client, messages, settings, where) as stream:
                    yield from self._pieces(stream, settings, where)
                return
            except Exception as error:  # noqa: BLE001 - older SDKs let their HTTP library's errors through
                trouble = explain(error, where, settings)
        raise trouble  # out here, so that it does not hold the SDK's error: that one's request carries the key

    def would_send(self, messages: Sequence[Message], settings: Settings) -> Outgoing:
        """The request that `stream` would send, to its last byte."""
        where = address(settings)
        if where.key is None:
            where = dataclasses.replace(where, key=NO_KEY_NEEDED)
        looked_at = OnlyLookedAt()
        with self._client(where, settings, looked_at) as client, contextlib.suppress(Exception):
            self._open(client, messages, settings, where)  # ends in an error of the SDK's that was made of ours
        return looked_at.outgoing()

    @abstractmethod
    def _client(self, where: Address, settings: Settings, line: HangUp) -> Any:
        """The SDK's client."""

    @abstractmethod
    def _open(self, client: Any, messages: Sequence[Message], settings: Settings, where: Address) -> Any:
        """The SDK's stream of an answer."""

    @abstractmethod
    def _pieces(self, stream: Any, settings: Settings, where: Address) -> Iterator[AnswerPiece]:
        """What comes of it."""
