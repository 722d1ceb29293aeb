"""A streamed answer as Anthropic's Messages API sends it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from reflex_ipython.testing.replies import Say

_REASONS = {"stop": "end_turn", "length": "max_tokens"}


def events(reply: Say, asked: Mapping[str, Any]) -> Iterator[str]:
    """The events of an answer, ready to be sent; all but what `ending` says of the end."""
    read, written = reply.usage or (0, 0)
    cached = read // 2  # it counts what comes from the cache apart
    usage = {"input_tokens": read - cached, "cache_read_input_tokens": cached, "cache_creation_input_tokens": 0}
    message: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": asked.get("model"),
        "content": [],
    }
    yield _event("message_start", message={**message, "stop_reason": None, "usage": {**usage, "output_tokens": 1}})
    yield _event("ping")
    index = 0
    if reply.thinking:
        yield _event(
            "content_block_start", index=0, content_block={"type": "thinking", "thinking": "", "signature": ""}
        )
        for thought in reply.thinking:
            yield _delta(0, type="thinking_delta", thinking=thought)
        yield _delta(0, type="signature_delta", signature="c2lnbmVk")
        yield _event("content_block_stop", index=0)
        index = 1
    yield _event("content_block_start", index=index, content_block={"type": "text", "text": ""})
    for piece in reply.pieces:
        yield _delta(index, type="text_delta", text=piece)
    if not reply.ends_well:
        return
    yield _event("content_block_stop", index=index)
    if reply.tool:
        tool = {"type": "tool_use", "id": "toolu_1", "name": reply.tool, "input": {}}
        yield _event("content_block_start", index=index + 1, content_block=tool)
        yield _delta(index + 1, type="input_json_delta", partial_json="{}")
        yield _event("content_block_stop", index=index + 1)
    reason = "tool_use" if reply.tool else _REASONS.get(str(reply.finish_reason), reply.finish_reason)
    delta = {"stop_reason": reason, "stop_sequence": None}
    yield _event("message_delta", delta=delta, usage={"output_tokens": written})


def done(reply: Say) -> Iterator[str]:
    """The last event of all."""
    if reply.ending in ("done", "silent"):
        yield _event("message_stop")


def _delta(index: int, **delta: Any) -> str:
    return _event("content_block_delta", index=index, delta=delta)


def _event(type: str, **content: Any) -> str:
    return f"event: {type}\ndata: {json.dumps({'type': type, **content})}\n\n"
