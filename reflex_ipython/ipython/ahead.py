"""A failure that is foreseen in the cell that runs: its repair, and how the cell becomes another while it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from reflex_ipython.errors import BadInput
from reflex_ipython.foreseen import ForeseenFailure, raised
from reflex_ipython.ipython.cell_watch import CellWatch
from reflex_ipython.ipython.cells import RanCell
from reflex_ipython.ipython.hooks import FailedCell
from reflex_ipython.ipython.mending import OVER
from reflex_ipython.ipython.notebook import FAILED
from reflex_ipython.ipython.statements import UnderWay
from reflex_ipython.models import Failure, Repair
from reflex_ipython.repairs.session import Session

if TYPE_CHECKING:
    from reflex_ipython.ipython.look_ahead import LookAhead

ENDED_WELL = "It did not come to that: the cell has ended without an error."
INTERRUPTED = "The cell was interrupted."
ALREADY = "Not applied again: this fix was accepted before, and the cell goes on with it."


class Ahead:
    """What was foreseen in the cell that runs.

    Parameters
    ----------
    shell : InteractiveShell
    session : Session
    watch : CellWatch
        Knows its statements.
    look_ahead : LookAhead
        Goes on looking, at what the cell becomes.
    capture : callable
        Makes a failure of a cell and its error.
    can_rewrite : callable
        Whether the page that runs the present cell can rewrite it.
    """

    def __init__(
        self,
        shell: Any,
        session: Session,
        watch: CellWatch,
        look_ahead: LookAhead,
        capture: Callable[[RanCell, BaseException], Failure],
        can_rewrite: Callable[[], bool],
    ) -> None:
        self._shell = shell
        self._session = session
        self._watch = watch
        self._look_ahead = look_ahead
        self._capture = capture
        self._can_rewrite = can_rewrite
        self._repair = ""
        """The id of the repair of what was foreseen last in it; empty if nothing was."""
        self._cell: RanCell | None = None
        """The cell as it is by now, if it was mended."""

    def foreseen(self, cell: RanCell, found: ForeseenFailure, under_way: UnderWay) -> None:
        """Open a repair for it, unless it is meant to fail, or there is no page to show it; on any thread."""
        if not self._can_rewrite():
            return
        error = raised(found.error, found.node, under_way.filename, self._shell.user_ns)
        failure = self._capture(cell, error)
        if failure.expected or not self._look_ahead.watches(cell):
            return
        self._session.foreseen(failure, self._told)
        if not self._look_ahead.watches(cell):  # it has ended meanwhile
            self._end(FAILED)

    def _told(self, repair_id: str) -> None:
        self._repair = repair_id

    def over(self, failed: FailedCell | None) -> FailedCell | None:
        """The cell has ended; gives its failure, if it has failed, as that of the cell which it became."""
        cell, self._cell = self._cell, None
        interrupted = failed is not None and failed.stage == "interrupted"
        self._end(ENDED_WELL if failed is None else INTERRUPTED if interrupted else FAILED)
        return failed if failed is None or cell is None else failed._replace(cell=cell)

    def check(self, repair: Repair, source: str) -> None:
        """Refuse what can't be changed any more.

        Raises
        ------
        BadInput
            With the reason.
        """
        if repair.decision is not None and repair.decision.kind == "accepted":
            raise BadInput(ALREADY)
        if repair.id != self._repair:
            raise BadInput(OVER)
        self._watch.check_mending(source)

    def mend(self, repair: Repair, source: str) -> None:
        """Have the running cell go on with a text that its page has got already; on any thread.

        Raises
        ------
        BadInput
            If its line has begun meanwhile.
        """
        if repair.id != self._repair:
            raise BadInput(OVER)
        self._cell = cell = self._watch.mend(source)
        self._repair = ""
        self._note_input(cell)
        self._session.becomes(repair.id, cell.ref, source)
        self._look_ahead.becomes(cell)

    def _note_input(self, cell: RanCell) -> None:
        """`In[n]` is what has run."""
        history = self._shell.history_manager
        for inputs, text in (
            (history.input_hist_raw, cell.source),
            (history.input_hist_parsed, self._shell.transform_cell(cell.source)),
        ):
            if 0 < cell.number < len(inputs):
                inputs[cell.number] = text

    def _end(self, words: str) -> None:
        repair, self._repair = self._repair, ""
        if repair:
            self._session.decisions.over(repair, words)
