"""Writing the history without making anybody wait: one thread, in order, begun at the first repair."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from reflex_ipython.errors import BadInput
from reflex_ipython.models import Repair
from reflex_ipython.protocols import RepairStore

T = TypeVar("T")


class Recorder:
    """Saves on a thread of its own; reads wait for what was saved before.

    Parameters
    ----------
    open_store : callable
        Gives the store. It is called at the first use, on the recorder's thread: it may take its time.
    warn : callable
        Is told in a sentence when something was not saved.
    kept : callable
        Gives the form in which a repair is kept. It is called on the recorder's thread, and what it raises keeps the
        repair from being saved.
    """

    def __init__(
        self,
        open_store: Callable[[], RepairStore],
        warn: Callable[[str], None] = lambda text: None,
        kept: Callable[[Repair], Repair] = lambda repair: repair,
    ) -> None:
        self._open_store = open_store
        self._kept = kept
        self._warn = warn
        self._process = os.getpid()
        self._store: RepairStore | None = None
        self._thread: ThreadPoolExecutor | None = None

    def save(self, repair: Repair) -> None:
        """Remember the repair soon. In a forked child nothing is remembered: what it does is not the session's."""
        if os.getpid() == self._process:
            self._submit(lambda store: store.save(self._kept(repair))).add_done_callback(self._complain)

    def get(self, prefix: str) -> Repair:
        """As `RepairStore.get`."""
        return self._submit(lambda store: store.get(prefix)).result()

    def recent(self, count: int, *, accepted: bool | None = None) -> list[Repair]:
        """As `RepairStore.recent`."""
        return self._submit(lambda store: store.recent(count, accepted=accepted)).result()

    def close(self) -> None:
        """Wait until all is written, then let go of the file and of the thread."""
        if self._thread is not None and os.getpid() == self._process:
            self._submit(lambda store: store.close()).result()
            self._thread.shutdown()
            self._thread = self._store = None

    def _submit(self, work: Callable[[RepairStore], T]) -> Future[T]:
        if os.getpid() != self._process:  # its thread did not come along
            raise BadInput("The history can't be read in a forked process.")
        if self._thread is None:
            self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reflex-history")
        return self._thread.submit(self._work, work)

    def _work(self, work: Callable[[RepairStore], T]) -> T:
        if self._store is None:
            self._store = self._open_store()
        return work(self._store)

    def _complain(self, saved: Future[None]) -> None:
        error = saved.exception()
        if error is not None:
            self._warn(f"a repair was not saved: {type(error).__name__}: {error}")
