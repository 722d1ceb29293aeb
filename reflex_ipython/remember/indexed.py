"""A store of another package that only saves and lists, as one that finds and counts."""

from __future__ import annotations

from reflex_ipython.errors import BadInput
from reflex_ipython.models import Precedent, Repair, RepairFilter, RepairSummary, Tally
from reflex_ipython.protocols import IndexedStore, RepairStore
from reflex_ipython.remember.in_memory import added, found_among, precedents_among, summary, tallies_of

LOOKED_THROUGH = 5_000
"""So many of the latest repairs are looked through in a store that does not find by itself."""
_RECALLED = 500
"""The same while a failed cell waits."""


def indexed(store: RepairStore) -> IndexedStore:
    """The store itself if it finds and counts."""
    return store if isinstance(store, IndexedStore) else _LookedThrough(store)


class _LookedThrough:
    """Looks through the latest of what a plain store has."""

    def __init__(self, store: RepairStore) -> None:
        self._store = store
        self.save, self.get, self.recent, self.close = store.save, store.get, store.recent, store.close

    def find(self, which: RepairFilter, count: int) -> list[Repair]:
        return found_among(reversed(self._store.recent(LOOKED_THROUGH)), which, count)

    def summaries(self, which: RepairFilter, count: int) -> list[RepairSummary]:
        return [summary(repair) for repair in self.find(which, count)]

    def precedents(self, mistake: str, count: int) -> list[Precedent]:
        return precedents_among(reversed(self._store.recent(_RECALLED)), mistake, count)

    def tallies(self) -> list[Tally]:
        lines = map(summary, self._store.recent(LOOKED_THROUGH))
        return added(tally for line in lines for tally in tallies_of(line))

    def remove(self, which: RepairFilter) -> int:
        raise BadInput("This history store can't forget: it is another package's, and has no `remove`.")
