"""A repair begins: a cell has failed, or code is asked for."""

from __future__ import annotations

from reflex_ipython.capture import exception_info
from reflex_ipython.ipython.causes import Causes
from reflex_ipython.ipython.cells import CellLog, Ending, RanCell
from reflex_ipython.ipython.cells_not_run import CellsNotRun
from reflex_ipython.ipython.failed_runs import FailedRuns
from reflex_ipython.ipython.front_end import FrontEnd, TerminalFrontEnd
from reflex_ipython.ipython.hooks import FailedCell, InstallFailed
from reflex_ipython.models import Repair
from reflex_ipython.repairs.progress import LOOKING, SEARCHING, TRYING
from reflex_ipython.repairs.session import Session

PAGE_PATIENCE, PATIENCE = 0.1, 3.0
"""Seconds that a failed cell's end waits for the rules, with a page and without; the first time they are imported."""
LONG, MANY = 5_000, 150
"""Characters and lines of a cell beyond which it is read only once its reply is out, where a page draws what comes
later: to read so many and to judge a fix takes some 30 ms, and the reply would come later by that, as only one thread
of Python runs at a time.
"""
TERMINAL_PATIENCE = 1.0
"""Seconds: a terminal's prompt waits for a trial, so that the verdict is printed above it."""


class NewRepairs:
    """Begins repairs, on the kernel's main thread, which waits for them as long as the front end needs.

    Parameters
    ----------
    session : Session
    causes : Causes
    cells : CellLog
    failures : FailedRuns
        Knows what the cell that failed did.
    not_run : CellsNotRun
        Learns of a failure: what a cell that did not run defines may be the answer.
    front_end : FrontEnd
    """

    def __init__(
        self,
        session: Session,
        causes: Causes,
        cells: CellLog,
        failures: FailedRuns,
        not_run: CellsNotRun,
        front_end: FrontEnd,
    ) -> None:
        self._session = session
        self._causes = causes
        self._cells = cells
        self._failures = failures
        self._not_run = not_run
        self._front_end = front_end

    def of_failure(self, failed: FailedCell, *, quietly: bool = False) -> Repair | None:
        """A cell has failed.

        Parameters
        ----------
        failed : FailedCell
        quietly : bool
            Whether no fix is looked for.

        Returns
        -------
        Repair or None
            None if none has begun.
        """
        if quietly:
            if isinstance(failed.error, InstallFailed):  # it has not gone on anywhere
                self._session.resumed("", plainly=True)
            self._session.ended(exception_info(failed.error))
            return None
        stage = "run" if failed.stage == "interrupted" else failed.stage
        failure = self._causes.failure(failed.cell, failed.error, stage)
        self._cells.failed(failed.cell, Ending(failure.title, failure.lineno))
        self._session.ended(failure.error)
        self._not_run.failed(failure)
        # A page draws what comes later; elsewhere what is shown first may be all that is kept, as in a run by nbclient.
        page = self._front_end.can_rewrite()
        source = failed.cell.source
        long = page and (len(source) > LONG or source.count("\n") > MANY)
        if not long:
            self._failures.find_out()  # fixes are judged with it, and the main thread, which waits for them, alone can
        repair = self._session.failed(failure, patience=PAGE_PATIENCE if page else PATIENCE, after_reply=long)
        opened = self._session.repairs.open(repair.id)
        if isinstance(self._front_end, TerminalFrontEnd) and opened.work in (LOOKING, TRYING, SEARCHING):
            opened.wait(timeout=TERMINAL_PATIENCE)
        return repair

    def of_wish(self, words: str, cell: RanCell) -> None:
        """Code is asked for, in the cell that runs. In a terminal its prompt waits for that; Ctrl-C ends it.

        Raises
        ------
        BadInput
            If no model was chosen.
        """
        repair = self._session.wished(self._causes.wish(words, cell))
        if isinstance(self._front_end, TerminalFrontEnd):
            try:
                self._session.repairs.open(repair.id).wait()
            except KeyboardInterrupt:
                self._session.cancel(repair.id)
                raise
