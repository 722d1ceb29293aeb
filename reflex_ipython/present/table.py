"""The history's table in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Group
from rich.table import Table
from rich.text import Text

from reflex_ipython.present.terminal import TONES, Drawing

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

    from reflex_ipython.present.history import Row

ROOMY = 100
"""From so many characters on, all columns stand side by side."""
GAP = 2
"""Characters between two columns."""


class _Listing:
    def __init__(self, columns: Sequence[str], rows: Sequence[Row], footer: str) -> None:
        self._columns, self._rows, self._footer = columns, rows, footer

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        body = self._table(options.max_width) if options.max_width >= ROOMY else self._list()
        yield Group(body, Text(self._footer, "dim"))

    def _table(self, width: int) -> RenderableType:
        table = Table(box=None, header_style="bold", padding=(0, GAP, 0, 0), pad_edge=False)
        for name, room in zip(self._columns, self._widths(width)):
            table.add_column(name, no_wrap=True, overflow="ellipsis", width=room)
        for row in self._rows:
            *others, last = row.cells
            table.add_row(*map(Text, others), Text(last, TONES[row.tone]))
        return table

    def _widths(self, width: int) -> list[int]:
        """How many characters each column gets: the error and the fix share what the others leave."""
        columns = zip(self._columns, *(row.cells for row in self._rows))
        widths = [max(map(cell_len, column)) for column in columns]
        error, fix = self._columns.index("Error"), self._columns.index("Fix")
        room = width - GAP * (len(widths) - 1) - sum(widths) + widths[error] + widths[fix]
        widths[fix] = min(widths[fix], max(room * 2 // 5, room - widths[error]))
        widths[error] = min(widths[error], room - widths[fix])
        return widths

    def _list(self) -> RenderableType:
        """Two lines a repair, where a table has no room."""
        lines = []
        for row in self._rows:
            repair_id, when, cell, error, fix, decision, outcome = row.cells
            lines.append(
                Text.assemble((repair_id, "bold"), f"  {when}  {cell}  {error}", no_wrap=True, overflow="ellipsis")
            )
            second = Text.assemble(
                f"  {fix} · {decision} · ", (outcome, TONES[row.tone]), no_wrap=True, overflow="ellipsis"
            )
            lines.append(second)
        return Group(*lines)


def terminal_table(columns: Sequence[str], rows: Sequence[Row], footer: str) -> Drawing:
    """The rows side by side, or below each other where the terminal is narrow."""
    return Drawing(_Listing(columns, rows, footer))
