"""Our threads are shielded from what belongs to the user's."""

from __future__ import annotations

import builtins
import gc
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import pytest

from reflex_ipython.base import own_threads
from reflex_ipython.base.own_threads import OwnThread, shielded

PACKAGE = Path(__file__).parents[2] / "reflex_ipython"


class Cycle:
    """Garbage as soon as it is made; says on which thread it ended."""

    ended: ClassVar[list[str]] = []

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        self.ended.append(threading.current_thread().name)


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library is loaded whose objects may end on no thread but their own."""
    monkeypatch.setitem(sys.modules, "_tkinter", ModuleType("_tkinter"))


@pytest.fixture
def collects_only_when_told() -> Iterator[None]:
    """So that it is known on which thread. Nothing is frozen, as it is for other tests."""
    gc.unfreeze()
    gc.collect()
    Cycle.ended.clear()
    gc.disable()
    yield
    gc.enable()
    gc.freeze()


def on(thread: threading.Thread) -> None:
    thread.start()
    thread.join()


def collect(generation: int) -> Callable[[], None]:
    """Two collections: the second would find what the first has left."""
    return lambda: [gc.collect(generation) for _ in range(2)].clear()


@pytest.mark.usefixtures("collects_only_when_told", "windows")
@pytest.mark.parametrize("generation", [0, 1, 2])
def test_a_finalizer_waits_for_a_thread_of_the_users(generation: int) -> None:
    Cycle()
    on(OwnThread(target=collect(generation), name="ours"))
    assert (Cycle.ended, gc.get_freeze_count()) == ([], 0)
    gc.collect()
    assert Cycle.ended == ["MainThread"]


@pytest.mark.usefixtures("collects_only_when_told", "windows")
def test_other_threads_collect_meanwhile() -> None:
    def meanwhile() -> None:
        Cycle()
        on(threading.Thread(target=collect(0), name="the user's"))

    on(OwnThread(target=meanwhile, name="ours"))
    assert Cycle.ended == ["the user's"]


@pytest.mark.usefixtures("collects_only_when_told", "windows")
def test_on_a_thread_of_several_tasks_it_is_so_in_each() -> None:
    @shielded()
    def task() -> None:
        with shielded():
            Cycle()
            gc.collect()
        gc.collect()

    def tasks() -> None:
        task()
        task()
        still.extend(Cycle.ended)
        gc.collect()

    still: list[str] = []
    on(threading.Thread(target=tasks, name="pool"))
    assert (still, Cycle.ended) == ([], ["pool"] * 2)


@pytest.mark.usefixtures("collects_only_when_told", "windows")
def test_what_the_user_has_frozen_stays_frozen() -> None:
    gc.freeze()
    before = gc.get_freeze_count()
    on(OwnThread(target=collect(2)))
    assert gc.get_freeze_count() > before / 2  # some of it may have ended


@pytest.mark.usefixtures("collects_only_when_told", "windows")
def test_the_collector_calls_nobody_once_all_have_ended() -> None:
    before = list(gc.callbacks)
    inside, done = threading.Event(), threading.Event()
    first = OwnThread(target=lambda: (inside.set(), done.wait(60)))
    first.start()
    inside.wait(60)
    on(OwnThread(target=str))
    assert len(gc.callbacks) == len(before) + 1
    done.set()
    first.join()
    assert gc.callbacks == before


@pytest.mark.usefixtures("collects_only_when_told")
def test_without_such_a_library_garbage_is_collected_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else what is due would be the next cell's to pay."""
    for name in own_threads._BOUND_TO_A_THREAD:
        monkeypatch.delitem(sys.modules, name, raising=False)
    callbacks: list[list[Any]] = []
    before = list(gc.callbacks)
    Cycle()
    on(OwnThread(target=lambda: (collect(0)(), callbacks.append(list(gc.callbacks))), name="ours"))
    assert (Cycle.ended, callbacks) == (["ours"], [before])


