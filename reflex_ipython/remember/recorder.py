"""Writing the history without making anybody wait: one thread, in order, begun at the first repair."""

from __future__ import annotations

import contextlib
import functools
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from concurrent.futures import TimeoutError as Late
from typing import Protocol, TypeVar

from reflex_ipython.base.named_timer import NamedTimer
from reflex_ipython.base.own_threads import shielded
from reflex_ipython.errors import BadInput
from reflex_ipython.models import Precedent, Repair, RepairFilter, RepairSummary, Tally
from reflex_ipython.protocols import IndexedStore, RepairStore
from reflex_ipython.remember.decision_notes import NotesDecisions, note_of
from reflex_ipython.remember.indexed import indexed
from reflex_ipython.remember.resilient import RETRY_AFTER, ResilientStore

T = TypeVar("T")
READING = 5.0
"""Seconds that anybody waits for what is read: a lock takes less, so this is a disk that does not answer."""
SETTLING = 2.0
"""Seconds that a decision may be held up until it is on the disk: a lock takes less."""
RECALLING, SLOW = 1.0, 60.0
"""Seconds that a failed cell's thread waits for what helped before: the first time, the history is opened. If it takes
longer, nothing is recalled for so many seconds."""
TOGETHER = 0.5
"""Seconds that a new repair waits to be saved: the verdict on its fix mostly comes by then, and is saved with it."""
STUCK = 20.0
"""Seconds after which a disk that has not answered is told of: on a busy machine a write may take a few."""


