"""The part of a long cell that a search reads again and again: the statements around the problem.

Each edit that is tried is a text to be parsed, and in a cell of a thousand lines that is slow. Where the rest parses
without those statements, it need not be read each time.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from reflex_ipython.propose.rules.cell import Cell, read

_SHORT = 40
"""Lines of a cell that is read as a whole."""
_MOST = 160
_STARTS = re.compile(r"[^\s#)\]}](?!(?:lse|lif|xcept|inally)\b)")


class Window(NamedTuple):
    """A cell in three parts; the problem is in the middle one."""

    before: str
    middle: str
    after: str


def window(cell: Cell) -> Window:
    """The statements around the problem of a cell; all of it where they can't be told from the rest."""
    whole = Window("", cell.source, "")
    if cell.problem is None or len(cell.starts) <= _SHORT:
        return whole
    tops = [line for line in range(1, len(cell.starts) + 1) if _STARTS.match(cell.line(line))]
    above = [line for line in tops if line <= cell.problem.lineno]
    below = [line for line in tops if line > cell.problem.lineno]
    # The statement alone may end in the middle of another one, where a bracket or a text does not: then some more.
    for more in (2, 6):
        first = above[-more] if len(above) >= more else 1
        last = below[more - 1] if len(below) >= more else len(cell.starts) + 1
        if last - first > _MOST:
            break
        found = _cut(cell, first, last)
        blank = "\n" * (last - first)
        if read(found.middle).problem is not None and read(f"{found.before}{blank}{found.after}").problem is None:
            return found
    return whole


def _cut(cell: Cell, first: int, last: int) -> Window:
    start = cell.starts[first - 1]
    end = cell.starts[last - 1] if last <= len(cell.starts) else len(cell.source)
    return Window(cell.source[:start], cell.source[start:end], cell.source[end:])
