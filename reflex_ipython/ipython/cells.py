"""Which cell a piece of code came from: a log of the cells that ran, by the name that IPython gives to their code."""

from __future__ import annotations

import functools
import linecache
import sys
from collections import OrderedDict
from collections.abc import Callable
from threading import get_ident
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

from IPython import version_info

if TYPE_CHECKING:
    from reflex_ipython.models import CellRef

_COUNTS_EARLY = version_info[:2] >= (9, 8)
RUNS = 3
"""So many runs of one text are told at most, the latest."""
KEPT = 2_000
"""Cells. Beyond, the oldest is forgotten; its functions then count as code from nowhere."""


class RanCell(NamedTuple):
    """A cell that ran: its id (None where the front end gives none), the number in `In [n]`, and its raw text."""

    id: str | None
    number: int
    source: str

    @property
    def ref(self) -> CellRef:
        """Which cell that is."""
        from reflex_ipython.models import CellRef  # with the first failure: it brings all models along

        return CellRef(self.id, self.number)


class Ending(NamedTuple):
    """What ended the run of a cell, in one line, and the line of the cell on which that was."""

    error: str
    line: int | None


TAKEN_BACK = Ending("its run was taken back", None)


class CellLog:
    """The cells that ran in this kernel, oldest first.

    A kernel names a cell's code by a hash of its text that takes 0.15 ms for each kB. So the name is taken from the
    first statement that runs, and worked out only for a cell that has none.
    """

    def __init__(self) -> None:
        self._cells: OrderedDict[str, RanCell] = OrderedDict()
        self._endings: OrderedDict[tuple[str | None, int], Ending] = OrderedDict()
        self._runs: dict[tuple[str | None, int], tuple[int, ...]] = {}  # earlier ones of the same text
        self.unnamed: RanCell | None = None
        """The cell that has begun last, until its first statement runs."""
        self._thread = 0
        """The thread that runs it."""
        self._code_name: Callable[[], str] = str
        """What IPython will call its code."""
        self.loads_us: RanCell | None = None
        """The cell that ran as we were loaded: what it did before that, nobody saw."""

    def add(self, shell: Any, info: Any) -> RanCell:
        """Note a cell that is about to run.

        Parameters
        ----------
        shell : InteractiveShell
        info : ExecutionInfo
            As `pre_run_cell` has it.
        """
        # Since IPython 9.8 the counter has moved on by now, but the code is still named by the number before.
        number = shell.execution_count - (1 if info.store_history and _COUNTS_EARLY else 0)
        transformed = getattr(info, "transformed_cell", None)  # there since IPython 9.16
        if transformed is None:
            transformed = _transformed(shell, info.raw_cell)
        cell = RanCell(cell_id(shell, info), number, info.raw_cell)
        if self.unnamed is not None:
            self._name()
        self._code_name = functools.partial(shell.compile.get_code_name, info.raw_cell, transformed, number)
        self._thread = get_ident()
        self.unnamed = cell
        return cell

    def add_running(self, shell: Any) -> None:
        """Note the cell that runs now, if one does: the one that loads us, whose functions others will call."""
        code = _running(shell.user_ns)
        raw = getattr(getattr(shell, "history_manager", None), "input_hist_raw", None)
        if code is None or not raw or not _is_of(code, _transformed(shell, raw[-1])):
            return
        number = shell.execution_count - (1 if _COUNTS_EARLY else 0)
        self.loads_us = RanCell(_id_in_request(shell), number, raw[-1])
        self._add(code.co_filename, self.loads_us)

    def runs(self, code: CodeType) -> None:
        """A shell is about to run a statement on this thread: the first one of `unnamed`, if that runs here."""
        if self.unnamed is not None and self._thread == get_ident():
            self._add(code.co_filename, self.unnamed)

    def _name(self) -> None:
        """Name the cell of which no statement has run."""
        if self.unnamed is not None:
            self._add(self._code_name(), self.unnamed)

    def _add(self, name: str, cell: RanCell) -> None:
        self.unnamed = None
        before = self._cells.pop(name, None)
        if before is not None and before.id == cell.id and before.number != cell.number:
            earlier = self._runs.pop((before.id, before.number), ())
            self._runs[cell.id, cell.number] = (*earlier, before.number)[-RUNS:]
        self._cells[name] = cell
        if len(self._cells) > KEPT:
            _, oldest = self._cells.popitem(last=False)
            self._runs.pop((oldest.id, oldest.number), None)

    def failed(self, cell: RanCell, ending: Ending) -> None:
        """The run of a cell has failed."""
        self._endings[cell.id, cell.number] = ending
        if len(self._endings) > KEPT:
            self._endings.popitem(last=False)

    def taken_back(self, cell: RanCell) -> None:
        """The run of a cell was taken back: what it gave is not there."""
        self.failed(cell, TAKEN_BACK)

    def ending(self, cell: RanCell) -> Ending | None:
        """What ended the run of a cell; None if it ran well, or is not over."""
        return self._endings.get((cell.id, cell.number))

    def runs_before(self, cell: RanCell) -> tuple[int, ...]:
        """The numbers of the runs that this very text of the cell had before this one, the latest last."""
        return self._runs.get((cell.id, cell.number), ())

    def rename(self, cell: RanCell, source: str) -> RanCell:
        """A cell that runs has another text than the front end sent: it became an accepted fix."""
        renamed = cell._replace(source=source)
        if self.unnamed is cell:
            self.unnamed = renamed
        for name, known in self._cells.items():
            if known is cell:
                self._cells[name] = renamed
        return renamed

    def ran(self, cell_id: str | None, number: int | None, source: str) -> tuple[str, RanCell] | None:
        """The name of a cell's code and the cell, if that text is the one that it ran last with."""
        self._name()
        for name, cell in reversed(self._cells.items()):
            if cell.id == cell_id if cell_id is not None else cell.number == number:
                return (name, cell) if cell.source == source else None
        return None

    def rewritten(self, name: str, new_name: str, source: str, *, keep_old: bool) -> None:
        """A cell's functions have the code of a new text by now. `keep_old`: some still have the old one's."""
        self._name()
        cells: list[tuple[str, RanCell]] = []
        for known, cell in self._cells.items():
            if known != name or keep_old:
                cells.append((known, cell))
            if known == name:
                cells.append((new_name, cell._replace(source=source)))
        self._cells = OrderedDict(cells)

    def find(self, filename: str) -> RanCell | None:
        """The cell whose code has that name."""
        self._name()
        return self._cells.get(filename)

    def begun(self) -> list[RanCell]:
        """The same on any thread, without a cell of which no statement has run yet."""
        return list(self._cells.values())

    def all(self) -> list[RanCell]:
        """All that are known, in the order of their last run."""
        self._name()
        return list(self._cells.values())


