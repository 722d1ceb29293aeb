"""What a cell runs, once something has failed: itself, or the fix that it accepts, whole or from where it failed on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reflex_ipython.ipython.acceptance import Acceptance, accepted, resumed
from reflex_ipython.ipython.cells import CellLog, RanCell, request_of
from reflex_ipython.ipython.interrupts import held
from reflex_ipython.ipython.left_out import LeavingOut
from reflex_ipython.ipython.page_comm import PageComm
from reflex_ipython.present.question import NOT_ACCEPTED

if TYPE_CHECKING:
    from reflex_ipython.ipython.assembly import Assembly
    from reflex_ipython.ipython.resumption import Resumption


class WhatRuns:
    """Says of each cell that begins what it runs.

    Parameters
    ----------
    shell : InteractiveShell
    cells : CellLog
    page : PageComm or None
        The comm to the pages; None in a terminal.
    leaving_out : LeavingOut
        Can let a cell run nothing.
    acceptance : Acceptance
        The transformer, which knows what IPython was given.
    assembly : Assembly
    """

    def __init__(
        self,
        shell: Any,
        cells: CellLog,
        page: PageComm | None,
        leaving_out: LeavingOut,
        acceptance: Acceptance,
        assembly: Assembly,
    ) -> None:
        self._shell = shell
        self._cells = cells
        self._page = page
        self._leaving_out = leaving_out
        self._acceptance = acceptance
        self._assembly = assembly

    def of(self, cell: RanCell) -> tuple[RanCell, Resumption | None] | None:
        """The cell as it runs, and how it goes on where it failed; None if it runs nothing.

        An interrupt strikes the cell once it is prepared: else its fix would run on what the failed run has left.
        """
        try:
            brought = None if self._page is None else self._page.brought(request_of(self._shell))
            if brought is not None:
                with held():
                    self._assembly.receive_with(cell, brought)
            accepts = None if self._assembly.is_refused(cell) else self._accepted(cell)
            if accepts is None:
                self._leaving_out.run_nothing()
                return None
            cell, becomes = accepts
            with held():
                return cell, self._assembly.runs.starts(cell, becomes)
        except KeyboardInterrupt:  # as the user was asked, or for the second time
            self._assembly.runs.interrupted(cell)
            self._leaving_out.interrupt()
            return None

    def _accepted(self, cell: RanCell) -> tuple[RanCell, str] | None:
        """The cell as it runs, and the repair that it is: one that says `%reflex accept` is the fixed source now.

        None: the user was asked what may happen again, and wants nothing to happen.
        """
        accepting, session = self._assembly.accepting, self._assembly.session
        resumes = resumed(cell.source)
        if resumes is not None and self._assembly.mended.can_resume(resumes):
            repair = self._assembly.mended.repair(resumes.repair_id)
            answer = accepting.how_to_run(repair, session.own_fix(repair.id, resumes.source), "")
            if answer == "no":
                print(NOT_ACCEPTED)
                return None
            with held():
                session.decisions.mended(repair.id, resumes.source, whole=answer == "whole")
            return self._becomes(cell, resumes.source), repair.id
        accepts = accepted(cell.source)
        source = None if accepts is None else self._acceptance.becomes(cell.source)
        if accepts is None or source is None:
            return cell, ""
        repair, fix = accepting.to_accept(accepts.which)
        answer = accepting.how_to_run(repair, fix, accepts.how)
        if answer == "no":
            print(NOT_ACCEPTED)
            return None
        with held():
            repair, _ = session.decisions.accept(repair.id, fix.id, whole=answer == "whole")
        return self._becomes(cell, source), repair.id

    def _becomes(self, cell: RanCell, source: str) -> RanCell:
        """The cell with the source that runs in its place."""
        if self._page is not None:  # a terminal would put it into the next prompt
            self._shell.set_next_input(source, replace=True)
        return self._cells.rename(cell, source)
