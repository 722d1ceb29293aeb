"""A diff within bounds: the changed lines with a little around them, and how many more there are."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reflex_ipython.present.diff import Hunk, Line, Span, plain
from reflex_ipython.present.fold import FOLD, folded

_BEFORE = 20
"""Characters that are kept before what has changed in a long line."""


@dataclass(frozen=True)
class ExcerptBounds:
    """How much is shown: changed lines of a cell, characters of a line and of a sentence, cells or fixes, and unchanged
    lines next to a change.
    """

    lines: int
    width: int
    words: int
    several: int = 3
    context: int = 2


def excerpt(hunks: Sequence[Hunk], bounds: ExcerptBounds) -> Iterator[tuple[str, Line]]:
    """Pairs of a sign and a line, as `folded` gives them; the last says how many changed lines are left out.

    Parameters
    ----------
    hunks : sequence of Hunk
        A whole diff.
    bounds : ExcerptBounds
    """
    kept, left = [], bounds.lines
    for hunk in hunks:
        if hunk.changed:
            hunk = _shortened(hunk, left)
            left -= len(hunk.old) + len(hunk.new)
            if not (hunk.old or hunk.new):
                break
        kept.append(hunk)
    lines = folded(kept, bounds.context) if bounds.context else _alone(kept)
    yield from ((sign, clipped(line, bounds.width)) for sign, line in lines)
    missing = _changed(hunks) - _changed(kept)
    if missing:
        yield FOLD, (Span(f"and {missing} more changed line{'s' if missing > 1 else ''}"),)


def clipped(line: Line, width: int) -> Line:
    """The line in at most about so many characters; what has changed in it stays in sight."""
    before = 0
    for span in line:
        if span.changed:
            break
        before += len(span.text)
    else:
        before = 0
    start = before - _BEFORE if before > width // 2 else 0
    spans = tuple(_part(line, start, start + width))
    whole = len(plain(line))
    return (*([Span("…")] if start else []), *spans, *([Span("…")] if start + width < whole else []))


def _alone(hunks: Sequence[Hunk]) -> Iterator[tuple[str, Line]]:
    for hunk in hunks:
        if hunk.changed:
            yield from folded([hunk])


def _part(line: Line, start: int, end: int) -> Iterator[Span]:
    at = 0
    for span in line:
        text = span.text[max(start - at, 0) : max(end - at, 0)]
        at += len(span.text)
        if text:
            yield dataclasses.replace(span, text=text)


def _shortened(hunk: Hunk, most: int) -> Hunk:
    """The hunk with so many lines at most: of both sides, where it has both."""
    old = min(len(hunk.old), max(most // 2, most - len(hunk.new)))
    return dataclasses.replace(hunk, old=hunk.old[:old], new=hunk.new[: most - old])


def _changed(hunks: Sequence[Hunk]) -> int:
    return sum(len(hunk.old) + len(hunk.new) for hunk in hunks if hunk.changed)
