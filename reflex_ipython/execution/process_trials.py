"""Trials of this very process (`stages.Trials`): what is copied is the caller, with the names that it gives."""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from reflex_ipython.base.importing import importing
from reflex_ipython.check.trial import ForkedTrials
from reflex_ipython.errors import BadInput
from reflex_ipython.execution.plain_runner import PlainRunner
from reflex_ipython.models import CellChanges, Trial
from reflex_ipython.stages import Withdrawal

IMPORTS = 10.0
"""Seconds that an import on another thread is waited for."""
KEEP = 24 * 3600.0
"""Seconds that a copy is kept: as long as a model may take to answer."""


@dataclasses.dataclass(frozen=True)
class ExecutionBounds:
    """What the code may use and reach.

    Parameters
    ----------
    timeout : float
        Seconds of each attempt's run.
    memory : int
        Bytes on top of what the caller uses.
    network : bool
        Whether it may open connections.
    files : tuple of str
        Files and folders that it may change.
    """

    timeout: float = 30.0
    memory: int = 4 << 30
    network: bool = False
    files: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.timeout, (int, float)) or not 0 < self.timeout <= KEEP:
            raise BadInput(f"timeout is {self.timeout!r}: give the seconds that a run may take, a day's at most.")
        if type(self.memory) is not int or self.memory < 1:
            raise BadInput(f"memory is {self.memory!r}: give the bytes that a run may take, a whole number.")
        lacking = next((path for path in self.files if not os.path.exists(path)), None)
        if lacking is not None:
            raise BadInput(f"{lacking} is not there, so it can't be allowed: make it first, or allow its folder.")


class ProcessTrials:
    """Copies this process, on its main thread.

    Parameters
    ----------
    namespace : dict
        The names that the code finds.
    bounds : ExecutionBounds
    """

    def __init__(self, namespace: dict[str, Any], bounds: ExecutionBounds) -> None:
        from reflex_ipython.check.trial import sandbox  # of Linux alone
        from reflex_ipython.check.trial.limits import Limits

        offered = sandbox.offered()
        files = tuple(map(os.path.realpath, bounds.files))
        if files and not offered.scratch:
            raise BadInput("This system has no Landlock, so no single file can be allowed.")
        self._namespace = {"__name__": "__main__", **namespace}
        self._bounds = bounds
        self._trials = ForkedTrials(
            keep=KEEP,
            limits=Limits(seconds=bounds.timeout, memory=bounds.memory),
            sandbox=dataclasses.replace(offered, network=bounds.network, files=files),
        )

    def after_reply(self, work: Callable[[], None], ready: Callable[[], bool]) -> None:
        """Do it now: the caller waits."""
        work()

    def when_free(self, work: Callable[[], None]) -> None:
        """As above."""
        work()

    def freeze(self, repair_id: str) -> None:
        """Copy the process as it is now. If it can't be copied, the trials say why."""
        end = time.monotonic() + IMPORTS
        while importing() and time.monotonic() < end:  # on another thread: a copy could never import that again
            time.sleep(0.01)
        self._trials.freeze(repair_id, PlainRunner(self._namespace))

    def run(
        self,
        repair_id: str,
        changes: CellChanges,
        most: float | None = None,
        withdrawal: Withdrawal | None = None,
    ) -> Trial:
        """Run code in that copy."""
        seconds = self._bounds.timeout if most is None else min(self._bounds.timeout, most)
        return self._trials.run(repair_id, changes, seconds, withdrawal)

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
