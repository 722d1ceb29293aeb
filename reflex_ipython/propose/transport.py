"""How a language model is reached: what a transport is given, and gives."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from reflex_ipython.protocols import Outgoing
from reflex_ipython.settings import Settings

Message = Mapping[str, str]
"""A turn of a conversation with a model: `{"role": "user", "content": "…"}`; the role is "system", "user" or
"assistant"."""


@dataclass(frozen=True)
class AnswerPiece:
    """A piece of a model's answer, as it comes. What a server does not say stays as it is here.

    Parameters
    ----------
    text : str
        Of the answer itself.
    thinking : str
        Of what the model thinks before that; it is not kept.
    model : str
        As the server names it.
    input_tokens, output_tokens : int or None
        As counted so far, for the whole question.
    cost : float or None
        What the server charges for the whole question, in US dollars.
    finish_reason : str
        "stop", "length" or whatever the server says.
    """

    text: str = ""
    thinking: str = ""
    model: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    finish_reason: str = ""


class HangUp(Protocol):
    """How a request is ended from another thread: its sockets are shut."""

    @property
    def is_hung_up(self) -> bool:
        """Whether nobody waits any more."""

    def add(self, connection: socket.socket) -> None:
        """Note a connection of the request."""

    def watch(self, request: Any) -> None:
        """Note the connections of an httpx request: an event hook "request" of a client."""


class Transport(Protocol):
    """A way to reach a language model. It knows nothing of cells and fixes."""

    def stream(self, messages: Sequence[Message], settings: Settings, line: HangUp) -> Iterator[AnswerPiece]:
        """Ask, and give the answer piece by piece; called, iterated and closed on a thread of its own.

        Parameters
        ----------
        messages : sequence of Message
            The conversation so far, without secrets.
        settings : Settings
            Which model, where, with which key, how patiently. Where `answers` is "structured", the text may be JSON
            that keeps to `propose.answer_schema.SCHEMA`.
        line : HangUp
            To be told of each connection, so that the user can end the request at once.

        Raises
        ------
        ModelError
            With a sentence for the user; its `retry_after` is waited for.
        """

    def would_send(self, messages: Sequence[Message], settings: Settings) -> Outgoing:
        """The request that `stream` would send, to its last byte. Nothing is sent."""
