"""Threads, tasks and calls that earlier statements have left, and that are at work while a cell fails, are named."""

from __future__ import annotations

import pytest

from reflex_ipython.state.beside import TASK, THREAD
from tests.kernel.driver import Kernel

SETUP = """\
import asyncio, threading, time
total, rows, go = 7, [], []
def work():
    while not go:
        time.sleep(0.01)
    rows.append('theirs')
async def wait():
    rows.append('theirs')"""
THREADED = """\
for step in range(3):
    rows.append(step)
    go.append(step)
    thread.join(60)
    if step == 1: print(toatl)"""
AWAITING = THREADED.replace("thread.join(60)", "await asyncio.sleep(0.01)")
START = "thread = threading.Thread(target=work); thread.start()"
CALL = """\
def later():
    rows.append('theirs') if go else asyncio.get_running_loop().call_later(0.02, later)
later()"""
SLOW = THREADED.replace("thread.join(60)", "await asyncio.sleep(0.4)")


@pytest.mark.parametrize(
    ("earlier", "cell", "who"),
    [
        (START, THREADED, THREAD),
        ("", f"{START}\n{THREADED}", THREAD),
        ("", f"task = asyncio.create_task(wait())\n{AWAITING}", TASK),
        (CALL, SLOW, TASK),
    ],
    ids=["an earlier thread", "a thread of the cell", "a task of the cell", "a call for later"],
)
def test_what_others_did_while_a_statement_ran_is_named_before_and_after(
    kernel: Kernel, earlier: str, cell: str, who: str
) -> None:
    kernel.run(f"{SETUP}\n{earlier}")
    panel = kernel.settled(kernel.run(cell, "cell"))
    told = [finding["text"] for finding in panel["fixes"][0]["findings"] if who in finding["text"]]
    assert len(told) == 1, panel["fixes"][0]["findings"]
    assert "`rows`" in told[0]
    assert panel["fixes"][0]["run_options"] == []  # nothing is asked
    answer = kernel.accept(kernel.hello(), panel)
    assert answer["type"] == "apply", answer
    ran = kernel.run(cell.replace("toatl", "total"), "cell")
    assert ran.status == "ok"
    assert kernel.value("[step for step in rows if step != 'theirs']") == [0, 1, 2]
    state = kernel.state(kernel.hello(), panel["repair"])
    assert f"rows ({who})" in str(state)


def test_where_nobody_is_at_work_nothing_is_named(kernel: Kernel) -> None:
    kernel.run(f"{SETUP}\n{START}; go.append(1); thread.join()")
    panel = kernel.settled(kernel.run(THREADED, "cell"))
    assert panel["fixes"][0]["findings"] == []
