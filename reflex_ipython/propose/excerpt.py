"""A model that answers with the changed lines alone: told from a complete cell, and put where they clearly belong.

Taken for the complete cell, an excerpt would delete the rest of the user's work.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from reflex_ipython.propose.magics import parses

_LEFT_OUT = re.compile(
    r"^\s*(#\s*)?(\.\.\.|…)(.*(rest|remain|existing|unchanged|same|other|previous).*)?(\.\.\.|…)?\s*$"
    r"|^\s*#.*\b(rest of (the |your )?(code|cell|function)|(existing|remaining|previous|other) code"
    r"|code .*(unchanged|as before)|same as before)\b.*$",
    re.IGNORECASE,
)
_MOST = 0.6
"""The share of the cell's lines up to which an answer may be an excerpt."""

_CLEAR = 60.0
"""Per cent of likeness that the place must have, on average over its lines."""

_AHEAD = 2.0
"""How many times as unlike the next best place must be."""


def is_excerpt(cell: str, failing: str) -> bool:
    """Whether the answer leaves out lines of the cell that it does not mean to delete."""
    kept = [line for segment in _segments(cell, failing) for line in segment]
    old, new = _code_lines(failing), _code_lines("\n".join(kept))
    lost = len(old) - len(new)
    if lost > 0 and len(kept) < len(cell.strip("\n").split("\n")):
        return True
    changed = [line for line in new if line not in old]
    return bool(changed) and lost >= 2 and len(new) <= _MOST * len(old) and not _spans(new, old)


def spliced(cell: str, failing: str) -> str | None:
    """The failing cell with each segment of the excerpt in the one place that it is like; None without such places."""
    lines, start = failing.split("\n"), 0
    segments = [trimmed for segment in _segments(cell, failing) if (trimmed := _trimmed(segment))]
    for segment in segments:
        at = _place(segment, lines, start)
        if at is None:
            return None
        indent = _indent(lines[at])[len(_indent(segment[0])) :]
        lines[at : at + len(segment)] = [indent + line if line else line for line in segment]
        start = at + len(segment)
    whole = "\n".join(lines)
    return whole if segments and parses(whole) else None


def _segments(cell: str, failing: str) -> list[list[str]]:
    """The lines of an answer between those that say that something is left out."""
    own = failing.split("\n")
    segments: list[list[str]] = [[]]
    for line in cell.strip("\n").split("\n"):
        if _LEFT_OUT.match(line) and line not in own:
            segments.append([])
        else:
            segments[-1].append(line)
    return segments


def _trimmed(segment: Sequence[str]) -> list[str]:
    return "\n".join(segment).strip("\n").rstrip().split("\n") if any(line.strip() for line in segment) else []


def _place(part: Sequence[str], lines: Sequence[str], start: int) -> int | None:
    """Where a segment clearly belongs, from a line on."""
    scores = {at: _alike(part, lines[at : at + len(part)]) for at in range(start, len(lines) - len(part) + 1)}
    if not scores:
        return None
    best = max(scores, key=scores.__getitem__)
    rivals = [score for at, score in scores.items() if abs(at - best) >= len(part)]
    unclear = rivals and 100 - max(rivals) < _AHEAD * max(100 - scores[best], 1)
    return None if scores[best] < _CLEAR or unclear else best


def _code_lines(source: str) -> list[str]:
    return [line.rstrip() for line in source.split("\n") if line.strip() and not line.lstrip().startswith("#")]


def _spans(new: list[str], old: list[str]) -> bool:
    """Whether the answer begins and ends as the cell does: then it is a shorter cell, not a piece of this one."""
    return len(new) > 1 and _alike(new[:1], old[:1]) >= _CLEAR and _alike(new[-1:], old[-1:]) >= _CLEAR


def _alike(part: Sequence[str], place: Sequence[str]) -> float:
    from rapidfuzz.fuzz import ratio  # imported at the first answer, not at load

    return sum(float(ratio(one.strip(), other.strip())) for one, other in zip(part, place)) / len(part)


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
