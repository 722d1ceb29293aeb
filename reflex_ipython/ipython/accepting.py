"""What `%reflex accept` accepts, and how it is to run: the user is asked where that matters."""

from __future__ import annotations

from collections.abc import Callable

from reflex_ipython.errors import BadInput
from reflex_ipython.ipython.acceptance import AcceptCommand
from reflex_ipython.ipython.asking import RunQuestion
from reflex_ipython.ipython.failed_runs import FailedRuns
from reflex_ipython.ipython.kernel_trials import KernelTrials
from reflex_ipython.ipython.meant import meant_fix
from reflex_ipython.ipython.mended_cells import NONE_OPEN
from reflex_ipython.ipython.which import Which
from reflex_ipython.models import Fix, Repair, cell_changes
from reflex_ipython.present.question import Answer
from reflex_ipython.repairs.open_repair import OpenRepair
from reflex_ipython.repairs.progress import LOOKING, SEARCHING
from reflex_ipython.repairs.session import Session
from reflex_ipython.stages import Consequences

FIRST_LOOK_PATIENCE = 10.0
"""Seconds: who runs all cells accepts right behind the failure, where on a busy machine the rules may still look."""


class Accepting:
    """Finds out which fix is meant, and asks how it is to run.

    Parameters
    ----------
    session : Session
    failures : FailedRuns
    trials : KernelTrials
    consequences : Consequences
    asking : RunQuestion
    can_rewrite : callable
        Whether a page can rewrite the failed cell itself.
    """

    def __init__(
        self,
        session: Session,
        failures: FailedRuns,
        trials: KernelTrials,
        consequences: Consequences,
        asking: RunQuestion,
        can_rewrite: Callable[[], bool],
    ) -> None:
        self._session = session
        self._failures = failures
        self._trials = trials
        self._consequences = consequences
        self._asking = asking
        self._can_rewrite = can_rewrite

    def to_accept(self, meant: Which, command: str = "accept") -> tuple[Repair, Fix]:
        """The repair and its fix that are to be accepted, once the rules have looked at it.

        Parameters
        ----------
        meant : Which
            Without an id: the latest that is not decided. Without a number: the first fix.
        command : str
            Who asks, to be named where a number is missing.

        Raises
        ------
        BadInput
            If there is none, or several may be meant and none is named.
        """
        repairs = self._session.repairs
        repair = repairs.find(meant.repair_id) if meant.repair_id else repairs.latest(None)
        if repair is None:
            raise BadInput(NONE_OPEN)
        if not repair.fixes:
            self._failures.find_out()  # fixes are judged with it, and the main thread alone can
            opened = repairs.open(repair.id)
            opened.wait(_candidates_are_known, FIRST_LOOK_PATIENCE)
            self._trials.catch_up()  # nothing is tried without the copy, which waits for this very thread
            opened.wait(_rules_have_looked, FIRST_LOOK_PATIENCE)
        repair = repairs.find(repair.id)
        return repair, meant_fix(repair, meant.number, command)

    def how_to_run(self, repair: Repair, fix: Fix, flag: str) -> Answer:
        """How a fix is to run: the user is asked, if that would do something again.

        Parameters
        ----------
        repair : Repair
        fix : Fix
            One of its fixes.
        flag : str
            "resume" or "whole", if the user has said so already.

        Raises
        ------
        BadInput
            If nobody can be asked, or if it can't be resumed.
        """
        run_options = self._consequences.run_options(cell_changes(fix, repair.situation))
        return self._asking.settled(run_options, flag) or self._asking.ask(run_options)

    def fixed_source(self, accepts: AcceptCommand) -> str | None:
        """What `%reflex accept` as a cell becomes; None if the failed cell itself can be rewritten, or none is open.

        None as well if it has to be asked how to run it and nobody can be: the command itself says so.
        """
        if self._can_rewrite():
            return None
        try:
            repair, fix = self.to_accept(accepts.which)
            changes = cell_changes(fix, repair.situation)
            settled = self._asking.settled(self._consequences.run_options(changes), accepts.how)
        except BadInput:
            return None  # the command itself says it in words
        may_run = settled is not None or self._asking.possible()
        return changes.in_one if not repair.is_decided and may_run and changes.fits_in_one else None


def _candidates_are_known(opened: OpenRepair) -> bool:
    return bool(opened.repair.fixes) or opened.work != LOOKING


def _rules_have_looked(opened: OpenRepair) -> bool:
    return bool(opened.repair.fixes) or opened.work not in (LOOKING, SEARCHING)
