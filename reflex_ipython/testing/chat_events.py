"""A streamed answer as servers of OpenAI's family send it, each with its own quirks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from reflex_ipython.testing.replies import Say

Chunk = dict[str, Any]


@dataclass(frozen=True)
class Quirks:
    """How the chunks of a server differ from the plainest ones.

    Parameters
    ----------
    role_first : bool
        Whether the first chunk has a role and no text.
    thinking : str
        The field of what is thought. "content": among the content, in lists of parts.
    usage : str
        Where the tokens are counted: in a chunk of their own without choices, if asked; in the last one with a choice,
        asked or not; in every one; or in a corner of Groq's.
    before : sequence of dict
        Chunks before all others, without choices.
    beside : mapping
        What each choice has besides.
    last : mapping
        What the last chunk has besides.
    comment : str
        What stands between the events, so that no proxy loses patience.
    """

    role_first: bool = False
    thinking: str = "reasoning_content"
    usage: Literal["if asked", "last", "each", "x_groq"] = "if asked"
    before: tuple[Chunk, ...] = ()
    beside: Mapping[str, Any] = field(default_factory=dict)
    last: Mapping[str, Any] = field(default_factory=dict)
    comment: str = ""


def events(reply: Say, asked: Mapping[str, Any], quirks: Quirks) -> Iterator[str]:
    """The events of an answer, ready to be sent; all but what `ending` says of the end."""
    for chunk in _chunks(reply, asked, quirks):
        yield f"{quirks.comment}data: {json.dumps(chunk)}\n\n"


def done(reply: Say) -> Iterator[str]:
    """The last line of all."""
    if reply.ending in ("done", "silent"):
        yield "data: [DONE]\n\n"


def _chunks(reply: Say, asked: Mapping[str, Any], quirks: Quirks) -> Iterator[Chunk]:
    model = asked.get("model", "scripted")
    frame = {"id": "scripted", "object": "chat.completion.chunk", "created": 0, "model": model}
    usage = _usage(reply)
    each: Chunk = {"usage": usage} if quirks.usage == "each" and usage else {}

    def chunk(delta: Chunk, more: Chunk | None = None, reason: str | None = None) -> Chunk:
        choice = {"index": 0, "delta": delta, "finish_reason": reason, **quirks.beside}
        return {**frame, "choices": [choice], **(more or {})}

    yield from ({**frame, "choices": [], **first} for first in quirks.before)
    if quirks.role_first:
        yield chunk({"role": "assistant", "content": ""})
    for thought in reply.thinking:
        yield chunk(_thought(thought, quirks), each)
    for piece in reply.pieces:
        content = [{"type": "text", "text": piece}] if quirks.thinking == "content" and reply.thinking else piece
        yield chunk({"role": "assistant", "content": content}, each)
    if reply.tool:
        yield chunk({"tool_calls": [_call(reply.tool)], "content": None})
    if not reply.ends_well:
        return
    last = {"usage": usage} if quirks.usage in ("last", "each") and usage else {}
    last |= {"x_groq": {"id": "req_1", "usage": usage}} if quirks.usage == "x_groq" else {}
    yield chunk({}, {**quirks.last, **last}, "tool_calls" if reply.tool else reply.finish_reason)
    if quirks.usage == "if asked" and usage and (asked.get("stream_options") or {}).get("include_usage"):
        yield {**frame, "choices": [], "usage": usage}


def _thought(text: str, quirks: Quirks) -> Chunk:
    if quirks.thinking == "content":
        return {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": text}]}]}
    return {"role": "assistant", "content": None, quirks.thinking: text}


def _call(name: str) -> Chunk:
    return {"index": 0, "id": "call_1", "type": "function", "function": {"name": name, "arguments": "{}"}}


def _usage(reply: Say) -> Chunk | None:
    if reply.usage is None:
        return None
    prompt, completion = reply.usage
    usage = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
    return usage if reply.cost is None else {**usage, "cost": reply.cost}
