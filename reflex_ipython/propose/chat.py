"""Asking a model and waiting for its answer, over whichever transport its server speaks."""

from __future__ import annotations

import contextlib
import functools
import threading
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

from reflex_ipython.base.characters import encodable
from reflex_ipython.errors import ModelError
from reflex_ipython.propose.address import Address, address
from reflex_ipython.propose.anthropic_messages import AnthropicMessages
from reflex_ipython.propose.echo import Echo
from reflex_ipython.propose.openai_chat import OpenAIChat
from reflex_ipython.propose.own_thread import on_own_thread
from reflex_ipython.propose.request_cancel import RequestLine, hanging_up_when
from reflex_ipython.propose.structured_answer import read
from reflex_ipython.propose.transport import AnswerPiece, Message, Transport
from reflex_ipython.propose.trouble import not_reached, too_slow
from reflex_ipython.protocols import Outgoing
from reflex_ipython.settings import Settings

LONGEST_REPLY = 100_000
"""Characters after which a model is taken to go round in circles."""
LONGEST_THOUGHT = 1_000_000
"""Characters of thinking after which it is, too."""
KEPT_THOUGHT = 20_000
"""Characters of thinking that are kept."""
ENDLESS = "The model's answer did not end, so it was stopped. Ask again with a hint, or choose another model."


@dataclass(frozen=True)
class Reply:
    """What a model answered.

    Parameters
    ----------
    text : str
        All of it.
    model : str
        As the server names it.
    input_tokens, output_tokens : int or None
        As the server counted them.
    seconds : float
        From the request to the end.
    finish_reason : str
        As the server gives it: "stop"; "length" where a limit cut it off. Empty: the stream ended without one.
    cost : float or None
        What the server says that it charges, in US dollars.
    thinking : str
        The beginning of what it thought.
    """

    text: str
    model: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    seconds: float = 0.0
    finish_reason: str = ""
    cost: float | None = None
    thinking: str = ""


def transport_of(where: Address) -> Transport:
    """How to speak with a server."""
    return AnthropicMessages() if where.preset.dialect == "anthropic" else OpenAIChat()


def stream_chat(
    messages: Sequence[Message],
    settings: Settings,
    *,
    cancelled: threading.Event,
    on_text: Callable[[str], None] = lambda text: None,
    clock: Callable[[], float] = time.monotonic,
    enough: Callable[[str], bool] = lambda text: False,
    transport: Transport | None = None,
) -> Reply | None:
    """Ask the model that the settings name, and wait for its answer.

    Parameters
    ----------
    messages : sequence of mappings
        The conversation so far.
    settings : Settings
        Which model, where, with which key, how patiently.
    cancelled : threading.Event
        Ends the request within a tenth of a second, whatever it waits for.
    on_text : callable
        Is called on this thread with each piece of text as it comes.
    clock : callable
        Seconds, for how long it took.
    enough : callable
        Is given each piece of text as well; whether the rest is not waited for: then there is no finish reason.
    transport : Transport or None
        How to reach it. None: as its server speaks.

    Returns
    -------
    Reply or None
        None: cancelled.

    Raises
    ------
    ModelError
        In words for the user.
    """
    where = address(settings)
    if where.key is None:
        raise ModelError(
            f"No key for {where.host}: set {where.key_variable} or Reflex.api_key. "
            "If the server needs none, any word will do.",
            "no-key",
        )
    started = clock()
    collected = _Collected(settings.model or "", where)
    with hanging_up_when(cancelled, settings.total_timeout) as line:
        try:
            asking = functools.partial(_pieces, transport or transport_of(where), _sent(messages), settings, line)
            with contextlib.closing(on_own_thread(asking, line)) as pieces:
                for piece in pieces:
                    if cancelled.is_set():
                        return None
                    text = collected.add(piece)
                    if text:
                        on_text(text)
                    if enough(text):
                        break
                rest = collected.rest()
                if rest and not cancelled.is_set():
                    on_text(rest)
        except ModelError:
            if not cancelled.is_set() and not line.overdue:  # hanging up looks like a broken connection
                raise
    if line.overdue and not cancelled.is_set():  # or, to some servers' streams, like their end
        raise too_slow(where, settings) if line.connected else not_reached(where, settings)
    return None if cancelled.is_set() else collected.reply(clock() - started)


def would_send(messages: Sequence[Message], settings: Settings, transport: Transport | None = None) -> Outgoing:
    """The request that `stream_chat` would send, up to the last byte of its body. Nothing is sent, nobody is asked."""
    return (transport or transport_of(address(settings))).would_send(_sent(messages), settings)


def _sent(messages: Sequence[Message]) -> list[Message]:
    """The messages as they can be sent: an exception's words may hold halves of characters."""
    return [{**message, "content": encodable(message["content"])} for message in messages]


def _pieces(
    transport: Transport, messages: Sequence[Message], settings: Settings, line: RequestLine
) -> Generator[AnswerPiece, None, None]:
    pieces = transport.stream(messages, settings, line)
    yield from read(pieces) if settings.answers == "structured" else pieces


class _Collected:
    """The pieces of an answer as they come."""

    def __init__(self, model: str, where: Address) -> None:
        self._where = where
        self._echo = Echo(where.secret)
        self._length = self._thought = 0
        self._thinking = ""
        self._pieces: list[str] = []
        self._model = model
        self._finish_reason = ""
        self._input_tokens: int | None = None
        self._output_tokens: int | None = None
        self._cost: float | None = None

    def add(self, piece: AnswerPiece) -> str:
        """Take in a piece, and give the text in it, without the key if the server echoes that."""
        self._model = piece.model or self._model
        self._finish_reason = piece.finish_reason or self._finish_reason
        self._input_tokens = _newer(piece.input_tokens, self._input_tokens)
        self._output_tokens = _newer(piece.output_tokens, self._output_tokens)
        self._cost = piece.cost if piece.cost is not None else self._cost
        self._length += len(piece.text)
        if self._thought < KEPT_THOUGHT:
            self._thinking += piece.thinking[: KEPT_THOUGHT - self._thought]
        self._thought += len(piece.thinking)
        if self._length > LONGEST_REPLY or self._thought > LONGEST_THOUGHT:
            raise ModelError(ENDLESS, "bad-reply")
        if not piece.text:
            return ""
        self._pieces.append(self._echo.piece(piece.text))
        return self._pieces[-1]

    def rest(self) -> str:
        """What waited for its end, because it might have been the key."""
        self._pieces.append(self._echo.rest())
        return self._pieces[-1]

    def reply(self, seconds: float) -> Reply:
        """All of it."""
        hide = self._where.hide_key
        return Reply(
            "".join(self._pieces),
            hide(self._model),
            self._input_tokens,
            self._output_tokens,
            round(seconds, 3),
            hide(self._finish_reason),
            self._cost,
            hide(self._thinking),
        )


def _newer(value: int | None, before: int | None) -> int | None:
    return before if value is None else value
