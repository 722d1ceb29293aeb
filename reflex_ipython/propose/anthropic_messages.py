"""Asking Anthropic's models over its own Messages API. Nothing else in this package uses `anthropic`."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from reflex_ipython.errors import ModelError
from reflex_ipython.propose.address import NO_KEY_NEEDED, Address, address
from reflex_ipython.propose.chunk import count, word
from reflex_ipython.propose.http_client import client_options
from reflex_ipython.propose.only_looked_at import OnlyLookedAt
from reflex_ipython.propose.trouble import explain
from reflex_ipython.protocols import HangUp, Message, Outgoing, Piece
from reflex_ipython.settings import Settings

if TYPE_CHECKING:
    import anthropic

MAX_TOKENS = 8_192
"""What the model may write where `max_tokens` is not set: this API insists on a limit, and every model takes this."""
NOT_INSTALLED = (
    "Anthropic's models are asked with its own package, which is not installed: "
    "`%pip install 'reflex-ipython[anthropic]'`, then ask again."
)
_CACHED = {"cache_control": {"type": "ephemeral"}}
"""What ends here is read again at a tenth of the price when the next question begins alike: a second attempt does."""
_REASONS = {"end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length"}


class AnthropicMessages:
    """See `protocols.Transport`."""

    def stream(self, messages: Sequence[Message], settings: Settings, line: HangUp) -> Iterator[Piece]:
        """Ask, and give the answer piece by piece; every error of the SDK's comes out as a ModelError."""
        where = address(settings)
        trouble: ModelError
        with _client(where, settings, line) as client:
            try:
                with _open(client, messages, settings) as stream:
                    yield from map(_piece, stream)
                return
            except Exception as error:  # noqa: BLE001 - whatever an answer holds that the SDK can't read
                trouble = explain(error, where, settings)
        raise trouble  # out here, so that it does not hold the SDK's error: that one's request carries the key

    def would_send(self, messages: Sequence[Message], settings: Settings) -> Outgoing:
        """The request that `stream` would send, to its last byte."""
        where = address(settings)
        if where.key is None:
            where = dataclasses.replace(where, key=NO_KEY_NEEDED)
        looked_at = OnlyLookedAt()
        with _client(where, settings, looked_at) as client, contextlib.suppress(Exception):
            _open(client, messages, settings)  # ends in an error of the SDK's that was made of ours
        return looked_at.outgoing()


def _client(where: Address, settings: Settings, line: HangUp) -> anthropic.Anthropic:
    try:
        import anthropic  # some 0.5 s: only who asks it pays, on the thread that asks
    except ModuleNotFoundError as error:
        if error.name != "anthropic":
            raise
        raise ModelError(NOT_INSTALLED, "other") from None
    options = client_options(anthropic, where, settings.timeout, line)
    return anthropic.Anthropic(api_key=where.key, base_url=where.base_url, **options)


def _open(client: anthropic.Anthropic, messages: Sequence[Message], settings: Settings) -> Any:
    system = [_block(message) for message in messages if message["role"] == "system"]
    turns = [{"role": turn["role"], "content": [_block(turn)]} for turn in messages if turn["role"] != "system"]
    for blocks in (system, turns[-1]["content"] if turns else []):
        if blocks:
            blocks[-1].update(_CACHED)  # type: ignore[attr-defined]  # a dict of our own
    # The options go as plain JSON, so that an older SDK takes what it does not know yet.
    create: Callable[..., Any] = client.messages.create
    options: dict[str, Any] = {"system": system} if system else {}
    if settings.temperature is not None:
        options["temperature"] = min(settings.temperature, 1.0)  # the most that it takes
    limit = settings.max_tokens or MAX_TOKENS
    return create(model=settings.model, messages=turns, max_tokens=limit, stream=True, extra_body=options)


def _block(message: Message) -> dict[str, Any]:
    return {"type": "text", "text": message["content"]}


def _piece(event: Any) -> Piece:
    """What an event says. The count of tokens comes in two parts; what was read from the cache was read as well."""
    kind = getattr(event, "type", "")
    if kind == "message_start":
        message = getattr(event, "message", None)
        return Piece(model=word(getattr(message, "model", None)), input_tokens=_read(getattr(message, "usage", None)))
    if kind == "content_block_delta":
        delta = getattr(event, "delta", None)
        return Piece(text=_text(delta, "text"), thinking=_text(delta, "thinking"))
    if kind == "message_delta":
        reason = word(getattr(getattr(event, "delta", None), "stop_reason", None))
        written = count(getattr(getattr(event, "usage", None), "output_tokens", None))
        return Piece(output_tokens=written, finish_reason=_REASONS.get(reason, reason))
    return Piece()


def _read(usage: Any) -> int | None:
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    counts = [count(getattr(usage, name, None)) for name in names]
    return None if counts[0] is None else sum(number or 0 for number in counts)


def _text(delta: Any, name: str) -> str:
    text = getattr(delta, name, None)
    return text if isinstance(text, str) else ""
