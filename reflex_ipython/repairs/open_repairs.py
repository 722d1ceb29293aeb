"""The repairs that a kernel has in memory: looked up and changed, from any thread, and whoever listens is told."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable

from reflex_ipython.errors import BadInput
from reflex_ipython.models import Repair
from reflex_ipython.repairs.open_repair import Event, OpenRepair

KEPT = 50
"""How many repairs stay in memory; the older ones are in the store."""

Listener = Callable[[Event, OpenRepair], None]
"""Is told what happened to which repair, on whichever thread, while nobody else changes any."""


class OpenRepairs:
    """The latest repairs of one kernel."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        """For who has to look and to change in one go."""
        self._changed = threading.Condition(self.lock)
        self._open: dict[str, OpenRepair] = {}
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> None:
        """Tell the listener of each event from now on, after those that listen already."""
        self._listeners.append(listener)

    def __contains__(self, repair_id: object) -> bool:
        """Whether the repair is in memory."""
        return repair_id in self._open

    def __getitem__(self, repair_id: str) -> Repair:
        """The repair with exactly that id, as it is now."""
        return self._open[repair_id].repair

    def open(self, repair_id: str) -> OpenRepair:
        """The same, with who works on it."""
        return self._open[repair_id]

    # ------------------------------------------------------------------------------- changes

    def add(self, repair: Repair) -> OpenRepair:
        """Take a new repair; it is neither shown nor remembered yet."""
        with self.lock:
            opened = self._open[repair.id] = OpenRepair(repair, self._changed)
            self.tell("opened", repair.id)
            self._forget_oldest()
        return opened

    def reopen(self, repair: Repair) -> OpenRepair:
        """Take a repair of an earlier session, among the others by its age; its changes are shown and remembered."""
        with self.lock:
            opened = self.add(repair)
            opened.shown = opened.remembered = True
            self._open = {each.repair.id: each for each in sorted(self._open.values(), key=_age)}
        return opened

    def change(self, repair_id: str, change: Callable[[Repair], Repair], event: Event = "changed") -> Repair:
        """Put what `change` makes of a repair in its place.

        Whatever a listener raises, it was not changed: what can't be shown is not kept, else nothing could be shown
        any more.
        """
        with self.lock:
            opened = self._open[repair_id]
            before, opened.repair = opened.repair, change(opened.repair)
            try:
                self.tell(event, repair_id)
            except Exception:
                opened.repair = before
                raise
            return opened.repair

    def tell(self, event: Event, repair_id: str) -> None:
        """Something happened to a repair, if it is still in memory."""
        with self.lock:
            opened = self._open.get(repair_id)
            if opened is not None:
                self._tell(event, opened)

    def offers_changed(self, concerned: Callable[[OpenRepair], bool] = lambda opened: True) -> None:
        """Others can be asked, or fixes can be tried now: the panels that are not decided show that.

        Parameters
        ----------
        concerned : callable
            Says of which repairs that is new.
        """
        with self.lock:
            for opened in self.all_open():
                if not opened.repair.is_decided and concerned(opened):
                    self._tell("offers", opened)

    def another_is_asked(self) -> None:
        """Another model, or another server: what could not be done before is no longer said of what is open."""
        with self.lock:
            for opened in self.all_open():
                if opened.repair.trouble and not opened.repair.is_decided:
                    self.change(opened.repair.id, lambda repair: dataclasses.replace(repair, trouble=""))

    # ------------------------------------------------------------------------------- what there is

    def find(self, prefix: str) -> Repair:
        """The repair whose id starts so.

        Raises
        ------
        BadInput
            If there is none, or more than one.
        """
        found = [repair for repair in self.all() if repair.id.startswith(prefix)] if prefix else []
        if len(found) != 1:
            raise BadInput(f"There is no repair {prefix!r} in this kernel: `%reflex history` lists the IDs.")
        return found[0]

    def latest(self, *kinds: str | None) -> Repair | None:
        """The latest repair whose decision is one of `kinds` (None: undecided); without kinds, the latest of all."""
        newest_first = reversed(self.all())
        return next((r for r in newest_first if not kinds or (r.decision.kind if r.decision else None) in kinds), None)

    def all(self) -> list[Repair]:
        """All of them, oldest first."""
        return [opened.repair for opened in self.all_open()]

    def all_open(self) -> list[OpenRepair]:
        """The same, with who works on them."""
        with self.lock:
            return list(self._open.values())

    def _tell(self, event: Event, opened: OpenRepair) -> None:
        try:
            for listener in self._listeners:
                listener(event, opened)
        finally:
            self._changed.notify_all()

    def _forget_oldest(self) -> None:
        for old in list(self._open)[:-KEPT]:
            self._tell("forgotten", self._open.pop(old))  # first: it goes whatever a listener raises


def _age(opened: OpenRepair) -> str:
    return opened.repair.cause.at
