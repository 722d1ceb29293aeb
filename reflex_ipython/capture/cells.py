"""The door to the notebook's cells, and the way back from the code that ran to the text that the user wrote."""

from __future__ import annotations

import linecache
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from reflex_ipython.models import CellSource


class CellLookup(Protocol):
    """What the capture asks about cells. Whoever knows the kernel answers."""

    def find(self, filename: str) -> CellSource | None:
        """The cell whose code has this file name, with its raw text; None if it is no cell's."""

    def all(self) -> Sequence[CellSource]:
        """The cells that ran, with their raw texts, in the order they ran in; the failing one may be among them."""


class NoCells:
    """Where there are no cells, as in a script."""

    def find(self, filename: str) -> CellSource | None:
        """None."""
        return None

    def all(self) -> Sequence[CellSource]:
        """Nothing."""
        return ()


class Lines:
    """Which line of a cell's raw text a line of its transformed text is.

    IPython keeps the number of lines for plain Python and line magics; it drops empty lines at the start and common
    indentation, and joins what a cell magic or a continued shell command spans. `%%time` runs all but the first line.
    What does not correspond is None.

    Parameters
    ----------
    raw, transformed : str
        The text that the user wrote, and the Python that ran.
    """

    def __init__(self, raw: str, transformed: str) -> None:
        self._raw = _lines(raw)
        self._transformed = _lines(transformed)
        self._skipped = len(self._raw) - len(self._transformed)
        dropped = self._raw[: max(self._skipped, 0)]
        self._parallel = self._skipped >= 0 and not any(line.strip() for line in dropped if not line.startswith("%%"))
        self._count = Counter(line.strip() for line in self._raw)

    def raw(self, lineno: int) -> int | None:
        """The 1-based line of the raw text, or None."""
        if self._parallel:
            return lineno + self._skipped
        text = self._transformed[lineno - 1].strip() if 0 < lineno <= len(self._transformed) else ""
        if not text or self._count[text] != 1:
            return None
        return next(number for number, line in enumerate(self._raw, 1) if line.strip() == text)

    def shift(self, lineno: int) -> int | None:
        """How many columns further right the raw line is, or None if it is another text."""
        found = self.raw(lineno)
        if found is None or not 0 < found <= len(self._raw) or not 0 < lineno <= len(self._transformed):
            return None
        raw, transformed = self._raw[found - 1], self._transformed[lineno - 1]
        return len(raw) - len(transformed) if raw.strip() == transformed.strip() else None


def ran(filename: str, raw: str) -> str:
    """The text that ran under this file name, as Python's line cache has it; else the raw text."""
    if filename in TIMED:
        return raw.partition("\n")[2]
    return "".join(linecache.getlines(filename)) or raw


TIMED = ("<timed exec>", "<timed eval>", "<magic-timeit>", "<unknown>")
"""What `%%time` and `%%timeit` call the code of their cell, the last while it is parsed."""


@dataclass(frozen=True)
class FailingCell:
    """Knows the failing cell besides the ones that it is given."""

    cells: CellLookup
    failing: CellSource

    def find(self, filename: str) -> CellSource | None:
        """As the given ones say; and what a timing magic runs is the failing cell's."""
        if filename in TIMED and self.failing.source.lstrip().startswith("%%time"):
            return self.failing
        return self.cells.find(filename)

    def all(self) -> Sequence[CellSource]:
        """The other ones."""
        return [cell for cell in self.cells.all() if cell.cell != self.failing.cell]


def _lines(text: str) -> list[str]:
    return text.rstrip().split("\n")
