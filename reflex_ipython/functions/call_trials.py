"""Trials of a call: in a copy of this process the function gets a new text and is called with the same arguments."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from reflex_ipython.check.trial import ForkedTrials
from reflex_ipython.check.trial.outputs import Outputs
from reflex_ipython.execution.plain_runner import PlainRunner
from reflex_ipython.functions.healed import AGAIN, Healed, Switch
from reflex_ipython.functions.source import CannotHeal
from reflex_ipython.models import CellChanges, Edit, Replay, Trial
from reflex_ipython.stages import Withdrawal

if TYPE_CHECKING:
    from reflex_ipython.traces.replaying import Replayer

SECONDS = 10.0
"""That a trial may take at most."""


class CallRunner(PlainRunner):
    """Calls a function again.

    Parameters
    ----------
    healed : Healed
    again : callable
        Calls it as it was called.
    ename : str
        The class of the exception with which it failed.
    """

    def __init__(self, healed: Healed, again: Callable[[], Any], ename: str = "") -> None:
        super().__init__({"__name__": "__main__", AGAIN: again})
        self._healed = healed
        self._ename = ename
        self._replayer: Replayer | None = None

    def detach(self) -> None:
        """In the copy no other function heals."""
        super().detach()
        if "reflex_ipython.traces.hook" in sys.modules:  # else no trace was ever on
            from reflex_ipython.traces.replaying import replayer

            self._replayer = replayer(self._ename, self._healed.function)
        Switch.on = False

    async def replay(self, seconds: float) -> Replay | None:
        """Make again what a trace has recorded."""
        return await self._replayer.replay(seconds) if self._replayer is not None else None

    async def apply(self, edit: Edit, outputs: Outputs) -> BaseException | None:
        """Have the function run the new text."""
        try:
            self._healed.put_in(edit.source)
        except CannotHeal as reason:
            return SyntaxError(str(reason))
        return None


class CallTrials:
    """Copies this process, on the thread that calls, which waits for it (`stages.Trials`).

    Parameters
    ----------
    runner : CallRunner
    """

    def __init__(self, runner: CallRunner) -> None:
        self._runner = runner
        self._trials = ForkedTrials(on_any_thread=True)

    def after_reply(self, work: Callable[[], None], ready: Callable[[], bool]) -> None:
        """Do it now: the caller waits."""
        work()

    def when_free(self, work: Callable[[], None]) -> None:
        """As above."""
        work()

    def freeze(self, repair_id: str) -> None:
        """Copy the process as it is now. If it can't be copied, the trials say why."""
        self._trials.freeze(repair_id, self._runner)

    def run(
        self,
        repair_id: str,
        changes: CellChanges,
        most: float | None = None,
        withdrawal: Withdrawal | None = None,
    ) -> Trial:
        """Call it with the new text in that copy."""
        return self._trials.run(repair_id, changes, SECONDS if most is None else min(SECONDS, most), withdrawal)

    def several(self, repair_id: str) -> AbstractContextManager[int]:
        """How many can run at once until the end of the block."""
        return self._trials.several(repair_id)

    def is_gone(self, repair_id: str) -> bool:
        """Whether there was a copy, and is none any more."""
        return self._trials.is_gone(repair_id)

    def release(self, repair_id: str) -> None:
        """The copy goes."""
        self._trials.release(repair_id)

    def close(self) -> None:
        """All copies go."""
        self._trials.close()
