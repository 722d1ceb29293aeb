"""What no reply waits for is done soon after it, and before another cell runs."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from IPython.core.events import EventManager, available_events
from tornado.ioloop import IOLoop

from reflex_ipython.ipython.after_reply import AfterReply


class Kernel:
    """A kernel, as far as it is needed."""

    @property
    def io_loop(self) -> IOLoop:
        return IOLoop.current()

    def get_parent(self) -> dict[str, Any]:
        return {}


def a_shell() -> Any:
    return SimpleNamespace(kernel=Kernel(), events=EventManager(None, available_events))


def registered(shell: Any) -> list[Any]:
    return list(shell.events.callbacks["pre_execute"])


async def until(condition: Callable[[], object]) -> None:
    for _ in range(1_000):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise TimeoutError


def test_it_is_done_once_the_cell_is_over_and_all_is_ready() -> None:
    shell, done, asked, ready = a_shell(), [], [], [False]
    before = registered(shell)

    async def kernel() -> None:
        AfterReply(shell).call(lambda: done.append(threading.current_thread()), lambda: asked.append(1) or ready[0])
        await until(lambda: len(asked) > 3)
        assert (done, registered(shell) == before) == ([], False)
        ready[0] = True
        await until(lambda: done)

    asyncio.run(kernel())
    assert (done, registered(shell)) == ([threading.main_thread()], before)


def test_it_waits_for_the_loop_however_long_the_cell_and_its_reply_took() -> None:
    shell, order = a_shell(), []

    async def kernel() -> None:
        AfterReply(shell).call(lambda: order.append("work"), lambda: True)
        time.sleep(0.05)  # much of the cell's end was still to come
        IOLoop.current().call_later(0, order.append, "the reply has left")
        await until(lambda: "work" in order)

    asyncio.run(kernel())
    assert order == ["the reply has left", "work"]


def test_another_cell_does_not_run_before_it() -> None:
    shell, done = a_shell(), []
    before = registered(shell)

    async def kernel() -> None:
        later = AfterReply(shell)
        for word in ("one", "two"):
            later.call(lambda word=word: done.append(word), lambda: False)  # type: ignore[misc]  # of this turn
        shell.events.trigger("pre_execute")
        assert (done, registered(shell)) == (["one", "two"], before)
        later.call(lambda: done.append("three"), lambda: True)
        await until(lambda: len(done) == 3)

    asyncio.run(kernel())


def test_what_runs_in_a_subshell_does_not_have_it_done_on_that_thread() -> None:
    shell, done = a_shell(), []

    async def kernel() -> None:
        AfterReply(shell).call(lambda: done.append(threading.current_thread()), lambda: True)
        subshell = threading.Thread(target=shell.events.trigger, args=("pre_execute",))
        subshell.start()
        subshell.join()
        assert done == []
        await until(lambda: done)

    asyncio.run(kernel())
    assert done == [threading.main_thread()]


def test_where_there_is_no_loop_to_come_back_to_it_is_done_at_once() -> None:
    done: list[str] = []
    AfterReply(SimpleNamespace()).call(lambda: done.append("terminal"), lambda: False)
    AfterReply(a_shell()).call(lambda: done.append("no loop runs"), lambda: False)
    assert done == ["terminal", "no loop runs"]


def test_on_another_thread_it_is_done_at_once() -> None:
    done: list[str] = []

    async def subshell() -> None:
        AfterReply(a_shell()).call(lambda: done.append("there"), lambda: False)
        assert done == ["there"]

    thread = threading.Thread(target=asyncio.run, args=(subshell(),))
    thread.start()
    thread.join()
    assert done == ["there"]


def test_what_never_gets_ready_is_done_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reflex_ipython.ipython.after_reply._LATEST", 0.0)
    done: list[str] = []

    async def kernel() -> None:
        AfterReply(a_shell()).call(lambda: done.append("late"), lambda: False)
        await until(lambda: done)

    asyncio.run(kernel())


def test_an_interrupt_meanwhile_is_for_the_cell_that_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr("reflex_ipython.ipython.after_reply.hand_on", lambda: done.append("interrupted"))
    asyncio.run(raising(KeyboardInterrupt(), done))
    assert done == ["interrupted", "next"]


def test_what_fails_is_shown_in_no_cell_and_the_others_are_done(capsys: pytest.CaptureFixture[str]) -> None:
    done: list[str] = []
    asyncio.run(raising(RuntimeError("can't start new thread"), done))
    shown = capsys.readouterr()
    assert (done, shown.out, shown.err) == (["next"], "", "")


async def raising(error: BaseException, done: list[str]) -> None:
    """Put off something that raises and something that does not, until the next cell begins."""

    def raises() -> None:
        raise error

    shell = a_shell()
    later = AfterReply(shell)
    later.call(raises, lambda: False)
    later.call(lambda: done.append("next"), lambda: False)
    shell.events.trigger("pre_execute")


def test_what_is_not_done_by_the_end_is_not_done_any_more() -> None:
    shell, done = a_shell(), []
    before = registered(shell)

    async def kernel() -> None:
        later = AfterReply(shell)
        later.call(lambda: done.append("late"), lambda: True)
        later.close()
        AfterReply(a_shell()).call(lambda: done.append("after it"), lambda: True)
        await until(lambda: done)

    asyncio.run(kernel())
    assert (done, registered(shell)) == (["after it"], before)
