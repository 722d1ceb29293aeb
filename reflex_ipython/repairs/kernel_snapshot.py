"""The copy of the kernel in which the fixes of one repair are tried."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager

from reflex_ipython.models import Cause, Fix, Repair, Trial, cell_changes, why_not
from reflex_ipython.repairs.verdicts import UNTRIABLE
from reflex_ipython.stages import Trials, Withdrawal


class KernelSnapshot:
    """Whether it is there, who waits for it, and what comes of a fix in it.

    Parameters
    ----------
    trials : Trials
        Makes it, and runs fixes in it.
    repair : Repair
    obstacle : str
        Why there can be none, so that nothing is tried, in words. Empty for most.
    names : tuple of str or None
        The user's names in it, where it is not made right after the failure, which tells them. None: that one is.

    Attributes
    ----------
    wanted : bool
        Whether the repair is still open.
    made : Event
        Set once it is there, or once it is known that there is none.
    then : callable
        What was put off until then.
    """

    def __init__(
        self, trials: Trials, repair: Repair, obstacle: str = "", names: tuple[str, ...] | None = None
    ) -> None:
        self.obstacle = obstacle
        self.wanted = True
        self._is_released = False
        self.made = threading.Event()
        self.then: Callable[[], object] = _nothing
        self._trials = trials
        self._repair_id = repair.id
        self._situation = repair.situation
        self._names = names

    @property
    def is_gone(self) -> bool:
        """Whether it has come to its end: the repair was decided, others were copied since, or its time is over."""
        return self._is_released or (self.made.is_set() and not self.obstacle and self._trials.is_gone(self._repair_id))

    def make(self) -> None:
        """Copy the kernel as it is now, if the copy is wanted. On the main thread, before another cell runs."""
        try:
            if self.wanted:
                self._trials.freeze(self._repair_id)
            if not self.wanted:  # it was decided meanwhile, on another thread
                self._trials.release(self._repair_id)
        finally:
            self.settle()

    def settle(self) -> None:
        """It is there, or there will be none."""
        if not self.made.is_set():
            self.made.set()
            self.then()

    def abandon(self) -> None:
        """Nobody wants it any more, and what was put off until then is not done."""
        self.wanted = False
        self.made.set()

    def release(self) -> None:
        """The repair was decided: it goes."""
        self.wanted, self._is_released = False, True
        self._trials.release(self._repair_id)

    def judged_by(self, cause: Cause) -> Cause:
        """What a fix that ran in it is for, with the names that were there."""
        if self._names is None:
            return cause
        return dataclasses.replace(cause, situation=dataclasses.replace(cause.situation, names=self._names))

    def run(self, fix: Fix, most: float | None = None, withdrawal: Withdrawal | None = None) -> Trial:
        """Put a fix into effect in it, once it is `made`. Blocks.

        Parameters
        ----------
        fix : Fix
        most : float or None
            Seconds that it may take at most. None: all that a trial may.
        withdrawal : Withdrawal or None
            May end it before its time.
        """
        refusal = self.obstacle or why_not(fix, self._situation)
        if refusal:
            return Trial("not_tried", refusal)
        changes = cell_changes(fix, self._situation)
        if changes.installs:
            return Trial("not_tried", UNTRIABLE)
        return self._trials.run(self._repair_id, changes, most, withdrawal)

    def several(self) -> AbstractContextManager[int]:
        """Until the end of the block, several fixes can be tried in it at once, on threads; gives how many."""
        return self._trials.several(self._repair_id)


def no_snapshot(trials: Trials, repair: Repair, obstacle: str = "") -> KernelSnapshot:
    """That of a repair for which there is none, as the cell still runs or an earlier session had it: nobody waits."""
    none = KernelSnapshot(trials, repair, obstacle)
    none.abandon()
    return none


def _nothing() -> None:
    pass
