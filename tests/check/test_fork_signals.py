"""Signals while the kernel is copied: the copy never goes on as a second kernel, and no Ctrl-C is lost or shown."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from reflex_ipython.check.trial.fork_signals import interrupt_waits
from tests.check.build import edits
from tests.check.conftest import Start
from tests.check.test_zygote import ROOT

SCRIPT = """
import os, signal
from reflex_ipython.check.trial import apart
from reflex_ipython.check.trial.trials import ForkedTrials
from reflex_ipython.execution.plain_runner import PlainRunner
from tests.check.build import edits

def note(text): os.write(1, (text + "\\n").encode())

trials = ForkedTrials()
{before}
try:
    why_not = trials.freeze("one", PlainRunner({{}}))
    note(f"frozen {{why_not}}")
except KeyboardInterrupt:
    note("interrupted")
except Exception as error:
    note(repr(error))
note(trials.run("one", edits("1")).outcome)
trials.close()
"""


def said(before: str, tmp_path: Path) -> list[str]:
    """What a process writes that copies itself after `before`, lines of the copy's among them."""
    environment = {"PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", SCRIPT.format(before=before)]
    return subprocess.run(command, env=environment, stdout=-1, stderr=-2, text=True, timeout=60).stdout.splitlines()


def test_what_strikes_in_the_copy_ends_nothing(tmp_path: Path) -> None:
    hook = "os.register_at_fork(after_in_child=lambda: signal.raise_signal(signal.SIGINT))"
    assert said(hook, tmp_path) == ["frozen ", "passed"]


def test_nor_in_one_that_is_made_on_another_thread(tmp_path: Path) -> None:
    hook = """
import threading
os.register_at_fork(after_in_child=lambda: signal.raise_signal(signal.SIGINT))
trials, done = ForkedTrials(on_any_thread=True), threading.Event()
def copy(repair_id, runner, freeze=trials.freeze):
    thread = threading.Thread(target=lambda: freeze(repair_id, runner) or done.wait(), daemon=True)
    thread.start()
    while repair_id not in trials._zygotes:
        pass
    return ""
trials.freeze = copy
"""
    assert said(hook, tmp_path) == ["frozen ", "passed"]


def test_what_strikes_in_a_hook_after_the_fork_strikes_once_the_copy_is_made(tmp_path: Path) -> None:
    hook = "os.register_at_fork(after_in_parent=lambda: signal.raise_signal(signal.SIGINT))"
    assert said(hook, tmp_path) == ["interrupted", "passed"]


def test_a_copy_that_fails_before_it_is_one_does_not_go_on_as_the_kernel(tmp_path: Path) -> None:
    failing = """
def fork():
    if os.fork() == 0:
        raise MemoryError
    os.wait()
    raise OSError(12, "no memory")
apart.fork = fork
"""
    assert said(failing, tmp_path) == ["frozen the kernel could not be copied (no memory)", "not_tried"]


def test_what_was_blocked_is_blocked_in_the_copy_and_nothing_else(start: Start) -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
    try:
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, [])
        trial = start().trial(edits(f"import signal\nassert signal.pthread_sigmask(0, []) == {set(map(int, blocked))}"))
        assert trial.outcome == "passed", trial
        assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == blocked
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@pytest.fixture
def heard() -> Iterator[list[int]]:
    """What a handler of the user's is told of Ctrl-C."""
    told: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: told.append(number))
    yield told
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_waits_for_the_end_and_the_second_does_not(heard: list[int]) -> None:
    with interrupt_waits():
        signal.raise_signal(signal.SIGINT)
        assert heard == []
    assert heard == [signal.SIGINT]
    with interrupt_waits():
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        assert heard == [signal.SIGINT] * 2
    assert heard == [signal.SIGINT] * 2


def test_a_handler_that_the_block_sets_stays(heard: list[int]) -> None:
    with interrupt_waits():
        other = signal.signal(signal.SIGINT, signal.default_int_handler)
        assert other is not signal.default_int_handler
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
