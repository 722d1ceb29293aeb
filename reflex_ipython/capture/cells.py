"""The door to the notebook's cells, and the way back from the code that ran to the text that the user wrote."""

from __future__ import annotations

import functools
import linecache
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from types import CodeType
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


class LineMap:
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
        self._texts = raw.rstrip(), transformed.rstrip()
        self._skipped = self._texts[0].count("\n") - self._texts[1].count("\n")

    @functools.cached_property
    def _parallel(self) -> bool:
        """Whether the lines correspond one to one, but for those that were dropped at the start."""
        dropped = self._texts[0].split("\n", self._skipped)[: self._skipped] if self._skipped > 0 else []
        return self._skipped >= 0 and not any(line.strip() for line in dropped if not line.startswith("%%"))

    @functools.cached_property
    def _raw(self) -> list[str]:
        """The lines that the user wrote; asked for a place of a long cell only where the number of a line says less."""
        return self._texts[0].split("\n")

    @functools.cached_property
    def _transformed(self) -> list[str]:
        return self._texts[1].split("\n")

    @functools.cached_property
    def _count(self) -> Counter[str]:
        """How often each line is there: asked only where something was left out."""
        return Counter(line.strip() for line in self._raw)

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
    """Knows the failing cell besides the ones that it is given, and what a cell magic makes of a cell."""

    cells: CellLookup
    failing: CellSource

    def find(self, filename: str) -> CellSource | None:
        """As the given ones say; and what a timing magic runs is the failing cell's."""
        if filename in TIMED and _is_timed(self.failing):
            return self.failing
        found = self.cells.find(filename)
        return None if found is None else self._whole(found)

    def of(self, code: CodeType) -> CellSource | None:
        """The cell that a code came from. A function that an earlier timed cell made is not the failing cell's."""
        found = self.find(code.co_filename)
        own = found is None or code.co_filename not in TIMED or _holds(ran(code.co_filename, found.source), code)
        return found if own else None

    def all(self) -> Sequence[CellSource]:
        """The other ones."""
        return self._others

    @functools.cached_property
    def _others(self) -> tuple[CellSource, ...]:
        whole = [cell for cell in self.cells.all() if self._whole(cell) is cell]
        return tuple(cell for cell in whole if cell.cell != self.failing.cell)

    def runs_before(self) -> tuple[int, ...]:
        """The numbers of the runs that this very text of the failing cell had before, as far as they are known."""
        own = [one for one in self.cells.all() if one.cell == self.failing.cell and one.source == self.failing.source]
        return own[-1].runs if own else ()

    def is_rewritten(self, cell: CellSource) -> bool:
        """Whether that cell ran again since, with another text. Cells without ids can't be told to be the same one."""
        return cell.cell.id is not None and cell.source != self._latest.get(cell.cell.id, cell.source)

    @functools.cached_property
    def _latest(self) -> dict[str | None, str]:
        """The text with which each cell ran last, by its id."""
        return {one.cell.id: one.source for one in (*self.all(), self.failing)}

    def _whole(self, cell: CellSource) -> CellSource:
        """The cell whose magic ran this text as a cell of its own, as `%%capture` does; else the cell itself."""
        whole = self._bodies.get(cell.source.strip())
        own = whole is None or cell == self.failing or cell.cell.id not in (None, whole.cell.id)
        return cell if own or whole is None else whole

    @functools.cached_property
    def _bodies(self) -> dict[str, CellSource]:
        """The cells that begin with a cell magic, by the text below it."""
        magic = (cell for cell in self.cells.all() if cell.source.startswith("%%"))
        return {cell.source.partition("\n")[2].strip(): cell for cell in magic}


def _is_timed(cell: CellSource) -> bool:
    return cell.source.lstrip().startswith("%%time")


def _holds(text: str, code: CodeType) -> bool:
    """Whether a text has a function or class of this name, a lambda or a comprehension, where the code begins."""
    lines = _lines(text)[code.co_firstlineno - 1 :]
    first = next((line for line in lines if not line.lstrip().startswith("@")), "")
    sign = {"<module>": "", "<lambda>": "lambda"}.get(code.co_name, "for")
    named = re.search(rf"\b(?:def|class)\s+{re.escape(code.co_name)}\b", first)
    return named is not None if code.co_name.isidentifier() else sign in first


def _lines(text: str) -> list[str]:
    return text.rstrip().split("\n")
