"""Queues, semaphores and events are put back in place, unless others than the cell use them."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref
from typing import Any

import pytest

from tests.state.cells import namespace, run

IMPORTS = "import asyncio, queue, threading\nfrom collections import deque"
SUBCLASS = """
class Counted(queue.Queue):
    def __init__(self):
        super().__init__()
        self._puts, self.log = 0, []
    def put(self, item):
        self._puts += 1
        self.log.append(item)
        super().put(item)
o = Counted()
"""
CHANGES = {
    "what was taken": ("o = queue.Queue(); [o.put(n) for n in range(4)]", "o.get(); o.get()"),
    "what was put": ("o = queue.Queue(); o.put(0)", "o.put(1); o.put(2)"),
    "what is done": ("o = queue.Queue(); o.put(0)", "o.get(); o.task_done()"),
    "how much it holds": ("o = queue.Queue(2)", "o.maxsize = 5"),
    "by priority": ("o = queue.PriorityQueue(); [o.put(n) for n in (3, 1, 2)]", "o.get(); o.put(0)"),
    "the last first": ("o = queue.LifoQueue(); o.put(0)", "o.get()"),
    "one of the user's own": (f"{SUBCLASS}o.put(0)", "o.put(1); o.get()"),
    "an event that is set": ("o = threading.Event()", "o.set()"),
    "an event that is cleared": ("o = threading.Event(); o.set()", "o.clear()"),
    "a semaphore": ("o = threading.Semaphore(3)", "o.acquire()"),
    "a bounded semaphore": ("o = threading.BoundedSemaphore(3); o.acquire()", "o.release()"),
    "a barrier": ("o = threading.Barrier(2)", "o.abort()"),
    "tasks' queue": ("o = asyncio.Queue(); [o.put_nowait(n) for n in range(3)]", "o.get_nowait(); o.task_done()"),
    "tasks' queue by priority": ("o = asyncio.PriorityQueue(); o.put_nowait(2)", "o.put_nowait(1)"),
    "tasks' lock": ("o = asyncio.Lock()", "o._locked = True"),
    "tasks' event": ("o = asyncio.Event()", "o.set()"),
    "tasks' semaphore": ("o = asyncio.Semaphore(2)", "o._value -= 1"),
}


def picture(o: Any) -> dict[str, Any]:
    """All that it is made of, with the contents of containers."""
    return {name: value if isinstance(value, int) else (id(value), repr(value)) for name, value in vars(o).items()}


def until_awaited(queue: Any) -> None:
    while not queue.not_empty._waiters:
        pass


@pytest.mark.parametrize("loop", [False, True], ids=["statement", "loop"])
@pytest.mark.parametrize(("make", "change"), CHANGES.values(), ids=CHANGES)
def test_it_is_put_back_in_place(make: str, change: str, loop: bool) -> None:
    names = namespace(IMPORTS, make)
    o, before = names["o"], picture(names["o"])
    journal = run(names, f"for _ in range(1):\n    {change}\n    1 / 0" if loop else f"{change}\n1 / 0")
    assert picture(o) != before
    assert journal.rollback(0).exact
    assert names["o"] is o
    assert picture(o) == before


def test_what_is_in_there_is_put_back_too() -> None:
    names = namespace(IMPORTS, "o = queue.Queue(); rows = [1]; o.put(rows)")
    journal = run(names, "for _ in range(2):\n    row = o.get()\n    row.append(2)\n    o.put(row)\n1 / 0")
    assert journal.rollback(0).exact
    assert list(names["o"].queue) == [[1]]
    assert names["o"].queue[0] is names["rows"]


def test_what_the_cell_has_taken_out_of_it_ends_as_without_us() -> None:
    names = namespace(IMPORTS, "class Big: pass\no = queue.Queue(); o.put(Big())")
    end = weakref.ref(names["o"].queue[0])
    ended = []
    names["look"] = lambda: ended.append(end() is None)
    journal = run(names, "if True:\n    o.get()\n    look()\n1 / 0")
    assert ended == [True]
    gc.collect()
    assert not journal.rollback(0).exact  # and that is said


def test_one_that_another_thread_waits_for_is_named() -> None:
    names = namespace(IMPORTS, "o = queue.Queue(); seen = []")
    exec(
        "def work():\n    while (item := o.get()) is not None:\n        seen.append(item)\n        o.task_done()", names
    )
    thread = threading.Thread(target=names["work"], daemon=True)
    thread.start()
    until_awaited(names["o"])
    journal = run(names, "for _ in range(1):\n    o.put(1)\n    o.join()\n    1 / 0")
    until_awaited(names["o"])
    assert "o (others may use it as well)" in journal.rollback(0).words
    assert names["o"].empty()  # the item is not there a second time
    names["o"].put(None)
    thread.join()


def test_one_that_the_users_other_thread_may_use_is_named() -> None:
    names = namespace(IMPORTS, "o = queue.Queue(); end = threading.Event(); begun = threading.Event()")
    exec("def work():\n    begun.set()\n    end.wait()", names)
    thread = threading.Thread(target=names["work"], daemon=True)
    thread.start()
    names["begun"].wait()
    try:
        journal = run(names, "o.put(1)\n1 / 0")
        assert not journal.rollback(0).exact
        assert names["o"].qsize() == 1
    finally:
        names["end"].set()
        thread.join()


def test_one_that_keeps_its_contents_in_a_way_of_its_own_is_named() -> None:
    names = namespace(
        IMPORTS,
        "class Once(queue.Queue):\n    def _init(self, _): self.queue = set()\n"
        "    def _put(self, item): self.queue.add(item)\no = Once()",
    )
    journal = run(names, "o.put(1)\n1 / 0")
    assert journal.rollback(0).words == "not undone: o (Once)"


def test_one_that_nobody_has_changed_is_not_named_whoever_waits() -> None:
    names = namespace(IMPORTS, "o = queue.Queue(); o.put(1)")
    journal = run(names, "if True:\n    o.put(o.get())\n    o.task_done()\n1 / 0")
    assert journal.rollback(0).exact


def test_who_waits_for_an_item_is_not_put_back() -> None:
    names = namespace(IMPORTS, "loop = asyncio.new_event_loop(); o = asyncio.Queue(); seen = []")
    exec("async def work():\n    while (item := await o.get()) is not None:\n        seen.append(item)", names)
    loop = names["loop"]
    task = loop.create_task(names["work"]())
    settle = "loop.run_until_complete(asyncio.sleep(0.01))"
    exec(settle, names)  # it waits
    journal = run(names, f"for _ in range(1):\n    o.put_nowait(1)\n    {settle}\n    1 / 0")
    assert "o (others may use it as well)" in journal.rollback(0).words
    names["o"].put_nowait(2)
    names["o"].put_nowait(None)
    loop.run_until_complete(asyncio.wait_for(task, 60))  # else it would wait for ever
    loop.close()
    assert 2 in names["seen"]
