"""The log of cells as the capture asks it."""

from __future__ import annotations

import dataclasses

from reflex_ipython.ipython.cells import CellLog, Ending, RanCell
from reflex_ipython.models import CellSource


@dataclasses.dataclass(frozen=True)
class KnownCells:
    """Answers as a `capture.CellLookup`."""

    log: CellLog

    def find(self, filename: str) -> CellSource | None:
        """The cell whose code has that name."""
        found = self.log.find(filename)
        return None if found is None else self.source(found)

    def all(self) -> list[CellSource]:
        """All that are known, in the order of their last run."""
        return [self.source(cell) for cell in self.log.all()]

    def source(self, cell: RanCell) -> CellSource:
        """The cell as the capture has it."""
        ending = self.log.ending(cell) or Ending("", None)
        return CellSource(cell.ref, cell.source, ending.error, ending.line, self.log.runs_before(cell))
