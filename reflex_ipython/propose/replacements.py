"""A model that answers with what to look for and what to put there, as some editors ask for it: that, done. Pure."""

from __future__ import annotations

import re

_BLOCK = re.compile(
    r"^\s*<{5,9} ?(?:SEARCH|ORIGINAL|HEAD)\b[^\n]*\n(?P<old>.*?)\n?^\s*={5,9}\s*\n(?P<new>.*?)\n?^\s*>{5,9}[^\n]*$",
    re.DOTALL | re.MULTILINE,
)


def has_replacements(text: str) -> bool:
    """Whether there is something to look for."""
    return _BLOCK.search(text) is not None


def replaced(text: str, source: str) -> str | None:
    """The source with each of them done; None if one is not to be found in it exactly once."""
    for found in _BLOCK.finditer(text):
        old, new = found["old"].strip("\n"), found["new"].strip("\n")
        if not old.strip() or source.count(old) != 1:
            return None
        source = source.replace(old, new)
    return source
