"""A process that leaves all that it is to a new one."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from types import FrameType

import pytest

from reflex_ipython.check.trial import orphan
from tests.check.build import edits
from tests.check.conftest import Start

ORPHANED = """
import json, os, signal, sys, threading
from reflex_ipython.check.trial import orphan

if {way!r} == "copied":
    orphan._CALLS.clear()
libc, numbers, (reading, writing) = orphan.library(), list(range(300_000)), os.pipe()
first = os.fork()
if first == 0:
    problem, told = orphan.become_orphan(libc), []
    signal.signal(signal.SIGUSR1, lambda *given: told.append("signal"))
    signal.raise_signal(signal.SIGUSR1)
    thread = threading.Thread(target=lambda: told.append("thread"))
    thread.start()
    thread.join()
    lock = threading.RLock()
    with lock, lock:
        told.append("lock")
    for processor in os.sched_getaffinity(0):
        os.sched_setaffinity(0, [processor])
        if libc.sched_getcpu() != processor:
            told.append(f"not on {{processor}}")
    if (child := os.fork()) == 0:
        signal.raise_signal(signal.SIGUSR1)
        os._exit(len(told))
    told.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    os.write(writing, json.dumps([problem, os.getpid() != {self}, told, sum(numbers)]).encode())
    os._exit(0)
os.close(writing)
ended = os.waitstatus_to_exitcode(os.waitpid(first, 0)[1])
print(json.dumps([ended, *json.loads(os.read(reading, 1000))]))
"""


@pytest.mark.parametrize(("way", "ended"), [("taken over", -9), ("copied", 0)])
def test_the_new_process_has_all_that_the_old_one_had_and_the_old_one_has_ended(way: str, ended: int) -> None:
    if way == "taken over" and platform.machine() not in orphan._CALLS:
        pytest.skip("this processor's calls are not known, so that memory is copied")
    source = ORPHANED.format(way=way, self="first")
    ran = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=120, check=False)
    assert ran.stderr == ""
    assert json.loads(ran.stdout) == [ended, 0, True, ["signal", "thread", "lock", 4], sum(range(300_000))]


def test_a_tracer_that_raises_keeps_no_copy_from_being_made(start: Start) -> None:
    kernel = os.getpid()

    def raises(frame: FrameType, event: str, argument: object) -> None:
        if os.getpid() != kernel and frame.f_code is orphan.become_orphan.__code__:
            raise RuntimeError

    before = sys.gettrace()
    sys.settrace(raises)
    try:
        zygote = start()
    finally:
        sys.settrace(before)
    assert zygote.trial(edits("1")).outcome == "passed"