@pytest.mark.parametrize("switch", ["settrace", "setprofile"])
def test_what_looks_at_the_users_threads_does_not_look_at_ours(switch: str) -> None:
    seen = []

    def work() -> None:
        pass

    def look(frame: Any, event: str, argument: Any) -> Any:
        seen.append(frame.f_code)
        return look

    before = getattr(threading, f"get{switch[3:]}")(), getattr(sys, f"get{switch[3:]}")()
    getattr(threading, switch)(look)
    try:
        on(OwnThread(target=work))
        assert work.__code__ not in seen
        on(threading.Thread(target=work))
        assert work.__code__ in seen
    finally:
        getattr(threading, switch)(before[0])
        getattr(sys, switch)(before[1])


def test_a_debugger_leaves_them_alone() -> None:
    thread: Any = OwnThread(target=str)
    on(thread)
    assert thread.pydev_do_not_trace
    assert thread.is_pydev_daemon_thread


@pytest.fixture
def imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """A thread of ours amid an import, which ends when the event is set."""
    inside, go_on = threading.Event(), threading.Event()
    (tmp_path / "slow_module.py").write_text("import builtins\nbuiltins.inside.set()\nbuiltins.go_on.wait(60)\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(builtins, "inside", inside, raising=False)
    monkeypatch.setattr(builtins, "go_on", go_on, raising=False)
    thread = OwnThread(target=__import__, args=("slow_module",))
    thread.start()
    inside.wait(60)
    yield go_on
    go_on.set()
    thread.join()
    sys.modules.pop("slow_module", None)


def import_in_a_child() -> int:
    """How a forked process ends that imports the module; a signal has it end if it waits for ever."""
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(5)
        try:
            __import__("slow_module")
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
class TestForking:
    """A process that is forked while one of our threads imports."""

    def test_it_waits_for_the_import(self, imports: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(own_threads.time, "sleep", lambda _: imports.set())
        assert import_in_a_child() == 0

    def test_it_waits_for_no_import_that_may_wait_for_it(
        self, imports: threading.Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def waits(_: float) -> None:
            raise AssertionError

        monkeypatch.setattr(own_threads.time, "sleep", waits)
        (tmp_path / "forking_module.py").write_text("import os\nif not os.fork(): os._exit(0)\nos.wait()\n")
        __import__("forking_module")
        sys.modules.pop("forking_module")

    def test_an_interrupt_meanwhile_is_sent_again_after_it(
        self, imports: threading.Event, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def interrupted(_: float) -> None:
            raise KeyboardInterrupt

        def later(_name: str, _seconds: float, send: Callable[[], None]) -> threading.Thread:
            return threading.Thread(target=send)

        sent: list[tuple[int | None, int]] = []
        ended = threading.Event()

        def kill(thread: int | None, number: int) -> None:
            sent.append((thread, number))
            ended.set()

        monkeypatch.setattr(signal, "pthread_kill", kill)
        monkeypatch.setattr(own_threads.time, "sleep", interrupted)
        monkeypatch.setattr(own_threads, "NamedTimer", later)
        if not (forked := os.fork()):
            os._exit(0)
        os.waitpid(forked, 0)
        assert ended.wait(60)
        assert sent == [(threading.get_ident(), signal.SIGINT)]


OTHERS = {
    "base/named_timer.py",
    "base/own_threads.py",
    # They only wait, for a process, a time or a task; what then is more than a few steps is `shielded`.
    "check/trial/zygote.py",
    "ipython/interrupts.py",
    "propose/local/process.py",
    "propose/servers.py",
    "remember/anchor.py",
    "remember/queued.py",
    "remember/recorder.py",
    "repairs/publisher.py",
    "reports/log_folder.py",
    # Not in the user's process, or for his own functions, which may run there.
    "check/trial/after_fork.py",
    "execution/worker.py",
    "functions/store.py",
    "propose/local/serve.py",
    "testing/server.py",
}
NOT_IN_THE_KERNEL = ("headless", "server", "testwriting")


def test_all_of_ours_are_such() -> None:
    begins = re.compile(r"\b(Thread|Timer|NamedTimer|ThreadPoolExecutor)\(")
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if path.relative_to(PACKAGE).parts[0] not in NOT_IN_THE_KERNEL and begins.search(path.read_text())
    }
    assert found - OTHERS == set()
