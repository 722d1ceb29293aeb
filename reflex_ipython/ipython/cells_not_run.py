"""Proposes to run cells that did not run: asks the page for the notebook's cells, once one has failed for want of one.

Where a model may be told of it, the page is asked after any other failure too: which cells have been edited since they
ran. A page that never answers costs a worker some patience, and nobody else anything.
"""

from __future__ import annotations

import dataclasses
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

from reflex_ipython.capture.not_run import CellState, Lacking, may_be_in_another_cell, missing
from reflex_ipython.ipython.cells import TAKEN_BACK, CellLog, RanCell
from reflex_ipython.models import Cause, CellRef, Failure, Fix
from reflex_ipython.propose.cells_not_run import cells_not_run
from reflex_ipython.protocols import Request, Where

PATIENCE = 10.0
"""Seconds that a worker waits for the page."""
_SOON = 1.0
"""Seconds that a question to a model waits for it: it is asked without what the page would say."""
_EDITED = "was edited since it ran"
_STEP = 0.05  # seconds after which it looks whether it was cancelled
_KEPT = 20
_MOST = 500
"""Cells of a page that are looked at."""
_LONGEST, _ALL = 20_000, 200_000
"""Characters of a cell, and of all cells."""


@dataclasses.dataclass
class _AskedPage:
    failure: Failure
    answered: threading.Event = dataclasses.field(default_factory=threading.Event)
    cells: list[CellState] = dataclasses.field(default_factory=list)


class CellsNotRun:
    """A provider of fixes that run cells first (`protocols.FixProvider`).

    Parameters
    ----------
    shell : InteractiveShell
    log : CellLog
        The cells that ran.
    ask : callable
        Asks the page for its cells, under a name; whether there is one to ask.
    tells : callable
        Whether somebody may be told of the cells who takes their time.
    """

    name = "rule"
    where: Where = "instant"
    cost = ""
    label = "the notebook's cells"

    def __init__(self, shell: Any, log: CellLog, ask: Callable[[str], bool], tells: Callable[[], bool]) -> None:
        self._shell = shell
        self._log = log
        self._ask = ask
        self._tells = tells
        self._asked: OrderedDict[str, _AskedPage] = OrderedDict()

    def failed(self, failure: Failure) -> None:
        """A cell has failed: ask for what is needed, if another cell may give what it lacked. On the main thread."""
        matters = may_be_in_another_cell(failure) or (bool(failure.situation.earlier) and self._tells())
        if failure.expected or not matters:
            return
        asked = self._asked[failure.id] = _AskedPage(failure)
        while len(self._asked) > _KEPT:
            self._asked.popitem(last=False)
        if not self._ask(failure.id):
            self._answer(asked, self._ran())

    def of(self, cause: Cause) -> CellsNotRun | None:
        """Itself, if there is or may soon be something to propose."""
        asked = self._asked.get(cause.id)
        if asked is None or not may_be_in_another_cell(asked.failure):
            return None
        return None if asked.answered.is_set() and self._found(asked) is None else self

    def with_edited(self, cause: Cause) -> Cause:
        """The same with a mark at the earlier cells that have another text in the notebook than the one that ran."""
        asked = self._asked.get(cause.id)
        waits = _SOON if threading.current_thread() is not threading.main_thread() else 0.0  # which hears the page
        if asked is None or not asked.answered.wait(waits):
            return cause
        edited = {one.cell.id for one in asked.cells if one.why == _EDITED}
        earlier = tuple(
            dataclasses.replace(cell, edited=cell.edited or cell.cell.id in edited) for cell in cause.situation.earlier
        )
        return dataclasses.replace(cause, situation=dataclasses.replace(cause.situation, earlier=earlier))

    def came(self, request: str, cells: list[dict[str, Any]]) -> None:
        """A page has answered: what it says is bounded, and counts once."""
        asked = self._asked.get(request)
        if asked is not None and not asked.answered.is_set():
            self._answer(asked, self._of_page(cells))

    def propose(self, cause: Cause, request: Request) -> Iterator[Fix]:
        """Yield the fix, when the notebook's cells are known."""
        asked = self._asked.get(cause.id)
        if asked is None:
            return
        for _ in range(int(PATIENCE / _STEP)):
            if request.cancelled.is_set() or asked.answered.wait(_STEP):
                break
        found = self._found(asked)
        if found is None:
            return
        fix = cells_not_run(found.wanted, found.setter, found.cells, others=found.others, below=found.below)
        if not found.misspelt:
            yield fix
            return
        from reflex_ipython.propose.misspelt_not_run import with_name_corrected  # of the rules, as above

        yield from with_name_corrected(fix, asked.failure, found.misspelt, found.wanted)

    def _answer(self, asked: _AskedPage, cells: list[CellState]) -> None:
        asked.cells = cells
        asked.answered.set()

    def _found(self, asked: _AskedPage) -> Lacking | None:
        """What is to run, as far as the cells are known by now. On a worker's thread, which has loaded the rules."""
        from reflex_ipython.propose.rules.closeness import closest

        there = self._shell.user_ns
        return missing(asked.failure, asked.cells, lambda name: dict.__contains__(there, name), closest)

    def _ran(self) -> list[CellState]:
        """The cells that ran, with the text of their last run, in that order: all that is known without a page."""
        latest = {cell.id or str(cell.number): cell for cell in self._log.all()}
        return [
            CellState(CellRef(cell.id, cell.number), cell.source, None, self._why(cell, cell.source))
            for cell in latest.values()
        ]

    def _of_page(self, cells: list[dict[str, Any]]) -> list[CellState]:
        latest = {cell.id: cell for cell in self._log.all()}
        found: list[CellState] = []
        left = _ALL
        for one in cells[:_MOST]:
            cell_id, source, number = one.get("id"), one.get("source"), one.get("number")
            if type(cell_id) is not str or type(source) is not str or type(number) is not int:
                continue
            left -= len(source)
            if len(source) > _LONGEST or left < 0:
                continue
            ran = latest.get(cell_id)
            ref = CellRef(cell_id, ran.number if ran is not None else None)
            found.append(CellState(ref, source, number, self._why(ran, source)))
        return found

    def _why(self, ran: RanCell | None, source: str) -> str:
        """Why what a cell gives is not there; empty if that text has run to its end."""
        if ran is None:
            return "was not run in this session"
        if ran.source != source:
            return _EDITED
        ending = self._log.ending(ran)
        if ending is None:
            return ""
        if ending is TAKEN_BACK:
            return "was taken back"
        return f"failed{f' on line {ending.line}' if ending.line else ''}: {ending.error}"
