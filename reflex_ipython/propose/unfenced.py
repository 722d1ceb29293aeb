"""Code that a model wrote without fences: told from words by the lines that it has from the cell. Pure."""

from __future__ import annotations

import re

from reflex_ipython.propose.magics import parses

_MARKUP = re.compile(r"</?(?:pre|code|answer|solution|fix(?:ed)?(?:_?(?:code|cell))?|python)\b[^>\n]*>", re.IGNORECASE)
_ALIKE = 75.0
"""Per cent of likeness from which a line is the cell's."""
_WORDS = re.compile(r"^\s*[A-Za-z'’`][\w'’`,;-]*(?: [\w'’`\",;()-]+){2,}[.:!]?\s*$")
_LONGEST = 400
"""Lines of an answer that are looked at."""


def within_words(answer: str, old: str) -> str | None:
    """The part of an answer from the first line to the last that are like the cell's; None if that is no code.

    Parameters
    ----------
    answer : str
        Without fences.
    old : str
        The cell.
    """
    lines = _MARKUP.sub("\n", answer).split("\n")[:_LONGEST]
    known = [line.strip() for line in old.split("\n") if line.strip()]
    like = [number for number, line in enumerate(lines) if line.strip() and _is_like(line.strip(), known)]
    if not like:
        return None
    first, last = like[0], like[-1]
    for start in range(max(0, first - 2), first + 1):  # an import may stand before the first line that was there
        part = "\n".join(lines[start : last + 1])
        if not _WORDS.match(lines[start]) and parses(part):
            return part
    return None


def without_words(code: str, old: str) -> str:
    """Code without the sentences in the midst of it, where it parses only without them."""
    if parses(code):
        return code
    kept = [line for line in code.split("\n") if line in old.split("\n") or not _WORDS.match(line)]
    return "\n".join(kept) if parses("\n".join(kept)) else code


def _is_like(line: str, known: list[str]) -> bool:
    from rapidfuzz.fuzz import ratio  # imported at the first answer, not at load

    return any(ratio(line, other) >= _ALIKE for other in known)
