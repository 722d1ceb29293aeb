"""A repair that is open in this kernel: what is known of it, and who is at work on it."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from reflex_ipython.models import Repair
from reflex_ipython.stages import Work

if TYPE_CHECKING:
    from reflex_ipython.propose.near_matches import NearMatch
    from reflex_ipython.repairs.kernel_snapshot import KernelSnapshot
    from reflex_ipython.repairs.repair_worker import RepairWorker
    from reflex_ipython.repairs.rerun_tracking import TrackedRun

Event = Literal["opened", "found", "decided", "rerun", "changed", "working", "settled", "offers", "forgotten"]
"""What happened to an open repair: it was opened; fixes or verdicts came; it was decided; its re-run ended; anything
else of it changed; somebody else is at work on it; nobody is any more; what can be asked for has changed; it left the
memory.
"""


class OpenRepair:
    """One of them; its `repair` changes in `OpenRepairs.change` alone.

    Parameters
    ----------
    repair : Repair
        As it is now.
    changed : Condition
        Is notified of every event.

    Attributes
    ----------
    worker : RepairWorker or None
        The last that looked for its fixes.
    snapshot : KernelSnapshot or None
        The copy of the kernel in which they are tried.
    failed_run : TrackedRun or None
        The run of the cell that opened it.
    shown, remembered : bool
        Whether its changes are shown, and saved.
    """

    def __init__(self, repair: Repair, changed: threading.Condition) -> None:
        self.repair = repair
        self.worker: RepairWorker | None = None
        self.snapshot: KernelSnapshot | None = None
        self.failed_run: TrackedRun | None = None
        self.shown = False
        self.remembered = False
        self._changed = changed

    @property
    def work(self) -> Work | None:
        """What is being done for it just now."""
        return self.worker.progress.work if self.worker is not None else None

    @functools.cached_property
    def near_matches(self) -> tuple[NearMatch, ...]:
        """The names that may be meant. The first who asks has the cell read, which takes a long one some time."""
        from reflex_ipython.propose.near_matches import near_matches  # and all rules, which a worker has imported

        return near_matches(self.repair.failure) if self.repair.failure is not None else ()

    @property
    def is_settled(self) -> bool:
        """Whether nobody works on it: what is known of its fixes changes only once somebody asks or decides."""
        return self.work is None

    def wait(self, until: Callable[[OpenRepair], bool] | None = None, timeout: float | None = None) -> bool:
        """Wait until a condition holds; not on a thread that the work itself needs.

        Parameters
        ----------
        until : callable or None
            Given this, says whether that is so; asked after each event. None: `is_settled`.
        timeout : float or None
            Seconds; None: without end.

        Returns
        -------
        bool
            Whether it holds.
        """
        holds = until if until is not None else _is_settled
        with self._changed:
            return self._changed.wait_for(lambda: holds(self), timeout)


def _is_settled(opened: OpenRepair) -> bool:
    return opened.is_settled
