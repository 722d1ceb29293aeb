"""Taking back the run of the last cell, by a command or by a page: the state, and the marks on what it had shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from reflex_ipython.errors import BadInput
from reflex_ipython.ipython.accepted_runs import AcceptedRuns
from reflex_ipython.ipython.cell_watch import CellWatch
from reflex_ipython.ipython.cells import CellLog
from reflex_ipython.ipython.from_kernel import TookBack
from reflex_ipython.ipython.front_end import FrontEnd, NotebookFrontEnd
from reflex_ipython.ipython.publish import on_main_thread
from reflex_ipython.ipython.run_rollback import take_back
from reflex_ipython.ipython.stale_results import StaleResults
from reflex_ipython.present.taken_back import taken_back

if TYPE_CHECKING:
    from reflex_ipython.ipython.from_page import Back

RUNS = "Not taken back: a cell is running. Wait for it or interrupt it, then try again."


class TakingBack:
    """What both ways do.

    Parameters
    ----------
    shell : InteractiveShell
    watch : CellWatch
        Has the runs that are kept.
    runs : AcceptedRuns
        Is told, as the last run may have been that of an accepted fix.
    front_end : FrontEnd
    cells : CellLog
        Is told as well.
    stale : StaleResults
        Knows which other cells have used what such a run had made.
    """

    def __init__(
        self,
        shell: Any,
        watch: CellWatch,
        runs: AcceptedRuns,
        front_end: FrontEnd,
        cells: CellLog,
        stale: StaleResults,
    ) -> None:
        self._shell = shell
        self._watch = watch
        self._runs = runs
        self._front_end = front_end
        self._cells = cells
        self._stale = stale

    def back(self, count: int = 1, request: str = "") -> str:
        """Take back the last cells, on the main thread.

        Parameters
        ----------
        count : int
            How many.
        request : str
            Under which name a page asked for it; empty: a command did.

        Returns
        -------
        str
            What came of it, a line for each.

        Raises
        ------
        BadInput
            If they can't be taken back, with the reason.
        """
        lines = []
        for place, run in enumerate(take_back(self._watch.kept, count)):
            if run.was_accepted and not place:
                self._runs.taken_back()
            stale = self._stale.behind(run.cell)
            self._cells.taken_back(run.cell)
            lines.append(taken_back(run.cell.number, run.words, stale))
            ids = tuple(one.cell.id for one in stale if one.cell.id)
            self._tell(TookBack(request, run.cell.id or "", True, lines[-1], ids))
        return "\n".join(lines)

    def asked(self, message: Back) -> None:
        """A page asks for it, on whichever thread; it is told what came of it."""

        def answer() -> None:
            try:
                if last is not self._watch.kept.latest:
                    raise BadInput(RUNS)
                self.back(request=message.request)
            except BadInput as error:
                self._tell(TookBack(message.request, "", False, str(error), ()))

        last = self._watch.kept.latest
        self._on_main_thread(answer)

    def _tell(self, message: TookBack) -> None:
        if isinstance(self._front_end, NotebookFrontEnd):
            self._front_end.tell(message)

    def _on_main_thread(self, work: Callable[[], None]) -> None:
        if self._watch.is_running:
            raise BadInput(RUNS)
        on_main_thread(self._shell.kernel, work)
