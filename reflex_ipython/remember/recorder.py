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
    """

    def __init__(self, open_store: Callable[[], RepairStore], warn: Callable[[str], None] = lambda text: None) -> None:
        self._open_store = open_store
        self._warn = warn
        self._process = os.getpid()
        self._store: RepairStore | None = None
        self._thread: ThreadPoolExecutor | None = None

    def save(self, repair: Repair) -> None:
        """Remember the repair soon. In a forked child nothing is remembered: what it does is not the session's."""
        if os.getpid() == self._process:
            self._submit(lambda store: store.save(repair)).add_done_callback(
                lambda saved: self._complain(saved, "a repair was not saved")
            )

    def get(self, prefix: str) -> Repair:
        """As `RepairStore.get`."""
        return self._submit(lambda store: store.get(prefix)).result()

    def look_up(self, repair_id: str, then: Callable[[Repair | None], None]) -> None:
        """Find the repair with exactly that id; `then` is given it, or None, on the recorder's thread."""

        def look(store: RepairStore) -> None:
            try:
                found = store.get(repair_id)
            except BadInput:  # none, several, or a damaged row
                then(None)
            else:
                then(found if found.id == repair_id else None)

        self._submit(look).add_done_callback(lambda looked: self._complain(looked, "a saved repair was not looked up"))

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

    def _complain(self, work: Future[None], what: str) -> None:
        error = work.exception()
        if error is not None:
            self._warn(f"{what}: {type(error).__name__}: {error}")