def cell_id(shell: Any, info: Any) -> str | None:
    """The id that the front end gave to the cell; None where it gave none."""
    return str(info.cell_id) if info.cell_id else _id_in_request(shell)


def _id_in_request(shell: Any) -> str | None:
    found = (request_of(shell).get("metadata") or {}).get("cellId")
    return str(found) if found else None


def _running(namespace: dict[str, Any]) -> CodeType | None:
    """The code of the cell that runs on this thread: of its outermost frame that has the user's names."""
    frame: FrameType | None = sys._getframe()
    found = None
    while frame is not None:
        if frame.f_globals is namespace and frame.f_code.co_name == "<module>":
            found = frame.f_code
        frame = frame.f_back
    return found


def _is_of(code: CodeType, source: str) -> bool:
    """Whether that is the text of the cell: one that runs without history is not the last one there."""
    return "".join(linecache.getlines(code.co_filename)).rstrip("\n") == source.rstrip("\n")


def request_of(shell: Any) -> dict[str, Any]:
    """The message that had the running code run, or the last one; empty where there are none, as in a terminal."""
    return shell.get_parent() or {} if hasattr(shell, "get_parent") else {}


def _transformed(shell: Any, raw: str) -> str:
    try:
        return str(shell.transform_cell(raw))
    except Exception:  # noqa: BLE001 - transformers are foreign code; IPython falls back to the raw cell as well
        return raw
