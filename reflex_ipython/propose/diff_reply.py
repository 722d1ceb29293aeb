"""A model that answers with a diff though it was asked for the whole cell: the diff, applied."""

from __future__ import annotations

import re
from collections.abc import Sequence

_HEADER = re.compile(r"^(---|\+\+\+|diff |index |\*\*\* )")


def looks_like_diff(text: str) -> bool:
    """Whether each line begins as a diff's do, and some begin with + or -."""
    lines = [line for line in text.split("\n") if line.strip()]
    signs = [line[0] for line in lines if not _HEADER.match(line)]
    return any(sign in "+-" for sign in signs) and all(sign in "+-@ \\" for sign in signs)


def apply_diff(text: str, source: str) -> str | None:
    """The source with a unified diff applied, its line numbers not believed; None if a hunk is not found in it."""
    lines = source.split("\n")
    start = 0
    for old, new in _hunks(text):
        position = _find(old, lines, start)
        if position is None:
            return None
        lines[position : position + len(old)] = new
        start = position + len(new)
    return "\n".join(lines)


def _hunks(text: str) -> list[tuple[list[str], list[str]]]:
    """For each hunk, the lines that it expects and the lines that it leaves."""
    hunks: list[tuple[list[str], list[str]]] = [([], [])]
    for line in text.rstrip("\n").split("\n"):
        if line.startswith("@@"):
            hunks.append(([], []))
        elif not _HEADER.match(line) and not line.startswith("\\"):
            if line[:1] != "+":
                hunks[-1][0].append(line[1:])
            if line[:1] != "-":
                hunks[-1][1].append(line[1:])
    return [hunk for hunk in hunks if hunk[0] or hunk[1]]


def _find(wanted: Sequence[str], lines: Sequence[str], start: int) -> int | None:
    bare = [line.rstrip() for line in wanted]
    if not bare:
        return None  # a hunk that only adds says nothing of where
    places = range(start, len(lines) - len(bare) + 1)
    return next((at for at in places if [line.rstrip() for line in lines[at : at + len(bare)]] == bare), None)
