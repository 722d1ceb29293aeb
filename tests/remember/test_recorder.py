"""What is read of the history while it is at work itself."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import threading
from collections.abc import Callable

import pytest

from reflex_ipython.models import Repair
from reflex_ipython.remember.memory_store import MemoryStore
from reflex_ipython.remember.recorder import Recorder
from reflex_ipython.testing import full_repair


def test_who_is_told_of_a_repair_that_was_looked_up_can_read_on() -> None:
    """A checker looks at it there, on the recorder's own thread, which can't wait for itself."""
    recorder, read = Recorder(MemoryStore, pytest.fail), list[list[Repair]]()
    repair = full_repair()
    recorder.save(repair)
    recorder.look_up(repair.id, lambda found: read.append(recorder.recent(1)))
    recorder.close()
    assert read == [[repair]]


def test_nothing_is_opened_before_something_is_read() -> None:
    opened = list[MemoryStore]()

    def open_store() -> MemoryStore:
        opened.append(MemoryStore())
        return opened[-1]

    recorder = Recorder(open_store)
    assert not opened
    assert recorder.recent(1) == []
    assert len(opened) == 1
    recorder.close()


class Kept(MemoryStore):
    """Tells what is saved, in its order."""

    def __init__(self) -> None:
        super().__init__()
        self.revisions = list[str]()

    def save(self, repair: Repair) -> None:
        super().save(repair)
        self.revisions.append(repair.revised)


NEW, LATER, LAST = (f"2026-01-01T00:00:0{second}Z" for second in range(3))


@pytest.fixture
def new(monkeypatch: pytest.MonkeyPatch) -> Repair:
    """One that has just been opened, in a session that saves it in an hour."""
    monkeypatch.setattr("reflex_ipython.remember.recorder.TOGETHER", 3_600.0)
    return dataclasses.replace(full_repair(), revised=NEW)


@pytest.mark.parametrize(
    "read",
    [
        lambda recorder, repair: recorder.recent(1),
        lambda recorder, repair: recorder.get(repair.id),
        lambda recorder, repair: recorder.settle(),
        lambda recorder, repair: recorder.close(),
        lambda recorder, repair: recorder.note(repair),
    ],
    ids=["recent", "get", "settle", "close", "note"],
)
def test_a_new_repair_is_saved_before_anything_is_read(read: Callable[[Recorder, Repair], object], new: Repair) -> None:
    store = Kept()
    recorder = Recorder(lambda: store, pytest.fail)
    recorder.save_new(new)
    assert store.revisions == []
    read(recorder, new)
    recorder.close()
    assert store.revisions[0] == NEW


def test_a_new_repair_is_saved_with_its_verdict_and_never_after_it(new: Repair) -> None:
    store = Kept()
    recorder = Recorder(lambda: store, pytest.fail)
    recorder.save_new(new)
    recorder.save(dataclasses.replace(new, revised=LATER))
    recorder.close()
    assert store.revisions == [LATER]


class Halting(threading.Event):
    """Holds up the thread `late` where it sets this; what another one then does comes first, if anything lets it."""

    late: threading.Thread | None = None

    def __init__(self) -> None:
        super().__init__()
        self.there, self.others_are_done = threading.Event(), threading.Event()

    def set(self) -> None:
        if threading.current_thread() is self.late:
            self.there.set()
            self.others_are_done.wait(0.5)
        super().set()


def test_it_is_found_while_its_verdict_is_being_saved(new: Repair) -> None:
    recorder = Recorder(MemoryStore, pytest.fail)
    recorder._hurry = halting = Halting()
    recorder.save_new(new)
    halting.late = threading.Thread(target=recorder.save, args=(dataclasses.replace(new, revised=LATER),))
    halting.late.start()
    assert halting.there.wait(60)
    assert [repair.id for repair in recorder.recent(9)] == [new.id]
    halting.others_are_done.set()
    halting.late.join()
    assert recorder.get(new.id).revised == LATER
    recorder.close()


def test_a_decision_right_behind_the_verdict_leaves_that_to_be_saved_too(new: Repair) -> None:
    store, may_open = Kept(), threading.Event()

    def opened() -> Kept:  # meanwhile both come
        assert may_open.wait(60)
        return store

    recorder = Recorder(opened, pytest.fail)
    recorder.look_up("none", lambda repair: None)  # its thread is at work
    recorder.save_new(new)
    recorder.save(dataclasses.replace(new, revised=LATER))
    recorder.save(dataclasses.replace(new, revised=LAST))
    may_open.set()
    recorder.close()
    assert store.revisions == [LATER, LAST]


def test_a_new_repair_is_saved_if_nothing_comes_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reflex_ipython.remember.recorder.TOGETHER", 0.01)
    saved = threading.Event()

    class Telling(MemoryStore):
        def save(self, repair: Repair) -> None:
            saved.set()

    recorder = Recorder(Telling, pytest.fail)
    recorder.save_new(full_repair())
    assert saved.wait(30)
    recorder.close()


ENDS = """
import sys
from reflex_ipython.remember.memory_store import MemoryStore
from reflex_ipython.remember.recorder import Recorder
from reflex_ipython.testing import full_repair

class Telling(MemoryStore):
    def save(self, repair):
        print("saved", repair.id == made.id)

made, recorder = full_repair(), Recorder(Telling)
recorder.save_new(made)
"""


def test_a_process_that_ends_right_away_saves_it_all_the_same() -> None:
    ended = subprocess.run([sys.executable, "-c", ENDS], capture_output=True, text=True, timeout=60, check=True)
    assert (ended.stdout, ended.stderr) == ("saved True\n", "")


def test_what_is_wrong_with_a_new_one_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reflex_ipython.remember.recorder.TOGETHER", 0.0)
    told = list[str]()

    def full(repair: Repair) -> Repair:
        raise OSError("no room")

    recorder = Recorder(MemoryStore, told.append, kept=full)
    recorder.save_new(full_repair())
    recorder.close()
    assert told == ["a repair was not saved: OSError: no room"]