class Log(Protocol):
    """Keeps what is saved in another form as well."""

    def add(self, repair: Repair) -> None:
        """Keep it soon; it is called on the recorder's thread, which must not wait."""

    def close(self) -> None:
        """Finish what is not kept yet."""


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
    log : Log or None
        Is given what is saved, in the form in which it is kept, whether the store takes it or not.
    """

    def __init__(
        self,
        open_store: Callable[[], RepairStore],
        warn: Callable[[str], None] = lambda text: None,
        kept: Callable[[Repair], Repair] = lambda repair: repair,
        log: Log | None = None,
    ) -> None:
        self._open_store = open_store
        self._kept = kept
        self._log = log
        self._warn = warn
        self._process = os.getpid()
        self._store: IndexedStore | None = None
        self._at_work: threading.Thread | None = None
        self._thread: ThreadPoolExecutor | None = None
        self._retry: NamedTimer | None = None
        self._new: dict[str, Repair] = {}
        self._new_ones = threading.Lock()
        self._hurry = threading.Event()
        """Whether the new ones are to be saved now: its thread has something else to do."""
        self._said_late = False
        self._saved: set[str] = set()
        self._slow_until = 0.0

    def save(self, repair: Repair) -> None:
        """Remember the repair soon. In a forked child nothing is remembered: what it does is not the session's."""
        if os.getpid() == self._process:
            with self._new_ones:
                # Who reads now waits for that, and must not find neither. Once it hurries, what comes is saved behind.
                if repair.id in self._new and not self._hurry.is_set():
                    self._new[repair.id] = repair
                    self._hurry.set()
                    return
            self._submit(lambda store: self._save(store, repair)).add_done_callback(
                lambda saved: self._complain(saved, "a repair was not saved")
            )

    def save_new(self, repair: Repair) -> None:
        """The same in `TOGETHER` seconds, with what has become of it by then; sooner if anything else is asked.

        To make its row takes the processor for as long as its fix is tried, which somebody waits for. Its thread waits,
        not a timer: Python ends once that has done all that it was given.
        """
        if os.getpid() == self._process:
            with self._new_ones:
                is_first = not self._new
                self._new[repair.id] = repair
                if is_first:
                    self._hurry.clear()
                    self._begun().submit(self._save_new)

    @shielded()
    def _save_new(self) -> None:
        self._hurry.wait(TOGETHER)
        with self._new_ones:
            new, self._new = list(self._new.values()), {}
        for repair in new:
            try:
                self._work(functools.partial(self._save, repair=repair))
            except Exception as error:  # noqa: BLE001 - as of any other repair
                self._not_saved(error, "a repair was not saved")

    def note(self, repair: Repair) -> None:
        """Remember soon that a repair was decided, as quickly as the store can; who calls this saves it later."""
        if os.getpid() == self._process:
            self._submit(lambda store: self._note(store, repair)).add_done_callback(
                lambda saved: self._complain(saved, "a decision was not saved")
            )

    def _save(self, store: IndexedStore, repair: Repair) -> None:
        repair = self._kept(repair)
        if self._log is not None:
            self._log.add(repair)
        store.save(repair)
        self._saved.add(repair.id)

    def _note(self, store: IndexedStore, repair: Repair) -> None:
        decided = note_of(repair) if repair.id in self._saved else None
        if decided is not None and isinstance(store, NotesDecisions):
            with contextlib.suppress(OSError):  # as of a folder that nobody may write to
                store.note(decided)
                return
        self._save(store, repair)

    def settle(self, seconds: float = SETTLING) -> None:
        """Wait until what was saved is written, or is known not to be; longer than so many seconds nobody waits.

        It outlives this process then. What keeps it from being written is named; that it merely takes its time is
        worth no word before `STUCK` seconds have passed.
        """
        if self._thread is None or os.getpid() != self._process:
            return
        asked = self._submit(_in_the_way)
        try:
            self._tell(asked.result(seconds))
        except Late:
            self._tell_if_stuck(asked)
        except Exception:  # noqa: BLE001 - no store could be opened: saving has said so
            pass

    def _tell_if_stuck(self, asked: Future[str]) -> None:
        def tell() -> None:
            if not asked.done():
                self._tell(f"The history has not answered for {STUCK:g} s.")

        def answered(_: Future[str]) -> None:
            waiting.cancel()
            if asked.exception() is None:
                self._tell(asked.result())

        waiting = NamedTimer("reflex-history-late", STUCK, tell)
        waiting.start()
        asked.add_done_callback(answered)

    def _tell(self, problem: str) -> None:
        if problem and not self._said_late:
            self._warn(f"this decision is not on disk yet: {problem} It will be written as soon as that is over.")
        self._said_late = bool(problem)

    def get(self, prefix: str) -> Repair:
        """As `RepairStore.get`."""
        return self._read(lambda store: store.get(prefix))

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
        return self._read(lambda store: store.recent(count, accepted=accepted))

    def find(self, which: RepairFilter, count: int) -> list[Repair]:
        """As `IndexedStore.find`."""
        return self._read(lambda store: store.find(which, count))

    def summaries(self, which: RepairFilter, count: int) -> list[RepairSummary]:
        """As `IndexedStore.summaries`."""
        return self._read(lambda store: store.summaries(which, count))

    def tallies(self) -> list[Tally]:
        """As `IndexedStore.tallies`."""
        return self._read(lambda store: store.tallies())

    def precedents(self, mistake: str, count: int) -> list[Precedent]:
        """As `Recalls.precedents`; none if the history does not answer at once, and for a while after that.

        A failed cell waits for it: `mistake` empty, for all, is the user's own question.
        """
        if not mistake:
            return self._read(lambda store: store.precedents("", count))
        if os.getpid() != self._process or time.monotonic() < self._slow_until:
            return []
        try:
            return self._submit(lambda store: store.precedents(mistake, count)).result(RECALLING)
        except Late:
            self._slow_until = time.monotonic() + SLOW
        except Exception:  # noqa: BLE001 - whatever is wrong with the history, it is said where it is saved
            pass
        return []

    def close(self) -> None:
        """Wait until all is written, then let go of the file and of the thread."""
        if self._thread is not None and os.getpid() == self._process:
            wait([self._submit(lambda store: store.close())], READING)
            if self._retry is not None:
                self._retry.cancel()
            self._thread.shutdown(wait=False)
            self._thread = self._store = self._retry = self._at_work = None
            if self._log is not None:
                self._log.close()

    def _read(self, work: Callable[[IndexedStore], T]) -> T:
        if threading.current_thread() is self._at_work:  # a checker that looks at a repair which was just looked up
            return self._work(work)
        try:
            return self._submit(work).result(READING)
        except Late:
            raise BadInput(
                f"The history did not answer within {READING:g} s: is its disk available? Try again in a while."
            ) from None

    def _submit(self, work: Callable[[IndexedStore], T]) -> Future[T]:
        if os.getpid() != self._process:  # its thread did not come along
            raise BadInput("The history can't be read in a forked process.")
        self._hurry.set()
        return self._begun().submit(self._work, work)

    def _begun(self) -> ThreadPoolExecutor:
        if self._thread is None:
            self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reflex-history")
        return self._thread

    @shielded()
    def _work(self, work: Callable[[IndexedStore], T]) -> T:
        self._at_work = threading.current_thread()
        if self._store is None:
            self._store = indexed(self._open_store())
        try:
            return work(self._store)
        finally:
            if isinstance(self._store, ResilientStore) and self._store.waits:
                self._bring_later()

    def _bring_later(self) -> None:
        """What is in memory only is brought to the disk without another repair's help."""
        if self._retry is None or not self._retry.is_alive():
            self._retry = NamedTimer("reflex-history-retry", RETRY_AFTER, self._bring)
            self._retry.start()

    def _bring(self) -> None:
        self._retry = None
        with contextlib.suppress(RuntimeError):  # it is just being closed
            if self._thread is not None:
                self._submit(_bring)

    def _complain(self, work: Future[None], what: str) -> None:
        error = work.exception()
        if error is not None:
            self._not_saved(error, what)

    def _not_saved(self, error: BaseException, what: str) -> None:
        self._warn(f"{what}: {type(error).__name__}: {error}")


def _in_the_way(store: RepairStore) -> str:
    """What keeps repairs from the disk, in words; empty if nothing does."""
    return store.problem if isinstance(store, ResilientStore) and store.waits else ""


def _bring(store: RepairStore) -> None:
    if isinstance(store, ResilientStore):
        store.bring()
