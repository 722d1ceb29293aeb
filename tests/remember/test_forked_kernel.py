"""A child that the user's code forks has the recorder, but not its thread."""

from __future__ import annotations

import os
import signal
import sys
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from reflex_ipython.errors import BadInput
from reflex_ipython.models import Repair
from reflex_ipython.remember.recorder import Recorder
from reflex_ipython.remember.store import SqliteStore

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def in_a_child(work: Callable[[], object]) -> int:
    """The exit code of a fork of this process that does the work; 1 if it raises, a signal's number if it hangs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # a fork beside a thread is what this is about
        pid = os.fork()
    if pid == 0:
        signal.alarm(120)
        try:
            work()
            os._exit(0)
        except BaseException:  # noqa: BLE001 - the child must not go on as the test run
            traceback.print_exc(file=sys.__stderr__)
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@pytest.fixture
def recorder(path: Path, sqlite: Callable[..., SqliteStore], make_repair: Callable[..., Repair]) -> Recorder:
    """One whose thread has begun."""
    made = Recorder(lambda: sqlite(path), warn=pytest.fail)
    made.save(make_repair("first"))
    assert [repair.id for repair in made.recent(5)] == ["first"]
    return made


def test_what_a_child_does_is_not_remembered(recorder: Recorder, make_repair: Callable[..., Repair]) -> None:
    assert in_a_child(lambda: recorder.save(make_repair("second"))) == 0
    assert [repair.id for repair in recorder.recent(5)] == ["first"]
    recorder.close()


@pytest.mark.parametrize("read", [lambda r: r.recent(5), lambda r: r.get("first")], ids=["recent", "get"])
def test_a_child_that_asks_is_told_so_in_words(recorder: Recorder, read: Callable[[Recorder], object]) -> None:
    def ask() -> None:
        with pytest.raises(BadInput, match="in a forked process"):
            read(recorder)

    assert in_a_child(ask) == 0
    recorder.close()


def test_a_child_that_ends_leaves_the_history_open(recorder: Recorder) -> None:
    assert in_a_child(recorder.close) == 0
    assert [repair.id for repair in recorder.recent(5)] == ["first"]
    recorder.close()
