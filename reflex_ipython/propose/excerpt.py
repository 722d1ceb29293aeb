"""A model that answers with the changed lines alone: told from a complete cell, and put where they clearly belong.

Taken for the complete cell, an excerpt would delete the rest of the user's work.
"""

from __future__ import annotations

import re

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
    old, new = _code_lines(failing), _code_lines(cell)
    lost = len(old) - len(new)
    if lost > 0 and any(_LEFT_OUT.match(line) and line not in failing.split("\n") for line in cell.split("\n")):
        return True
    changed = [line for line in new if line not in old]
    return bool(changed) and lost >= 2 and len(new) <= _MOST * len(old) and not _spans(new, old)


def spliced(cell: str, failing: str) -> str | None:
    """The failing cell with the excerpt in the one place that it is like; None if there is no such place."""
    lines = failing.split("\n")
    part = [line for line in cell.strip("\n").split("\n") if not _LEFT_OUT.match(line) or line in lines]
    while part and not part[-1].strip():
        part.pop()
    if not part or len(part) > len(lines):
        return None
    scores = [_alike(part, lines[at : at + len(part)]) for at in range(len(lines) - len(part) + 1)]
    best = max(range(len(scores)), key=scores.__getitem__)
    rivals = [score for at, score in enumerate(scores) if abs(at - best) >= len(part)]
    if scores[best] < _CLEAR or (rivals and 100 - max(rivals) < _AHEAD * max(100 - scores[best], 1)):
        return None
    indent = _indent(lines[best])[len(_indent(part[0])) :]
    whole = "\n".join(lines[:best] + [indent + line if line else line for line in part] + lines[best + len(part) :])
    return whole if parses(whole) else None


def _code_lines(source: str) -> list[str]:
    return [line.rstrip() for line in source.split("\n") if line.strip() and not line.lstrip().startswith("#")]


def _spans(new: list[str], old: list[str]) -> bool:
    """Whether the answer begins and ends as the cell does: then it is a shorter cell, not a piece of this one."""
    return len(new) > 1 and _alike(new[:1], old[:1]) >= _CLEAR and _alike(new[-1:], old[-1:]) >= _CLEAR


def _alike(part: list[str], place: list[str]) -> float:
    from rapidfuzz.fuzz import ratio  # imported at the first answer, not at load

    return sum(float(ratio(one.strip(), other.strip())) for one, other in zip(part, place)) / len(part)


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
