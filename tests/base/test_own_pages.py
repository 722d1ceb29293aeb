"""Pages that a copy of the process shares are had again before anybody writes to them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from reflex_ipython.base.own_pages import own_pages

COPIED = """
import os
from reflex_ipython.base.own_pages import own_pages

def copied(and_then):
    reader, writer = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(writer)
        os.read(reader, 1)
        os._exit(0)
    os.close(reader)
    and_then()
    faults = written()
    os.close(writer)
    os.waitpid(pid, 0)
    return faults
"""
SCRIPT = (
    COPIED
    + """
import resource

objects = [[number] for number in range(200_000)]

def written():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for one in objects:
        one[0] = None
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

print(copied(lambda: None), copied(lambda: own_pages(lambda: False, 1 << 30)), copied(lambda: own_pages(lambda: True)))
"""
)
GROWN = (
    """
from reflex_ipython.base import own_pages as room
counted, dense = [], room._dense
def grows():
    less = 0 if counted else 100
    counted.append(less)
    return [(first, last, written - less) for first, last, written in dense()]
room._dense = grows
"""
    + SCRIPT
)
DOWNWARDS = GROWN.replace("(first,", "(first - len(counted) + 1,", 1)
BESIDE_A_STACK = (
    COPIED
    + """
import mmap, resource

# 6 MiB that are written to, and behind them 8 that are not, as of a thread's stack: one mapping
large = mmap.mmap(-1, 14 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)

def written():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for place in range(0, 6 << 20, 4096):
        large[place] = 1
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

written()
print(copied(lambda: own_pages(lambda: False, 1 << 30)))
"""
)
RESIDENT = """
import mmap
from reflex_ipython.base.own_pages import own_pages
from reflex_ipython.base.process_memory import resident

large = mmap.mmap(-1, 400 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
large[:4096] = b"x" * 4096
zeros = mmap.mmap(-1, 40 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
assert not any(zeros[place] for place in range(0, len(zeros), 4096))
mixed = mmap.mmap(-1, 40 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
for place in range(0, len(mixed), 4096):
    if place < 36 << 20:
        mixed[place] = 1
    else:
        assert not mixed[place]
before = resident()
own_pages(lambda: False, 1 << 30)
print(resident() - before)
"""


def printed(script: str) -> list[int]:
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120)
    return list(map(int, ran.stdout.split()))


pytestmark = pytest.mark.skipif(
    own_pages(lambda: True) is None, reason="this system can't have pages copied before they are written to"
)


def test_no_write_has_to_wait_for_a_copy() -> None:
    shared, own, ended = printed(SCRIPT)
    assert shared > 1_000
    assert own < shared / 20
    assert ended > shared / 2, "it was to leave it at that"


@pytest.mark.parametrize("script", [GROWN, DOWNWARDS], ids=["grown", "grown downwards"])
def test_what_other_threads_write_to_meanwhile_keeps_nothing_from_it(script: str) -> None:
    shared, own, _ = printed(script)
    assert own < shared / 20


def test_objects_beside_the_stack_of_a_thread_are_had_back() -> None:
    (own,) = printed(BESIDE_A_STACK)
    assert own < 100


def test_what_is_not_in_memory_or_was_only_read_is_not_taken() -> None:
    (more,) = printed(RESIDENT)
    assert more < 2 << 20


def test_no_more_than_so_much() -> None:
    assert own_pages(lambda: False, 0) == 0
    most = own_pages(lambda: False, 4 << 20)
    assert most is not None
    assert 0 <= most <= (4 << 20) // 4096


def test_where_nobody_may_look_nothing_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*arguments: object, **named: object) -> None:
        raise PermissionError

    monkeypatch.setattr("builtins.open", refused)
    assert own_pages(lambda: False, 1 << 20) is None
