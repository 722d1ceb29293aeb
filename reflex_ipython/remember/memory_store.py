"""The store that lasts as long as the kernel."""

from __future__ import annotations

from reflex_ipython.models import Repair
from reflex_ipython.remember.lookup import choose


class MemoryStore:
    """Remembers repairs until the kernel ends."""

    def __init__(self) -> None:
        self._repairs: dict[str, Repair] = {}

    def save(self, repair: Repair) -> None:
        """Add the repair, or replace the one with its id."""
        self._repairs[repair.id] = repair

    def get(self, prefix: str) -> Repair:
        """The repair whose id starts with `prefix`; see `protocols.RepairStore`."""
        return self._repairs[choose(prefix, list(self._repairs))]

    def recent(self, count: int, *, accepted: bool | None = None) -> list[Repair]:
        """The latest repairs, newest first; see `protocols.RepairStore`."""
        chosen = [repair for repair in self.all() if accepted is None or was_accepted(repair) == accepted]
        return newest_first(chosen)[: max(count, 0)]

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


def was_accepted(repair: Repair) -> bool:
    """Whether the user accepted a fix, and did not take it back."""
    return repair.decision is not None and repair.decision.kind == "accepted"


def newest_first(repairs: list[Repair]) -> list[Repair]:
    """The repairs by time; of two at the same time the later one in the list is the newer."""
    return sorted(repairs, key=lambda repair: repair.cause.at)[::-1]
