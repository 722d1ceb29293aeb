"""Asking Anthropic's models over its own Messages API. Nothing else in this package uses `anthropic`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from reflex_ipython.errors import ModelError
from reflex_ipython.propose.address import Address
from reflex_ipython.propose.answer_schema import FORCED_TOOL
from reflex_ipython.propose.chunk import count, word
from reflex_ipython.propose.http_client import client_options
from reflex_ipython.propose.sdk import refuse_own_file
from reflex_ipython.propose.sdk_transport import SdkTransport
from reflex_ipython.propose.transport import AnswerPiece, HangUp, Message
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


class AnthropicMessages(SdkTransport):
    """See `transport.Transport`."""

    def _client(self, where: Address, settings: Settings, line: HangUp) -> anthropic.Anthropic:
        refuse_own_file("anthropic")
        try:
            import anthropic  # some 0.5 s: only who asks it pays, on the thread that asks
        except ModuleNotFoundError as error:
            if error.name != "anthropic":
                raise
            raise ModelError(NOT_INSTALLED, "other") from None
        options = client_options(anthropic, where, settings.timeout, line)
        return anthropic.Anthropic(api_key=where.key, base_url=where.base_url, **options)

    def _open(
        self, client: anthropic.Anthropic, messages: Sequence[Message], settings: Settings, where: Address
    ) -> Any:
        import anthropic

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
        if settings.answers == "structured":
            options |= FORCED_TOOL
        asked: dict[str, Any] = {"model": settings.model, "messages": turns, "stream": True}
        asked["max_tokens"] = settings.max_tokens or MAX_TOKENS
        try:
            return create(**asked, extra_body=options)
        except anthropic.BadRequestError as error:
            if "temperature" not in options or "temperature" not in str(error):
                raise
            del options["temperature"]  # newer models have one of their own
            return create(**asked, extra_body=options)

    def _pieces(self, stream: Any, settings: Settings, where: Address) -> Iterator[AnswerPiece]:
        return map(_piece_of_a_tool if settings.answers == "structured" else _piece, stream)


def _block(message: Message) -> dict[str, Any]:
    return {"type": "text", "text": message["content"]}


def _piece(event: Any) -> AnswerPiece:
    """What an event says. The count of tokens comes in two parts; what was read from the cache was read as well."""
    kind = getattr(event, "type", "")
    if kind == "message_start":
        message = getattr(event, "message", None)
        return AnswerPiece(
            model=word(getattr(message, "model", None)), input_tokens=_read(getattr(message, "usage", None))
        )
    if kind == "content_block_delta":
        delta = getattr(event, "delta", None)
        return AnswerPiece(text=_text(delta, "text"), thinking=_text(delta, "thinking"))
    if kind == "message_delta":
        reason = word(getattr(getattr(event, "delta", None), "stop_reason", None))
        written = count(getattr(getattr(event, "usage", None), "output_tokens", None))
        return AnswerPiece(output_tokens=written, finish_reason=_REASONS.get(reason, reason))
    return AnswerPiece()


def _piece_of_a_tool(event: Any) -> AnswerPiece:
    """The same where the answer is what a tool is called with."""
    found = _piece(event)
    reason = "stop" if found.finish_reason == "tool_use" else found.finish_reason
    text = found.text or _text(getattr(event, "delta", None), "partial_json")
    return dataclasses.replace(found, text=text, finish_reason=reason)


def _read(usage: Any) -> int | None:
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    counts = [count(getattr(usage, name, None)) for name in names]
    return None if counts[0] is None else sum(number or 0 for number in counts)


def _text(delta: Any, name: str) -> str:
    text = getattr(delta, name, None)
    return text if isinstance(text, str) else ""
