"""A diff as lines, with long unchanged parts left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reflex_ipython.present.diff import Hunk, Line, Span

FOLD = "…"
"""Stands where lines are left out."""


def folded(hunks: Sequence[Hunk], context: int = 3) -> Iterator[tuple[str, Line]]:
    """Pairs of a sign (" ", "-", "+", or `FOLD`) and a line; `FOLD`'s line says how many are left out.

    Parameters
    ----------
    hunks : sequence of Hunk
        A whole diff.
    context : int
        How many unchanged lines are kept next to a change.
    """
    for number, hunk in enumerate(hunks):
        if hunk.changed:
            yield from (("-", line) for line in hunk.old)
            yield from (("+", line) for line in hunk.new)
            continue
        head = context if number else 0
        tail = context if number < len(hunks) - 1 else 0
        hidden = len(hunk.new) - head - tail
        if hidden < 2:
            yield from ((" ", line) for line in hunk.new)
            continue
        yield from ((" ", line) for line in hunk.new[:head])
        yield FOLD, (Span(f"{hidden} unchanged lines"),)
        yield from ((" ", line) for line in hunk.new[len(hunk.new) - tail :])
