"""Keeping a history bounded: what is too old, or too much, is forgotten a little at a time."""

from __future__ import annotations

import time
from typing import Protocol, runtime_checkable

from reflex_ipython.models import RepairFilter, moment
from reflex_ipython.settings import Settings

EVERY = 50
"""After so many saved repairs it is looked at again."""
_AT_ONCE = 500
"""So many are forgotten at a time: nobody waits long for that."""
_DAY = 86_400


@runtime_checkable
class Prunes(Protocol):
    """A store that can forget its oldest repairs."""

    def remove_oldest(self, which: RepairFilter, most: int | None) -> int:
        """Forget those that are meant, at most so many, the oldest first; gives how many that were."""

    def size(self) -> int:
        """How many repairs it has."""


def prune(store: Prunes, settings: Settings) -> None:
    """Forget what the settings don't keep."""
    if settings.history_days is not None:
        old = RepairFilter(until=moment(time.time() - settings.history_days * _DAY))
        store.remove_oldest(old, _AT_ONCE)
    if settings.history_size is not None:
        too_many = store.size() - settings.history_size
        if too_many > 0:
            store.remove_oldest(RepairFilter(), min(too_many, _AT_ONCE))
