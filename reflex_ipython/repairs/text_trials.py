"""The user's own texts of fixes, tried in the copy of the kernel: of each repair one at a time, the newest."""

from __future__ import annotations

import contextvars
import threading
import weakref
from collections.abc import Callable

from reflex_ipython.base.own_threads import OwnThread
from reflex_ipython.base.working_cache import forget
from reflex_ipython.errors import told
from reflex_ipython.models import Cause, Fix, Repair, Verdict
from reflex_ipython.repairs.kernel_snapshot import KernelSnapshot
from reflex_ipython.repairs.pipeline import Judge
from reflex_ipython.stages import Withdrawal


class TextTrials:
    """Those of one kernel.

    Parameters
    ----------
    judge : callable
        Says what is known of a fix once it was tried.
    """

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._lock = threading.Lock()
        self._newest: dict[str, Withdrawal] = {}  # by their repairs
        self._threads: weakref.WeakKeyDictionary[threading.Thread, Withdrawal] = weakref.WeakKeyDictionary()

    def begin(self, repair: Repair, snapshot: KernelSnapshot, fix: Fix, then: Callable[[Verdict], None]) -> None:
        """Try a text. The one before it is ended, and nothing is said of that any more.

        Parameters
        ----------
        repair : Repair
        snapshot : KernelSnapshot
            In which it is tried, once that is made.
        fix : Fix
            With the user's text.
        then : callable
            Is told what came of it, on a thread of its own.
        """
        withdrawal = Withdrawal()
        thread = OwnThread(  # the copied context carries the cell that a message belongs to
            target=contextvars.copy_context().run,
            args=(self._try, repair.cause, snapshot, fix, withdrawal, then),
            name="reflex-text",
        )
        self.end(repair.id)
        with self._lock:
            self._newest[repair.id] = withdrawal
            self._threads[thread] = withdrawal
            thread.start()

    def end(self, repair_id: str) -> None:
        """Nobody waits for what is tried of this repair."""
        with self._lock:
            withdrawal = self._newest.pop(repair_id, None)
        if withdrawal is not None:
            withdrawal.withdraw()

    def close(self, timeout: float) -> None:
        """End all, and wait at most `timeout` seconds for each."""
        for thread, withdrawal in list(self._threads.items()):
            withdrawal.withdraw()
            thread.join(timeout)

    def _try(
        self,
        cause: Cause,
        snapshot: KernelSnapshot,
        fix: Fix,
        withdrawal: Withdrawal,
        then: Callable[[Verdict], None],
    ) -> None:
        try:
            snapshot.made.wait()
            verdict = self._judge(snapshot.judged_by(cause), fix, snapshot.run(fix, withdrawal=withdrawal))
        except Exception as error:  # noqa: BLE001 - checkers may be foreign code, and a thread's end is seen by nobody
            verdict = Verdict("inconclusive", f"the trial failed: {told(error)}")
        if not withdrawal.is_withdrawn:
            then(verdict)
        forget()
