"""The zygotes of a kernel: one for each open repair, never more than a set number, each gone when it has served."""

from __future__ import annotations

import contextlib
import threading
import weakref
from collections.abc import Iterator
from typing import TYPE_CHECKING

from reflex_ipython.check.trial.preconditions import why_not_fork
from reflex_ipython.models import CellChanges, Trial
from reflex_ipython.stages import Withdrawal

if TYPE_CHECKING:
    from reflex_ipython.check.trial.limits import Limits
    from reflex_ipython.check.trial.runner import Runner
    from reflex_ipython.check.trial.sandbox import Sandbox
    from reflex_ipython.check.trial.zygote import Zygote

_LET_GO = "its copy of the kernel was let go when it was decided: run the cell again for another one"


class ForkedTrials:
    """Keeps a copy of the kernel for each repair that is still open.

    Parameters
    ----------
    most : int
        Copies at the same time: the oldest goes for a new one.
    keep : float
        Seconds after which a copy goes in any case.
    limits : Limits or None
        Of each trial. None: the defaults.
    sandbox : Sandbox or None
        The protections to use. None: all that this system offers.
    on_any_thread : bool
        Whether copies are made on any thread, which has to stay until they are released: they end with it.
    """

    def __init__(
        self,
        most: int = 2,
        keep: float = 600.0,
        limits: Limits | None = None,
        sandbox: Sandbox | None = None,
        *,
        on_any_thread: bool = False,
    ) -> None:
        self._most = most
        self._on_any_thread = on_any_thread
        self._keep = keep
        self._limits = limits
        self._sandbox = sandbox
        self._overtaken = f"only the last {most} failures can be tried"
        self._ended = (
            f"its copy of the kernel has ended: one is kept for {keep / 60:.0f} minutes at most, "
            "and not where memory runs low"
        )
        self._lock = threading.Lock()
        self._zygotes: dict[str, Zygote] = {}
        self._ending: weakref.WeakSet[Zygote] = weakref.WeakSet()  # each is held by its own thread until it has ended
        self._why_not: dict[str, str] = {}
        """Of the repairs for which no copy could be made, or whose copy is gone, until they are forgotten."""

    def freeze(self, repair_id: str, runner: Runner) -> str:
        """Copy the kernel as it is now, for the trials of one repair. On the main thread, right after the failure.

        Parameters
        ----------
        repair_id : str
        runner : Runner
            Runs cells in the copy.

        Returns
        -------
        str
            Why there is no copy, in words; empty if there is one.
        """
        self.release(repair_id)
        for old in self._too_many():
            self._release(old, self._overtaken)
        why_not = why_not_fork(on_any_thread=self._on_any_thread)
        if not why_not:
            from reflex_ipython.check.trial.after_fork import prepare  # all of Linux alone
            from reflex_ipython.check.trial.fork_signals import interrupt_waits
            from reflex_ipython.check.trial.zygote import Zygote

            try:
                with interrupt_waits():
                    zygote = Zygote.start(runner, limits=self._limits, keep=self._keep, sandbox=self._sandbox)
                    with self._lock:
                        self._zygotes[repair_id] = zygote
            except OSError as error:
                why_not = f"the kernel could not be copied ({error.strerror})"
            else:
                prepare()  # while that gets ready
        with self._lock:
            if why_not:
                self._why_not[repair_id] = why_not
            else:
                self._why_not.pop(repair_id, None)
        return why_not

    def run(
        self,
        repair_id: str,
        changes: CellChanges,
        seconds: float | None = None,
        withdrawal: Withdrawal | None = None,
    ) -> Trial:
        """Try a fix. Blocks: not on the main thread.

        Parameters
        ----------
        repair_id : str
        changes : CellChanges
        seconds : float or None
            How long it may take. None: as the limits say.
        withdrawal : Withdrawal or None
            May end it before its time.
        """
        with self._lock:
            zygote, why_not = self._zygotes.get(repair_id), self._why_not.get(repair_id, _LET_GO)
        if zygote is None:
            return Trial("not_tried", why_not)
        if not zygote.alive:
            self._release(repair_id, self._ended)
            return Trial("not_tried", self._ended)
        return zygote.trial(changes, seconds, withdrawal)

    @contextlib.contextmanager
    def several(self, repair_id: str) -> Iterator[int]:
        """Until the end of the block, several fixes of a repair can be tried at once; gives how many.

        Parameters
        ----------
        repair_id : str
        """
        with self._lock:
            zygote = self._zygotes.get(repair_id)
        with zygote.several() if zygote is not None else contextlib.nullcontext(1) as most:
            yield most

    def is_gone(self, repair_id: str) -> bool:
        """Whether a repair had a copy that has come to its end: another one can be made."""
        with self._lock:
            zygote, why_not = self._zygotes.get(repair_id), self._why_not.get(repair_id)
        return not zygote.alive if zygote is not None else why_not in (_LET_GO, self._overtaken, self._ended)

    def release(self, repair_id: str) -> None:
        """A repair was decided or is out of date: its copy goes, soon. Nothing if there is none."""
        self._release(repair_id, _LET_GO)

    def forget(self, repair_id: str) -> None:
        """The repair is no more: its copy goes, and nothing is known of it any longer."""
        self.release(repair_id)
        with self._lock:
            self._why_not.pop(repair_id, None)

    def close(self) -> None:
        """All copies go; afterwards nothing of them is left."""
        for repair_id in list(self._zygotes):
            self.release(repair_id)
        for zygote in list(self._ending):
            zygote.close()

    @property
    def copies(self) -> int:
        """How many there are now."""
        return len(self._living())

    def memory(self) -> int:
        """Bytes that all copies together hold on their own: what would be free again without them."""
        return sum(zygote.memory() for zygote in self._living())

    def _living(self) -> list[Zygote]:
        with self._lock:
            return [zygote for zygote in self._zygotes.values() if zygote.alive]

    def _release(self, repair_id: str, why: str) -> None:
        with self._lock:
            zygote = self._zygotes.pop(repair_id, None)
            if zygote is not None:
                self._ending.add(zygote)
                self._why_not[repair_id] = why
                zygote.let_go()

    def _too_many(self) -> list[str]:
        with self._lock:
            gone = [key for key, zygote in self._zygotes.items() if not zygote.alive]
            living = [key for key in self._zygotes if key not in gone]
            return [*gone, *living[: max(0, len(living) - self._most + 1)]]
