"""Less text that says nearly as much."""

from __future__ import annotations

from collections.abc import Sequence

_ALIKE = 60
"""Per cent of likeness from which one name may be meant by another."""
_FEW = 8


def shorten(text: str, size: int) -> str:
    """The text in at most about `size` characters: whole lines from its beginning and some from its end."""
    if len(text) <= size:
        return text
    if size <= 0:
        return ""
    head, tail = text[: size * 2 // 3], text[len(text) - size // 3 :]
    if "\n" in head and "\n" in tail:
        head, tail = head.rpartition("\n")[0], tail.partition("\n")[2]
        return f"{head}\n…\n{tail}"
    return f"{head} … {tail}"


def one_line(text: str) -> str:
    """The text without the breaks that would begin a line of its own."""
    return " ".join(text.split())


def closest_first(wanted: str, available: Sequence[str]) -> list[str]:
    """The names, those most like `wanted` first, the others in their order."""
    from rapidfuzz import fuzz, process  # imported at the first question, not at load

    close = [name for name, _, _ in process.extract(wanted, available, scorer=fuzz.ratio, limit=10, score_cutoff=50)]
    known = set(close)
    return [*close, *(name for name in available if name not in known)]


def near(wanted: str, available: Sequence[str]) -> list[str]:
    """The few names that are alike, the closest first, in capitals or not."""
    from rapidfuzz import fuzz, process

    found = process.extract(wanted, available, scorer=fuzz.ratio, processor=str.lower, limit=_FEW, score_cutoff=_ALIKE)
    return [name for name, _, _ in found]
