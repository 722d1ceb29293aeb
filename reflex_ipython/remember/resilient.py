"""The history that a session uses: a store as long as that works, memory when it does not. No row is lost."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from reflex_ipython.errors import StoreError
from reflex_ipython.models import Precedent, Repair, RepairFilter, RepairSummary, Tally
from reflex_ipython.protocols import RepairStore
from reflex_ipython.remember.decision_notes import DecisionNote, NotesDecisions
from reflex_ipython.remember.in_memory import added, newest_first, summary
from reflex_ipython.remember.indexed import indexed
from reflex_ipython.remember.lookup import NoSuchRepair, choose
from reflex_ipython.remember.memory_store import MemoryStore

T = TypeVar("T")
RETRY_AFTER = 5.0
"""Seconds until a store that failed is tried again: a lock or a full disk may pass."""


class ResilientStore:
    """Keeps in memory what the store would not take, and brings it there later if it can.

    It raises `BadInput` only. In a forked child nothing is written: what the child does is not the session's history.

    Parameters
    ----------
    store : RepairStore
        Where repairs belong.
    warn : callable
        Is told in a sentence, once, that the store can't be used.
    clock : callable
        Seconds.
    """

    def __init__(
        self, store: RepairStore, warn: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._store = indexed(store)
        self._warn = warn
        self._clock = clock
        self._lock = threading.RLock()
        self._process = os.getpid()
        self._waiting = MemoryStore()
        self._retry_at: float | None = None
        self._warned = False
        self.problem = ""
        """What the store could not be used for when it was tried last, in words."""

    def save(self, repair: Repair) -> None:
        """Add the repair, or replace the one with its id: in the store if that works, else in memory."""
        if self._forked():
            self._waiting.save(repair)
            return
        with self._lock:
            self._waiting.save(repair)
            if self._retry_at is None or self._clock() >= self._retry_at:
                self._bring()

    def note(self, decided: DecisionNote) -> None:
        """Note a decision on a repair that was saved; see `decision_notes.NotesDecisions`."""
        with self._lock:
            if self._forked() or self.waits or not isinstance(self._store, NotesDecisions):
                raise OSError("it has to be saved")
            self._store.note(decided)

    def get(self, prefix: str) -> Repair:
        """The repair whose id starts with `prefix`; see `protocols.RepairStore`."""
        if self._forked():
            return self._waiting.get(prefix)
        with self._lock:
            stored = self._stored(prefix)
            ids = {repair.id for repair in [*self._waiting.all(), *stored]}
            chosen = choose(prefix, sorted(ids))
            return self._waiting.get(chosen) if chosen in self._waiting else stored[0]

    def recent(self, count: int, *, accepted: bool | None = None) -> list[Repair]:
        """The latest repairs of store and memory, newest first; see `protocols.RepairStore`."""
        return self.find(RepairFilter(accepted=accepted), count)

    def find(self, which: RepairFilter, count: int) -> list[Repair]:
        """The latest that are meant, of store and memory; see `protocols.IndexedStore`."""
        if self._forked():
            return self._waiting.find(which, count)
        with self._lock:
            waiting = self._waiting.find(which, count)
            # Those that wait may stand in the store as they were before, and are left out of what it gives.
            more = count + len(self._waiting.all())
            found = self._tried(lambda: self._stored_now(which, more), list[Repair]())
            stored = [repair for repair in found if repair.id not in self._waiting]
            return newest_first([*reversed(stored), *reversed(waiting)])[: max(count, 0)]

    def summaries(self, which: RepairFilter, count: int) -> list[RepairSummary]:
        """The same in a line each."""
        with self._lock:
            if not self._waiting.all():
                return self._tried(lambda: self._store.summaries(which, count), list[RepairSummary]())
            return [summary(repair) for repair in self.find(which, count)]

    def precedents(self, mistake: str, count: int) -> list[Precedent]:
        """The latest that are known of a mistake; see `protocols.Recalls`."""
        if self._forked():
            return []
        with self._lock:
            waiting = self._waiting.precedents(mistake, count)
            stored = self._tried(lambda: self._store.precedents(mistake, count), list[Precedent]())
            return [*waiting, *stored][: max(count, 0)]

    def tallies(self) -> list[Tally]:
        """How many came to what; see `protocols.IndexedStore`. What waits may be counted as it was before as well."""
        with self._lock:
            return added([*self._tried(self._store.tallies, list[Tally]()), *self._waiting.tallies()])

    def remove(self, which: RepairFilter) -> int:
        """Forget those that are meant; see `protocols.IndexedStore`.

        Raises
        ------
        StoreError
            If the store can't be used now.
        """
        with self._lock:
            return self._waiting.remove(which) + self._store.remove(which)

    @property
    def waits(self) -> bool:
        """Whether something is in memory only."""
        return bool(self._waiting.all())

    def bring(self) -> None:
        """Store what is in memory only, if that works by now."""
        if not self._forked():
            with self._lock:
                self._bring()

    def close(self) -> None:
        """Try a last time to store what waits in memory, then let go of the file."""
        if self._forked():
            return
        with self._lock:
            self._bring()
            self._store.close()

    def _forked(self) -> bool:
        """Whether this is another process than the session's; there a thread that is no more may hold the lock."""
        return os.getpid() != self._process

    def _bring(self) -> None:
        """Store all that waits, oldest first."""
        try:
            for repair in self._waiting.all():
                self._save_or_name(repair)
                self._waiting.forget(repair.id)
        except StoreError as problem:
            self._failed(problem)
        else:
            self._retry_at, self._warned = None, False

    def _save_or_name(self, repair: Repair) -> None:
        try:
            self._store.save(repair)
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 - one that can't be written must not keep those behind it from it
            self._warn(f"a repair was not saved: {type(error).__name__}: {error}")

    def _stored(self, prefix: str) -> list[Repair]:
        try:
            return [self._store.get(prefix)]
        except NoSuchRepair:
            return []
        except StoreError as problem:
            self._failed(problem)
            return []

    def _stored_now(self, which: RepairFilter, count: int) -> list[Repair]:
        plain = RepairFilter(accepted=which.accepted)
        return self._store.recent(count, accepted=which.accepted) if which == plain else self._store.find(which, count)

    def _tried(self, read: Callable[[], T], otherwise: T) -> T:
        try:
            return read()
        except StoreError as problem:
            self._failed(problem)
            return otherwise

    def _failed(self, problem: StoreError) -> None:
        self._retry_at = self._clock() + RETRY_AFTER
        self.problem = str(problem)
        if not self._warned:
            self._warned = True
            self._warn(f"{problem} Until that is over, repairs are remembered in memory only.")
