"""A reply without what is no part of an answer: thoughts, marks of a chat's format, other systems' line ends. Pure."""

from __future__ import annotations

import re

_TAG = "(?:think(?:ing)?|thoughts?|reasoning|reflection|scratchpad)"
_THOUGHT = re.compile(rf"<({_TAG})>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHT_BEGINS = re.compile(rf"<{_TAG}>", re.IGNORECASE)
_THOUGHT_ENDS = re.compile(rf"</{_TAG}>", re.IGNORECASE)
_WITHOUT_BEGINNING = re.compile(rf"\A(?:(?!```).)*?</{_TAG}>", re.DOTALL | re.IGNORECASE)
# Some servers pass on what tells a model's turns apart. Only at the ends: a cell may hold such texts.
_FORMAT_BEGINS = re.compile(r"\A\s*(?:(?:<\|[a-z_]+\|>|<s>)\s*(?:assistant\b)?\s*)+")
_FORMAT_ENDS = re.compile(r"(?:\s*(?:<\|[a-z_]+\|>|</s>))+\s*\Z")


def plain(reply: str) -> str:
    """A reply with plain line ends, without what a reasoning model thought aloud. Some leave the opening tag out."""
    text = reply.replace("\r\n", "\n").replace("\r", "\n")
    text = _FORMAT_ENDS.sub("", _FORMAT_BEGINS.sub("", text))
    text = text if _THOUGHT_BEGINS.search(text) else _WITHOUT_BEGINNING.sub("", text, count=1)
    return _THOUGHT.sub("", text).strip("\n")


def is_thinking(text: str) -> bool:
    """Whether what has come so far ends within a thought."""
    begun, ended = (sum(1 for _ in each.finditer(text)) for each in (_THOUGHT_BEGINS, _THOUGHT_ENDS))
    return begun > ended
