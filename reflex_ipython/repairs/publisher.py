"""Open repairs are shown, and saved, as they change."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

from reflex_ipython.base.named_timer import NamedTimer
from reflex_ipython.base.own_threads import shielded
from reflex_ipython.models import Repair
from reflex_ipython.remember.recorder import Recorder
from reflex_ipython.repairs.open_repair import Event, OpenRepair
from reflex_ipython.repairs.open_repairs import OpenRepairs
from reflex_ipython.stages import Presenter, Work

_AROUND_IT = ("working", "settled", "offers")
"""What is shown with a repair, and is no part of it."""
_OF_THE_MEMORY = ("opened", "forgotten")
LATER = 0.1
"""Seconds after which a change is drawn that was not drawn at once: a short cell has run by then."""
MUCH_LATER = 0.5
"""Of a panel whose cell runs again, which takes its output away: a short one has failed again, and was looked at."""


class Publisher:
    """Listens to the repairs of one kernel.

    Parameters
    ----------
    repairs : OpenRepairs
    presenter : Presenter
        Shows a repair, and each change of it.
    recorder : Recorder
        Remembers it.
    """

    def __init__(self, repairs: OpenRepairs, presenter: Presenter, recorder: Recorder) -> None:
        self._repairs = repairs
        self._presenter = presenter
        self._recorder = recorder
        self._collecting: dict[int, bool] = {}
        """The threads that are in a block of `shown_later`, and whether an acceptance is only noted there."""
        self._later: dict[str, OpenRepair] = {}
        self._unsaved: dict[str, OpenRepair] = {}
        self._timer: NamedTimer | None = None
        self._drawn: tuple[Repair, Work | None] | None = None
        """What was drawn last."""
        repairs.listen(self._update)
        repairs.listen(self._save)

    def show(self, repair_id: str) -> None:
        """Show a repair, below the cell that runs; from now on its changes are shown as well."""
        with self._repairs.lock:
            opened = self._repairs.open(repair_id)
            opened.shown = True
            self._presenter.show(opened.repair, opened.work)

    @contextlib.contextmanager
    def shown_later(self, seconds: float = LATER, *, notes: bool = True) -> Iterator[None]:
        """Show what changes within the block so many seconds after its end, or with the next change.

        A cell is to run meanwhile, or its reply to leave: drawing takes this process and the page as long as a short
        cell runs, and so does saving. Or a page is to rewrite its cells before it says that they are rewritten.

        Parameters
        ----------
        seconds : float
        notes : bool
            Whether it is noted at once that a fix was accepted, and that is saved later as well; else it is saved.
        """
        with self._repairs.lock:
            self._collecting[threading.get_ident()] = notes  # one that an interrupt has left here ends with the next
        try:
            yield
        finally:
            with self._repairs.lock:
                self._collecting.pop(threading.get_ident(), None)
                if (self._later or self._unsaved) and self._timer is None:
                    self._timer = NamedTimer("reflex-show", seconds, self._time_is_up)
                    self._timer.start()

    @shielded()
    def _time_is_up(self) -> None:
        with self._repairs.lock:
            self._timer = None
            if not self._collecting:  # else the end of that block begins anew
                self._show_later()

    def _show_later(self) -> None:
        for opened in list(self._unsaved.values()):
            self._save_change(opened)
        for opened in list(self._later.values()):
            self._show_change(opened)

    def close(self) -> None:
        """Show and save at once what was to be so later."""
        with self._repairs.lock:
            if self._timer is not None:
                self._timer.cancel()
            self._show_later()

    def _show_change(self, opened: OpenRepair) -> None:
        self._later.pop(opened.repair.id, None)
        self._drawn = opened.repair, opened.work
        self._presenter.update(*self._drawn)

    def remember(self, repair_id: str) -> None:
        """Save a new repair soon; from now on its changes are saved as well."""
        with self._repairs.lock:  # an older state must not be saved after a newer one
            self.keep(repair_id)
            self._recorder.save_new(self._repairs[repair_id])

    def keep(self, repair_id: str) -> None:
        """Save each change of a repair from now on."""
        with self._repairs.lock:
            self._repairs.open(repair_id).remembered = True

    def _update(self, event: Event, opened: OpenRepair) -> None:
        if not opened.shown or event in _OF_THE_MEMORY:
            return
        if event == "settled" and self._drawn == (opened.repair, None):  # it came with what was found last
            return
        if self._collecting:
            self._later[opened.repair.id] = opened
        else:
            self._show_change(opened)

    def _save(self, event: Event, opened: OpenRepair) -> None:
        if not opened.remembered or event in (*_OF_THE_MEMORY, *_AROUND_IT):
            return
        decision = opened.repair.decision
        if any(self._collecting.values()) and decision is not None and decision.kind == "accepted":
            self._unsaved[opened.repair.id] = opened
            self._recorder.note(opened.repair)
        else:
            self._save_change(opened)

    def _save_change(self, opened: OpenRepair) -> None:
        self._unsaved.pop(opened.repair.id, None)
        self._recorder.save(opened.repair)
