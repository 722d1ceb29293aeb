"""What is read of the history while it is at work itself."""

from __future__ import annotations

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
