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
    index, forced = 0, (asked.get("tool_choice") or {}).get("name")
    if reply.thinking:
        yield _event(
            "content_block_start", index=0, content_block={"type": "thinking", "thinking": "", "signature": ""}
        )
        for thought in reply.thinking:
            yield _delta(0, type="thinking_delta", thinking=thought)
        yield _delta(0, type="signature_delta", signature="c2lnbmVk")
        yield _event("content_block_stop", index=0)
        index = 1
    kind, delta = ("tool_use", "input_json_delta") if forced else ("text", "text_delta")
    begun = {"id": "toolu_0", "name": forced, "input": {}} if forced else {"text": ""}
    yield _event("content_block_start", index=index, content_block={"type": kind, **begun})
    for piece in reply.pieces:
        yield _delta(index, type=delta, **{"partial_json" if forced else "text": piece})
    if not reply.ends_well:
        return
    yield _event("content_block_stop", index=index)
    if reply.tool:
        tool = {"type": "tool_use", "id": "toolu_1", "name": reply.tool, "input": {}}
        yield _event("content_block_start", index=index + 1, content_block=tool)
        yield _delta(index + 1, type="input_json_delta", partial_json="{}")
        yield _event("content_block_stop", index=index + 1)
    calls = reply.tool or (forced and reply.finish_reason == "stop")
    reason = "tool_use" if calls else _REASONS.get(str(reply.finish_reason), reply.finish_reason)
    stopped = {"stop_reason": reason, "stop_sequence": None}
    yield _event("message_delta", delta=stopped, usage={"output_tokens": written})


def done(reply: Say) -> Iterator[str]:
    """The last event of all."""
    if reply.ending in ("done", "silent"):
        yield _event("message_stop")


def _delta(index: int, **delta: Any) -> str:
    return _event("content_block_delta", index=index, delta=delta)


def _event(type: str, **content: Any) -> str:
    return f"event: {type}\ndata: {json.dumps({'type': type, **content})}\n\n"
