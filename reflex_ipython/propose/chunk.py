"""What is in a chunk of a chat completion. Nothing is taken for granted: servers differ."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from reflex_ipython.propose.transport import AnswerPiece

MOST_TOKENS = 10**9
_LONGEST_WORD = 200
"""Characters of a model's name and of a finish reason."""
_THINKING = ("reasoning_content", "reasoning", "thinking")
"""Where servers put what a model thinks: DeepSeek, Qwen, llama.cpp and LM Studio; Groq, OpenRouter, Ollama and vLLM;
some others."""


def piece(chunk: Any) -> AnswerPiece:
    """The piece of the answer that a chunk holds. A server that does not stream sends whole messages, as one chunk."""
    usage = _usage(chunk)
    text, thinking, reason = "", "", ""
    choices = getattr(chunk, "choices", None)
    for choice in choices if isinstance(choices, list) else ():
        reason = word(getattr(choice, "finish_reason", None)) or reason
        message = getattr(choice, "delta", None) or getattr(choice, "message", None)
        if not text:
            text, thinking = _texts(message)
    return AnswerPiece(
        text,
        thinking,
        word(getattr(chunk, "model", None)),
        count(_field(usage, "prompt_tokens")),
        count(_field(usage, "completion_tokens")),
        _cost(_field(usage, "cost")),
        reason,
    )


def count(value: Any) -> int | None:
    """A count of a server's; None if it is none that can be."""
    return value if type(value) is int and 0 <= value < MOST_TOKENS else None


def word(value: Any) -> str:
    """A word of a server's, of bounded length; empty if it is none."""
    return value[:_LONGEST_WORD] if isinstance(value, str) else ""


def _texts(message: Any) -> tuple[str, str]:
    """What a message says, and what was thought."""
    content = getattr(message, "content", None)
    if isinstance(content, list):  # Mistral's, of models that think
        parts = [part for part in content if isinstance(part, dict)]
        return "".join(map(_said, parts)), "".join(_thoughts(parts))
    found = (getattr(message, name, None) for name in _THINKING)
    thinking = next((text for text in found if isinstance(text, str) and text), "")
    return (content if isinstance(content, str) else ""), thinking


def _thoughts(parts: list[dict[str, Any]]) -> Iterator[str]:
    for part in parts:
        thoughts = part.get("thinking")
        for thought in thoughts if isinstance(thoughts, list) else ():
            if isinstance(thought, dict):
                yield _said(thought)


def _said(part: dict[str, Any]) -> str:
    text = part.get("text") if part.get("type") == "text" else ""
    return text if isinstance(text, str) else ""


def _usage(chunk: Any) -> Any:
    """Its usage; Groq's stands apart where it was not asked for."""
    usage = getattr(chunk, "usage", None)
    return usage if usage is not None else _field(getattr(chunk, "x_groq", None), "usage")


def _field(holder: Any, name: str) -> Any:
    return holder.get(name) if isinstance(holder, dict) else getattr(holder, name, None)


def _cost(value: Any) -> float | None:
    """OpenRouter says what it charges."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if number and math.isfinite(value) and value >= 0 else None
