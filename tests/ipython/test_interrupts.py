"""An interrupt that struck our own code is handed on to the user's."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from reflex_ipython.ipython import interrupts


def sleeps() -> None:
    time.sleep(600)


def interrupt_a_sleep(interrupt: Callable[..., Any], *args: Any, awake: threading.Event | None = None) -> None:
    """Sleep until another thread interrupts that; `awake` is set then."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    sleeper = threading.get_ident()

    def once_asleep() -> None:
        while sys._current_frames()[sleeper].f_code is not sleeps.__code__:
            time.sleep(0.001)
        time.sleep(0.3)  # until it is so for the system as well
        interrupt(*args)

    thread = threading.Thread(target=once_asleep)
    try:
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            sleeps()
    finally:
        signal.signal(signal.SIGINT, before)
    if awake is not None:
        awake.set()
    thread.join()


def test_one_that_is_handed_on_ends_a_sleep() -> None:
    began = time.monotonic()
    interrupt_a_sleep(interrupts._interrupt)
    assert time.monotonic() - began < 500


def test_none_is_handed_on_where_interrupts_are_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        interrupts._interrupt()
    finally:
        signal.signal(signal.SIGINT, before)


def test_one_that_came_just_before_a_sleep_began_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    assert struck(monkeypatch, lost=1) == [signal.SIGINT] * 2


def test_one_that_was_taken_is_not_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    assert struck(monkeypatch, lost=0) == [signal.SIGINT]


def struck(monkeypatch: pytest.MonkeyPatch, lost: int) -> list[int]:
    """The signals with which a sleep is interrupted of which the first ones are lost."""
    sent: list[int] = []
    awake = threading.Event()
    kill = signal.pthread_kill

    def send(ident: int, number: int) -> None:
        sent.append(number)
        if len(sent) > lost:
            kill(ident, number)
            assert awake.wait(60)  # on a busy machine who was interrupted takes notice late

    monkeypatch.setattr(signal, "pthread_kill", send)
    interrupt_a_sleep(interrupts._strike, interrupts._over[0], interrupts._asked[0], awake=awake)
    return sent


def test_of_two_interrupts_only_the_later_one_is_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    struck: list[str] = []
    here = sys._getframe().f_code
    monkeypatch.setattr(interrupts, "_RUNNERS", (here,))
    monkeypatch.setattr(interrupts, "_AGAIN", ())
    monkeypatch.setattr(interrupts, "_interrupt", lambda: struck.append(threading.current_thread().name))
    monkeypatch.setattr(interrupts, "_asked", [2])
    for number in (1, 2):
        waiting = threading.Thread(target=interrupts._when_left, args=(interrupts._over[0], number), name=str(number))
        waiting.start()
        waiting.join()
    assert struck == ["2"]


def test_it_waits_for_as_long_as_ipython_prepares_the_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine that takes longer than the gap after which a cell is taken to be over."""
    looks: list[list[FrameType]] = []
    struck: list[bool] = []
    frames = interrupts._frames

    def look() -> list[FrameType]:
        looks.append(frames())
        return looks[-1]

    def statement() -> None:
        waiting.join()

    def run_cell_async() -> None:
        waiting.start()
        while waiting.is_alive() and len(looks) < 200:  # which takes a tenth of a second at least
            time.sleep(0.001)
        statement()

    monkeypatch.setattr(interrupts, "_frames", look)
    monkeypatch.setattr(interrupts, "_RUNNERS", (statement.__code__,))
    monkeypatch.setattr(interrupts, "_AGAIN", ())
    monkeypatch.setattr(interrupts, "_interrupt", lambda: struck.append(True))
    waiting = threading.Thread(target=interrupts._when_left, args=(interrupts._over[0], interrupts._asked[0]))
    run_cell_async()
    assert struck == [True]


@pytest.fixture
def usual() -> Iterator[None]:
    """Interrupts strike as they do where a cell runs."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("usual")
def test_what_must_not_be_left_half_done_is_done_before_one_is_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(interrupts, "hand_on", lambda: done.append("handed on"))
    with interrupts.held():
        signal.raise_signal(signal.SIGINT)
        done.append("done")
    assert done == ["done", "handed on"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("usual")
def test_the_second_one_strikes_at_once_and_no_other_is_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would strike what says that all was interrupted."""
    handed_on: list[bool] = []
    monkeypatch.setattr(interrupts, "hand_on", lambda: handed_on.append(True))

    def struck_twice() -> None:
        with interrupts.held():
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        struck_twice()
    assert not handed_on
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("usual")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_where_nobody_hears_of_the_second_one_it_is_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is raised as an object ends is lost, and all goes on."""
    done: list[str] = []
    monkeypatch.setattr(interrupts, "hand_on", lambda: done.append("handed on"))

    class Ends:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGINT)

    with interrupts.held():
        signal.raise_signal(signal.SIGINT)
        Ends()
        done.append("done")
    assert done == ["done", "handed on"]


LOOKS_ON = """
def look(frame, event, argument):
    if event == "c_call" and argument.__name__ == "acquire":
        signal.raise_signal(signal.SIGINT)
"""


@pytest.mark.usefixtures("usual")
def test_one_that_strikes_where_ours_looks_at_a_call_of_the_users_ends_that_call() -> None:
    """As `AtEnds` does, while an object that ends begins to wait for a lock of another thread's."""
    ours: dict[str, Any] = {"signal": signal}
    exec(compile(LOOKS_ON, str(Path(interrupts.__file__).with_name("looks_on.py")), "exec"), ours)
    lock = threading.Lock()
    lock.acquire()

    def waits() -> bool:
        return lock.acquire(timeout=60)

    with interrupts.held():
        sys.setprofile(ours["look"])
        try:
            with pytest.raises(KeyboardInterrupt):
                waits()
        finally:
            sys.setprofile(None)


@pytest.mark.usefixtures("usual")
def test_one_that_strikes_there_is_handed_on_if_all_is_done_by_then(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(interrupts, "hand_on", lambda: done.append("handed on"))
    monkeypatch.setattr(interrupts, "_once_more", lambda handler: None)
    ours: dict[str, Any] = {"signal": signal}
    exec(compile(LOOKS_ON, str(Path(interrupts.__file__).with_name("looks_on.py")), "exec"), ours)

    def takes() -> bool:
        return threading.Lock().acquire()

    with interrupts.held():
        sys.setprofile(ours["look"])
        takes()
        sys.setprofile(None)
        done.append("done")
    assert done == ["done", "handed on"]


def test_whoever_takes_them_himself_gets_each_at_once() -> None:
    seen: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: seen.append(number))
    try:
        with interrupts.held():
            signal.raise_signal(signal.SIGINT)
            assert seen == [signal.SIGINT]
    finally:
        signal.signal(signal.SIGINT, before)
