"""Walls that stand one behind the other: each holds by itself."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from reflex_ipython.check.trial import seccomp
from reflex_ipython.check.trial.limits import Limits
from reflex_ipython.check.trial.sandbox import Sandbox
from tests.check.build import edits
from tests.check.conftest import Start, Try

WITHOUT_LANDLOCK = Sandbox(landlock=0, seccomp=True)
SENDS = {"kill": "pid, 10", "tgkill": "pid, pid, 10", "tkill": "pid, 10"}
"""The system calls that send a signal, with their arguments."""


@pytest.mark.parametrize("call", SENDS)
def test_no_system_call_sends_a_signal_to_another_process(attempt: Try, call: str) -> None:
    known = seccomp.processor()
    assert known is not None
    got: list[int] = []
    before = signal.signal(signal.SIGUSR1, lambda number, frame: got.append(number))
    source = (
        "import ctypes; c = ctypes.CDLL(None, use_errno=True)\n"
        f"if c.syscall({known.calls[call]}, {SENDS[call]}): raise OSError(ctypes.get_errno(), 'not sent')"
    )
    try:
        trial = attempt(source, {"pid": os.getpid()}, sandbox=WITHOUT_LANDLOCK)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert (trial.outcome, got) == ("blocked", [])


def test_a_descriptor_that_the_fix_closed_itself_is_the_fixs_mistake(attempt: Try, tmp_path: Path) -> None:
    path = tmp_path / "read.txt"
    path.write_text("text")
    with open(path) as file:
        trial = attempt("import os\nos.close(file.fileno())\nos.read(file.fileno(), 1)", {"file": file})
    assert (trial.outcome, trial.ename) == ("other_error", "OSError"), trial


def test_a_report_without_an_end_ends_the_trial_at_once(start: Start) -> None:
    zygote = start(limits=Limits(seconds=60.0))
    source = (
        "import os, stat\n"
        "pipes = [fd for fd in map(int, os.listdir('/proc/self/fd')) if os.path.exists(f'/proc/self/fd/{fd}')\n"
        "         and stat.S_ISFIFO(os.fstat(fd).st_mode)]\n"
        "while True:\n"
        "    for fd in pipes: os.write(fd, b'x' * 65536)"
    )
    trial = zygote.trial(edits(source))
    assert trial.outcome == "inconclusive", trial
    assert trial.seconds < 60, "it went on until its time was up"
    assert zygote.trial(edits("'still here'")).result == "'still here'"
