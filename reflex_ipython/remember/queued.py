"""A history on a server: what is saved waits in a local file, and follows when the server takes it.

No cell waits for the server, whether it is slow, gone or full.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late
from typing import TypeVar

from reflex_ipython.base.own_threads import shielded
from reflex_ipython.errors import StoreError
from reflex_ipython.models import Precedent, Repair, RepairFilter, RepairSummary, Tally
from reflex_ipython.protocols import IndexedStore
from reflex_ipython.remember.in_memory import added, found_among, newest_first, summary
from reflex_ipython.remember.lookup import NoSuchRepair, choose
from reflex_ipython.remember.resilient import RETRY_AFTER

T = TypeVar("T")
READING = 4.5
"""Seconds that a list of repairs is waited for."""
RECALLING = 0.25
"""The same for what a failed cell is waiting for."""
_AT_ONCE, _LOOKED_AT = 50, 1_000
_CLOSING = 2.0
"""Seconds in which what waits may still follow at the end; else it does so in the next session."""


class QueuedStore:
    """Saves in a local file at once, and on the server soon, each row once.

    Parameters
    ----------
    server, reader : IndexedStore
        The same store, by two connections: who reads does not wait for what is written.
    queue : IndexedStore
        The local file.
    warn : callable
        Is told in a sentence, once, that the server can't be used.
    """

    def __init__(
        self, server: IndexedStore, reader: IndexedStore, queue: IndexedStore, warn: Callable[[str], None]
    ) -> None:
        self._server = server
        self._reader = reader
        self._queue = queue
        self._warn = warn
        self._warned = False
        self._process = os.getpid()
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._moving = threading.Lock()
        self._changed: set[str] = set()  # ids that were saved since what waits was last looked at
        self._sender: threading.Thread | None = None
        self._readers: ThreadPoolExecutor | None = None

    def save(self, repair: Repair) -> None:
        """Put it into the queue; the server gets it soon."""
        if os.getpid() != self._process:  # there a thread that is no more may hold the lock
            self._queue.save(repair)
            return
        with self._moving:
            self._queue.save(repair)
            self._changed.add(repair.id)
        self._begin()
        self._wake.set()

    def get(self, prefix: str) -> Repair:
        """The repair whose id starts with `prefix`; see `protocols.RepairStore`."""
        found: dict[str, Repair] = {}
        waiting = None
        with contextlib.suppress(NoSuchRepair):
            waiting = self._queue.get(prefix)
        with contextlib.suppress(NoSuchRepair):
            stored = self._read(lambda store: store.get(prefix), READING)
            if stored is not None:
                found[stored.id] = stored
        if waiting is not None:
            found[waiting.id] = waiting
        return found[choose(prefix, list(found))]

    def recent(self, count: int, *, accepted: bool | None = None) -> list[Repair]:
        """The latest repairs, newest first; see `protocols.RepairStore`."""
        return self.find(RepairFilter(accepted=accepted), count)

    def find(self, which: RepairFilter, count: int) -> list[Repair]:
        """The latest that are meant, of the server and the queue; see `protocols.IndexedStore`."""
        # The queue first: what moves to the server meanwhile is found twice, and not never.
        waiting = {repair.id: repair for repair in self._queue.find(RepairFilter(), _LOOKED_AT)}
        stored = self._read(lambda store: store.find(which, count + len(waiting)), READING) or []
        meant = found_among(reversed(list(waiting.values())), which, count)
        others = [repair for repair in stored if repair.id not in waiting]
        return newest_first([*reversed(others), *reversed(meant)])[: max(count, 0)]

    def summaries(self, which: RepairFilter, count: int) -> list[RepairSummary]:
        """The same in a line each."""
        waiting = [summary(repair) for repair in self._queue.find(which, count)]
        ids = {line.id for line in waiting}
        stored = self._read(lambda store: store.summaries(which, count), READING) or []
        lines = [*waiting, *(line for line in stored if line.id not in ids)]
        return sorted(lines, key=lambda line: line.at, reverse=True)[: max(count, 0)]

    def precedents(self, mistake: str, count: int) -> list[Precedent]:
        """The latest that are known of a mistake: of the server, if it answers at once."""
        waiting = self._queue.precedents(mistake, count)
        stored = self._read(lambda store: store.precedents(mistake, count), RECALLING, tell=False) or []
        return [*waiting, *(each for each in stored if each not in waiting)][: max(count, 0)]

    def tallies(self) -> list[Tally]:
        """How many came to what; see `protocols.IndexedStore`.

        What waits is counted alone where the server does not answer: of its rows the server may have older states.
        """
        stored = self._read(lambda store: store.tallies(), READING)
        return added(self._queue.tallies() if stored is None else stored)

    def remove(self, which: RepairFilter) -> int:
        """Forget those that are meant; see `protocols.IndexedStore`.

        Raises
        ------
        StoreError
            If the server can't be used now: then nothing is forgotten.
        """
        return self._server.remove(which) + self._queue.remove(which)

    def close(self) -> None:
        """Let go of the server; what still waits follows in the next session."""
        if os.getpid() != self._process:
            return
        if self._sender is not None:
            self._closing.set()
            self._wake.set()
            self._sender.join(_CLOSING)
            self._sender = None
        if self._readers is not None:
            with contextlib.suppress(Late):
                self._readers.submit(self._reader.close).result(_CLOSING)
            self._readers.shutdown(wait=False, cancel_futures=True)
            self._readers = None
        self._queue.close()

    # ------------------------------------------------------------------------------- sending

    def _begin(self) -> None:
        if self._sender is None or not self._sender.is_alive():
            self._closing.clear()
            self._sender = threading.Thread(target=self._send_all, name="reflex-history-send", daemon=True)
            self._sender.start()

    def _send_all(self) -> None:
        """Send what waits; after a failure, again some seconds later."""
        while True:
            self._wake.clear()
            sent = self._send()
            if self._closing.is_set():
                self._server.close()
                return
            self._wake.wait(None if sent else RETRY_AFTER)
            if not sent and not self._closing.is_set():
                self._closing.wait(RETRY_AFTER)  # a burst of saves is no reason to ask more often

    @shielded()
    def _send(self) -> bool:
        """Send what waits, the oldest first; whether all of it went. One that the server refuses holds up no other."""
        refused: dict[str, StoreError] = {}
        try:
            while waiting := [repair for repair in self._next() if repair.id not in refused]:
                for repair in reversed(waiting):
                    try:
                        self._server.save(repair)
                        self._sent(repair)
                    except StoreError as problem:
                        self._server.recent(1)  # raises if it is not this one alone that the server does not take
                        refused[repair.id] = problem
        except StoreError as problem:
            self._failed(problem)
            return False
        except Exception as error:  # noqa: BLE001 - a thread's end is seen by nobody
            self._failed(StoreError(f"The history can't be sent: {type(error).__name__}: {error}."))
            return False
        for why in refused.values():
            self._failed(why)
        self._warned = bool(refused)
        return not refused

    def _next(self) -> list[Repair]:
        with self._moving:
            self._changed.clear()
        return self._queue.find(RepairFilter(), _AT_ONCE)

    def _sent(self, repair: Repair) -> None:
        with self._moving:
            if repair.id not in self._changed:  # as it is by now, it may wait anew: then that stays
                self._queue.remove(RepairFilter(id=repair.id, revised=repair.revised))

    # ------------------------------------------------------------------------------- reading

    def _read(self, read: Callable[[IndexedStore], T], seconds: float, *, tell: bool = True) -> T | None:
        """What the server says, in so many seconds; None if it does not."""
        if os.getpid() != self._process:
            return None
        if self._readers is None:
            self._readers = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reflex-history-read")
        asked = self._readers.submit(shielded()(read), self._reader)
        try:
            return asked.result(seconds)
        except Late:
            asked.cancel()
            if tell:
                self._failed(StoreError("The server of the history does not answer."))
        except StoreError as problem:
            if tell:
                self._failed(problem)
        return None

    def _failed(self, problem: StoreError) -> None:
        if not self._warned:
            self._warned = True
            self._warn(f"{problem} Until that is over, repairs wait in a file on this machine, and follow later.")
