"""The store that lasts as long as the kernel."""

from __future__ import annotations

from reflex_ipython.models import Precedent, Repair, RepairFilter, RepairSummary, Tally
from reflex_ipython.remember.in_memory import added, found_among, precedents_among, summary, tallies_of
from reflex_ipython.remember.lookup import choose


class MemoryStore:
    """Remembers repairs until the kernel ends."""

    def __init__(self) -> None:
        self._repairs: dict[str, Repair] = {}

    def save(self, repair: Repair) -> None:
        """Add the repair, or replace the one with its id, unless that is newer."""
        known = self._repairs.get(repair.id)
        if known is None or known.revised <= repair.revised:
            self._repairs[repair.id] = repair

    def get(self, prefix: str) -> Repair:
        """The repair whose id starts with `prefix`; see `protocols.RepairStore`."""
        return self._repairs[choose(prefix, list(self._repairs))]

    def recent(self, count: int, *, accepted: bool | None = None) -> list[Repair]:
        """The latest repairs, newest first; see `protocols.RepairStore`."""
        return self.find(RepairFilter(accepted=accepted), count)

    def find(self, which: RepairFilter, count: int) -> list[Repair]:
        """The latest that are meant; see `protocols.IndexedStore`."""
        return found_among(self.all(), which, count)

    def summaries(self, which: RepairFilter, count: int) -> list[RepairSummary]:
        """The same in a line each."""
        return [summary(repair) for repair in self.find(which, count)]

    def precedents(self, mistake: str, count: int) -> list[Precedent]:
        """The latest that are known of a mistake; see `protocols.Recalls`."""
        return precedents_among(self.all(), mistake, count)

    def tallies(self) -> list[Tally]:
        """How many came to what; see `protocols.IndexedStore`."""
        return added(tally for repair in self.all() for tally in tallies_of(summary(repair)))

    def remove(self, which: RepairFilter) -> int:
        """Forget those that are meant; see `protocols.IndexedStore`."""
        found = found_among(self.all(), which, len(self._repairs))
        for repair in found:
            self.forget(repair.id)
        return len(found)

    def __contains__(self, repair_id: str) -> bool:
        return repair_id in self._repairs

    def forget(self, repair_id: str) -> None:
        """Drop the repair with that id."""
        del self._repairs[repair_id]

    def all(self) -> list[Repair]:
        """Every repair, in the order in which they came."""
        return list(self._repairs.values())

    def close(self) -> None:
        """Nothing to let go of."""
