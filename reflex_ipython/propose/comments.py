"""The user's comments, which small models like to leave out."""

from __future__ import annotations

from collections.abc import Sequence

from reflex_ipython.propose.magics import parses

_SAME_LINE = 60
"""The likeness in per cent from which a line of the new cell counts as the one that a comment stood above."""


def keep_comments(old: str, new: str) -> str:
    """The new cell with the comment lines that it lost, each above the line it was about, if that is still there."""
    old_lines, new_lines = old.split("\n"), new.split("\n")
    for number, line in reversed(list(enumerate(old_lines))):
        if line.lstrip().startswith("#") and line.strip() not in [other.strip() for other in new_lines]:
            place = _place(old_lines[number + 1 :], new_lines)
            if place is not None and not _rewritten(line, new_lines[:place]):
                new_lines.insert(place, line)
    kept = "\n".join(new_lines)
    return kept if parses(kept) or not parses(new) else new


def _place(after: Sequence[str], lines: Sequence[str]) -> int | None:
    """Above which line of the new cell: the one that is most like the next line of the old one."""
    about = next((line for line in after if line.strip()), None)
    if about is None or not lines:
        return None
    from rapidfuzz.fuzz import ratio  # imported at the first answer, not at load

    likeness = [ratio(about, line) for line in lines]
    best = max(range(len(lines)), key=likeness.__getitem__)
    return best if likeness[best] >= _SAME_LINE else None


def _rewritten(comment: str, above: Sequence[str]) -> bool:
    """Whether the model put another comment in this one's place."""
    from rapidfuzz.fuzz import ratio

    if not above or not above[-1].lstrip().startswith("#"):
        return False
    return bool(ratio(comment.strip(), above[-1].strip()) >= _SAME_LINE)
