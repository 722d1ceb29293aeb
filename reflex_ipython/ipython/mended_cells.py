"""A failed cell that the user has mended by hand: whether `%reflex resume` can have it go on where it failed."""

from __future__ import annotations

from reflex_ipython.errors import BadInput
from reflex_ipython.ipython.acceptance import ResumeCommand
from reflex_ipython.ipython.asking import RunQuestion
from reflex_ipython.ipython.failed_runs import FailedRuns
from reflex_ipython.models import Repair
from reflex_ipython.present.mended import resume_offer
from reflex_ipython.repairs.session import Session

NONE_OPEN = "There is no open repair: no cell has failed, or every repair has been decided."


class MendedCells:
    """The failed cells of a session, as the user has mended them in a cell of its own.

    Parameters
    ----------
    session : Session
    failures : FailedRuns
        Knows what the last failed cell did.
    asking : RunQuestion
        Asks the user whether something may happen again.
    """

    def __init__(self, session: Session, failures: FailedRuns, asking: RunQuestion) -> None:
        self._session = session
        self._failures = failures
        self._asking = asking

    def repair(self, repair_id: str = "") -> Repair:
        """The repair of a failed cell; without an id, of the latest.

        Raises
        ------
        BadInput
            If there is none.
        """
        repair = self._session.repairs.find(repair_id) if repair_id else self._session.repairs.latest()
        if repair is None:
            raise BadInput(NONE_OPEN)
        return repair

    def why_not_resumed(self, repair_id: str, source: str) -> str:
        """Why a mended source of a failed cell can't go on where that failed; empty if it can."""
        try:
            repair = self.repair(repair_id)
        except BadInput as error:
            return str(error)
        if repair.decision is not None and repair.decision.kind in ("accepted", "superseded"):
            return "The failed cell was repaired, or has run again since."
        self._failures.find_out()
        run_options = self._session.resumable(repair.id, source)
        label, words = resume_offer(run_options)
        if label and self._asking.settled(run_options, "") is None and not self._asking.possible():
            return f"It {words}, and nobody can be asked whether it may."
        return "" if label else words

    def can_resume(self, resumes: ResumeCommand) -> bool:
        """Whether a cell that says `%reflex resume` becomes the mended source below that line."""
        return not self.why_not_resumed(resumes.repair_id, resumes.source)
