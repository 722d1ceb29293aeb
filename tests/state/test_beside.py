"""Threads and tasks of earlier statements that are at work while a statement runs: what they do is not lost unsaid."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from reflex_ipython.state.beside import THREAD, any_thread_at_work
from tests.state.cells import namespace, run

FAILS = """
for step in range(3):
    rows.append(step)
    go.set(), done.wait(30)
    if step == 1:
        toatl"""
SETUP = """
import threading
from concurrent.futures import ThreadPoolExecutor
rows, other, go, done = [], [], threading.Event(), threading.Event()
def work():
    go.wait(30)
    rows.append('theirs')
    done.set()
class Worker(threading.Thread):
    def run(self):
        work()
pool = ThreadPoolExecutor(1)
pool.submit(len, '').result()"""
STARTS = {
    "a thread": "threading.Thread(target=work).start()",
    "a thread of a class of theirs": "Worker().start()",
    "a pool": "pool.submit(work)",
    "a new pool": "new = ThreadPoolExecutor(1); new.submit(work)",
    "what waits in a pool's queue": "pool.submit(go.wait, 30); pool.submit(work)",
    "a timer": "threading.Timer(0, work).start()",
}


@pytest.mark.parametrize("starts", STARTS.values(), ids=STARTS)
@pytest.mark.parametrize("same_cell", [True, False])
def test_what_a_thread_did_meanwhile_is_named(starts: str, same_cell: bool) -> None:
    names = namespace(SETUP)
    if not same_cell:
        exec(starts, names)
    journal = run(names, f"{starts}\n{FAILS}" if same_cell else FAILS)
    index = len(journal) - 1
    told = [each for each in journal.aftermath.uncovered() if each.name == "rows" and each.why == THREAD]
    restoration = journal.rollback(index)
    assert [(each.first, each.last) for each in told] == [(index, index)]
    assert f"rows ({THREAD})" in restoration.except_names
    assert not any(name.startswith("other ") for name in restoration.except_names)
    names["pool"].shutdown()


def rested(names: dict[str, Any]) -> dict[str, Any]:
    """Once the pool has counted its thread as idle: it does so a moment after the result of its work is there."""
    end = time.monotonic() + 60
    while any_thread_at_work():
        assert time.monotonic() < end
        time.sleep(0.001)
    return names


def test_what_was_over_before_is_not_named() -> None:
    names = namespace(SETUP, "def left(): rows.append('left')", "thread = threading.Thread(target=left)")
    exec("thread.start(); thread.join(); pool.submit(left).result(); done.set()", names)
    journal = run(rested(names), FAILS)
    assert journal.rollback(0).exact
    assert names["rows"] == ["left", "left"]
    names["pool"].shutdown()


def test_threads_of_the_statement_itself_are_undone_with_it() -> None:
    names = namespace(SETUP)
    cell = "for step in range(3):\n    t = threading.Thread(target=rows.append, args=[step])\n    t.start(); t.join()"
    journal = run(rested(names), f"{cell}\ntoatl", at_once=True)
    assert not any(THREAD in name for name in journal.rollback(0).except_names)
    assert names["rows"] == []
    names["pool"].shutdown()


def test_a_librarys_thread_is_nobody_of_theirs() -> None:
    with ThreadPoolExecutor(1) as pool:  # this one waits for work
        pool.submit(len, "").result()
        names = namespace(SETUP, "done.set()")
        assert run(rested(names), FAILS).rollback(0).exact
        names["pool"].shutdown()


def test_a_timer_that_will_call_a_method_of_a_list_is_at_work() -> None:
    names = namespace(SETUP, "done.set(); timer = threading.Timer(600, rows.append, ['theirs']); timer.start()")
    journal = run(names, FAILS)
    names["timer"].cancel()
    assert f"rows ({THREAD})" in journal.rollback(0).except_names


def test_short_statements_in_front_hide_nobody() -> None:
    names: dict[str, Any] = namespace(SETUP)
    exec(STARTS["a thread"], names)
    journal = run(names, f"first = 1{FAILS}")
    assert f"rows ({THREAD})" in journal.rollback(0).except_names
