"""Markdown as a reader takes it: what stands in fences, and what does not."""

from __future__ import annotations

import re

_FENCE = re.compile(r"(`{3,}|~{3,})")


def outside_of_fences(text: str) -> list[str]:
    """The lines that stand in no fence, as CommonMark has it."""
    open_fence, found = "", []
    for line in text.split("\n"):
        fence = _FENCE.match(line)
        if open_fence:
            if fence and fence[1].startswith(open_fence) and not line.strip("`~ "):
                open_fence = ""
        elif fence:
            open_fence = fence[1]
        else:
            found.append(line)
    return found
