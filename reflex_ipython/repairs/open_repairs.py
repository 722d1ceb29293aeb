"""The repairs that a kernel has in memory: looked up, changed, shown and remembered, from any thread."""

from __future__ import annotations

import threading
from collections.abc import Callable

from reflex_ipython.errors import BadInput
from reflex_ipython.models import Repair
from reflex_ipython.protocols import Presenter
from reflex_ipython.remember.recorder import Recorder

KEPT = 50
"""How many repairs stay in memory; the older ones are in the store."""


class OpenRepairs:
    """The latest repairs of one kernel.

    Parameters
    ----------
    presenter : Presenter
        Shows a repair, and each change of it.
    recorder : Recorder
        Remembers it.
    working : callable
        Says who is at work on the repair of an id; empty: nobody.
    forgotten : callable
        Is told the id of a repair that leaves the memory.
    """

    def __init__(
        self,
        presenter: Presenter,
        recorder: Recorder,
        working: Callable[[str], str],
        forgotten: Callable[[str], None],
    ) -> None:
        self.lock = threading.RLock()
        """For who has to look and to change in one go."""
        self._presenter = presenter
        self._recorder = recorder
        self._working = working
        self._forgotten = forgotten
        self._repairs: dict[str, Repair] = {}
        self._shown: set[str] = set()
        self._remembered: set[str] = set()

    def __contains__(self, repair_id: object) -> bool:
        """Whether the repair is in memory."""
        return repair_id in self._repairs

    def __getitem__(self, repair_id: str) -> Repair:
        """The repair with exactly that id."""
        return self._repairs[repair_id]

    def add(self, repair: Repair) -> None:
        """Take a new repair; it is neither shown nor remembered yet."""
        with self.lock:
            self._repairs[repair.id] = repair
            self._forget_oldest()

    def reopen(self, repair: Repair) -> None:
        """Take a repair of an earlier session, among the others by its age; its changes are shown and remembered."""
        with self.lock:
            self._shown.add(repair.id)
            self._remembered.add(repair.id)
            by_age = sorted([*self._repairs.values(), repair], key=lambda each: each.failure.at)
            self._repairs = {each.id: each for each in by_age}
            self._forget_oldest()

    def show(self, repair_id: str) -> None:
        """Show a repair, below the cell that runs; from now on its changes are shown as well."""
        with self.lock:
            self._shown.add(repair_id)
            self._presenter.show(self._repairs[repair_id], self._working(repair_id))

    def remember(self, repair_id: str) -> Repair:
        """Save a repair as it is; from now on its changes are saved as well."""
        with self.lock:  # an older state must not be saved after a newer one
            self.keep(repair_id)
            repair = self._repairs[repair_id]
            self._recorder.save(repair)
        return repair

    def keep(self, repair_id: str) -> None:
        """Save each change of a repair from now on."""
        with self.lock:
            self._remembered.add(repair_id)

    def change(self, repair_id: str, change: Callable[[Repair], Repair]) -> Repair:
        """Put what `change` makes of a repair in its place."""
        with self.lock:
            repair = self._repairs[repair_id] = change(self._repairs[repair_id])
            self.present(repair_id)
            if repair_id in self._remembered:
                self._recorder.save(repair)
        return repair

    def put_back(self, repair: Repair) -> None:
        """Have a repair as it was before a change that could not be shown."""
        with self.lock:
            self._repairs[repair.id] = repair

    def present(self, repair_id: str) -> None:
        """Show a repair as it is now, if it was shown before."""
        with self.lock:
            if repair_id in self._shown and repair_id in self._repairs:
                self._presenter.update(self._repairs[repair_id], self._working(repair_id))

    def find(self, prefix: str) -> Repair:
        """The repair whose id starts so.

        Raises
        ------
        BadInput
            If there is none, or more than one.
        """
        found = [repair for repair in self.all() if repair.id.startswith(prefix)] if prefix else []
        if len(found) != 1:
            raise BadInput(f"There is no repair {prefix!r} in this kernel: `%reflex history` lists them.")
        return found[0]

    def latest(self, *kinds: str | None) -> Repair | None:
        """The latest repair whose decision is one of `kinds` (None: undecided); without kinds, the latest of all."""
        newest_first = reversed(self.all())
        return next((r for r in newest_first if not kinds or (r.decision.kind if r.decision else None) in kinds), None)

    def all(self) -> list[Repair]:
        """All of them, oldest first."""
        with self.lock:
            return list(self._repairs.values())

    def _forget_oldest(self) -> None:
        for old in list(self._repairs)[:-KEPT]:
            del self._repairs[old]
            self._shown.discard(old)
            self._remembered.discard(old)
            self._forgotten(old)
