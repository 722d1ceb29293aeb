"""Fences around text that comes from the notebook, which that text can't close itself. Pure."""

from __future__ import annotations

import re

_RUN = re.compile(r"`{3,}")


def fenced(text: str, language: str = "") -> str:
    """The text in a block of Markdown; empty for none.

    Parameters
    ----------
    text : str
        Anything: its own fences are shorter than those around it.
    language : str
        What stands behind the opening fence.
    """
    if not text:
        return ""
    fence = "`" * max([3, *(len(run) + 1 for run in _RUN.findall(text))])
    return f"{fence}{language}\n{text}\n{fence}"


def section(title: str, *blocks: str) -> str:
    """Blocks under a heading; empty if there is nothing in them."""
    told = [block for block in blocks if block]
    return "\n\n".join([f"## {title}", *told]) if told else ""
