"""How far the work on a repair is: what a worker does and has found, told to whoever listens to that repair."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable

from reflex_ipython.errors import told
from reflex_ipython.models import Repair
from reflex_ipython.repairs.open_repair import OpenRepair
from reflex_ipython.repairs.open_repairs import OpenRepairs
from reflex_ipython.stages import Work

LOOKING = Work("looking")
TRYING = Work("trying")
SEARCHING = Work("searching")
SEARCH_FAILED = "The search for a fix failed: {}. What it had found is kept. Ask again, or go on without it."


class Progress:
    """That of one worker. Once it is cancelled, nothing more is told but its end.

    Parameters
    ----------
    repairs : OpenRepairs
    opened : OpenRepair
        Which changes as fixes and verdicts are found.
    work : Work or None
        What is done at first.
    reconsidered : callable
        Gives a repair with the options to run its fixes as they are by then.
    text : callable
        Is given the repair, each piece of what a provider writes for it, and whether it is the first of its answer.

    Attributes
    ----------
    work : Work or None
        What is done just now; None: nothing any more.
    cancelled : Event
    """

    def __init__(
        self,
        repairs: OpenRepairs,
        opened: OpenRepair,
        work: Work | None,
        reconsidered: Callable[[Repair], Repair],
        text: Callable[[Repair, str, bool], None],
    ) -> None:
        self.work = work
        self.cancelled = threading.Event()
        self._repairs = repairs
        self._opened = opened
        self._reconsidered = reconsidered
        self._text = text

    @property
    def is_cancelled(self) -> bool:
        """Whether somebody has stopped the work, or what it is for is decided."""
        return self.cancelled.is_set()

    def begins(self, work: Work | None) -> None:
        """Something else is done from now on. Who waits for that goes on once all that listen were told."""
        with self._repairs.lock:
            stopped = work is not None and self.is_cancelled
            if self.work != work and not stopped:
                self.work = work
                self._repairs.tell("settled" if self._opened.is_settled else "working", self._opened.repair.id)

    def found(self, grown: Repair, *, over: bool = False) -> None:
        """The repair has grown; whether nothing is done any more."""

        def add(repair: Repair) -> Repair:
            verdicts = {**repair.verdicts, **grown.verdicts}
            repair = dataclasses.replace(
                repair, fixes=grown.fixes, verdicts=verdicts, trouble=grown.trouble, asked=grown.asked
            )
            return self._reconsidered(repair)

        with self._repairs.lock:
            if not self.is_cancelled and grown.id in self._repairs:
                self.work = None if over else self.work
                self._repairs.change(grown.id, add, "found")
                if over:
                    self._repairs.tell("settled", grown.id)

    def failed(self, error: BaseException) -> None:
        """The work has ended on an error of its own: what was found stays, and the panel says so."""
        repair_id = self._opened.repair.id
        with self._repairs.lock:
            if not self.is_cancelled and repair_id in self._repairs:
                words = SEARCH_FAILED.format(told(error))
                self._repairs.change(repair_id, lambda repair: dataclasses.replace(repair, trouble=words))

    def writes(self, piece: str, first: bool) -> None:
        """A provider has written a piece of its answer; whether it is the first one."""
        if not self.is_cancelled:
            self._text(self._opened.repair, piece, first)
