"""Trials of the live kernel (`stages.Trials`): what is copied is the shell."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from reflex_ipython.base.importing import importing
from reflex_ipython.base.own_pages import own_pages
from reflex_ipython.base.own_threads import OwnThread
from reflex_ipython.check.trial import ForkedTrials
from reflex_ipython.ipython.after_reply import AfterReply
from reflex_ipython.ipython.publish import on_main_thread
from reflex_ipython.ipython.trial_runner import ShellRunner
from reflex_ipython.models import CellChanges, Edit, Trial
from reflex_ipython.remember.location import history_path
from reflex_ipython.settings import Settings
from reflex_ipython.stages import Withdrawal
from reflex_ipython.state.collector import without_collector

_SOON = 0.3
"""Seconds after which the kernel gets its memory back: most trials have ended by then, and nobody ran another cell."""


class KernelTrials:
    """Copies a shell's process.

    Parameters
    ----------
    shell : InteractiveShell
    settings : callable
        Gives the settings as they are now.
    rewind : callable
        Given what a fix changes, puts the state back to where an accepted run would start. In the copy.
    apply : callable
        Puts an earlier cell's new source into effect; gives what was raised, if anything was. In the copy.
    forget : callable
        Takes away the names that an earlier cell's new source gives no more. In the copy.
    cell_runs : callable
        Whether a cell runs now, asked on any thread.
    """

    def __init__(
        self,
        shell: Any,
        settings: Callable[[], Settings],
        rewind: Callable[[CellChanges], object],
        apply: Callable[[Edit], BaseException | None],
        forget: Callable[[Edit], object],
        cell_runs: Callable[[], bool],
    ) -> None:
        self._shell = shell
        self._settings = settings
        self._rewind = rewind
        self._apply = apply
        self._forget = forget
        self._cell_runs = cell_runs
        self._trials = ForkedTrials()
        self._after_reply = AfterReply(shell)

    def after_reply(self, work: Callable[[], None], ready: Callable[[], bool]) -> None:
        """Do it on the main thread once the running cell's reply is out, it is ready, and nobody imports."""
        self._after_reply.call(work, lambda: ready() and not importing())

    def when_free(self, work: Callable[[], None]) -> None:
        """Do it on the main thread once no cell runs there and nobody imports, whichever thread this is."""
        kernel = getattr(self._shell, "kernel", None)
        if kernel is None:
            work()
        else:
            on_main_thread(kernel, lambda: self.after_reply(work, lambda: True))

    def catch_up(self) -> None:
        """Do now, on the main thread, what waits until a reply is out: somebody on that thread waits for it."""
        self._after_reply.do_all()

    def freeze(self, repair_id: str) -> None:
        """Copy the kernel as it is now. If it can't be copied, the trials say why."""
        with without_collector():  # right after a copy, a collection would have each page of all objects copied
            parts = self._shell, self._rewind, self._apply, self._forget
            self._trials.freeze(repair_id, ShellRunner(*parts, lambda: history_path(self._settings())))
        kernel = getattr(self._shell, "kernel", None)
        if kernel is not None:
            kernel.io_loop.call_later(_SOON, self._own_pages)

    def _own_pages(self) -> None:
        """Have no cell wait for each page of memory that it writes to first since the copy was made."""
        if self._cell_runs():
            return
        with contextlib.suppress(RuntimeError):  # there may be no room for another thread
            OwnThread(target=lambda: own_pages(self._cell_runs), name="reflex-pages").start()

    def run(
        self,
        repair_id: str,
        changes: CellChanges,
        most: float | None = None,
        withdrawal: Withdrawal | None = None,
    ) -> Trial:
        """Try a fix in that copy. What failed has never run to its end, so nobody knows how long that takes.

        With cells that run first, it gets all the time that a trial may take.
        """
        longest = self._settings().trial_timeout
        seconds = longest if most is None or changes.first else min(longest, most)
        return self._trials.run(repair_id, changes, seconds, withdrawal)

    def several(self, repair_id: str) -> AbstractContextManager[int]:
        """Until the end of the block, several fixes can be tried in that copy at once; gives how many."""
        return self._trials.several(repair_id)

    def is_gone(self, repair_id: str) -> bool:
        """Whether there was a copy, and is none any more."""
        return self._trials.is_gone(repair_id)

    @property
    def copies(self) -> int:
        """How many copies there are now."""
        return self._trials.copies

    def memory(self) -> int:
        """Bytes that they hold on their own: what would be free again without them."""
        return self._trials.memory()

    def release(self, repair_id: str) -> None:
        """The copy goes."""
        self._trials.release(repair_id)

    def forget(self, repair_id: str) -> None:
        """The same, and why there was none: the repair is no more."""
        self._trials.forget(repair_id)

    def close(self) -> None:
        """All copies go."""
        self._after_reply.close()
        self._trials.close()
