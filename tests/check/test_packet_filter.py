"""The filter of system calls decides as its rules say, on each processor that we know."""

from __future__ import annotations

import errno
import re
import struct
from pathlib import Path

import pytest

from reflex_ipython.check.trial.allowed import ABSENT, FILES, rules
from reflex_ipython.check.trial.packet_filter import Answers, program
from reflex_ipython.check.trial.seccomp import ANSWERS, filter_for
from reflex_ipython.check.trial.system_calls import LAST, PROCESSORS

PID = 4321
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOWED, REFUSED, ABSENT_CALL = ANSWERS.allow, ANSWERS.refuse, ANSWERS.no_such_call


def decide(code: bytes, number: int, *arguments: int, audit: int) -> int:
    """What a filter answers: an interpreter of the few instructions that ours has, since we have but one processor."""
    words = [argument & (1 << 64) - 1 for argument in (*arguments, *[0] * (6 - len(arguments)))]
    data = struct.pack("=IIQ6Q", number, audit, 0, *words)
    instructions = list(struct.iter_unpack("=HBBI", code))
    assert len(instructions) <= 4096  # BPF_MAXINSNS
    at, loaded = 0, 0
    while True:
        what, then, otherwise, value = instructions[at]
        at += 1
        if what == LOAD:
            (loaded,) = struct.unpack_from("=I", data, value)
        elif what == RETURN:
            return int(value)
        else:
            met = {EQUAL: loaded == value, AT_LEAST: loaded >= value, ANY_BIT: bool(loaded & value)}[what]
            at += then if met else otherwise


@pytest.mark.parametrize("machine", PROCESSORS)
class TestOnEachProcessor:
    """What is decided."""

    def answer(self, machine: str, name: str, *arguments: int, files: bool = False) -> int:
        known = PROCESSORS[machine]
        return decide(filter_for(known, PID, files=files), known.calls[name], *arguments, audit=known.audit)

    def test_every_number_is_decided_as_the_rules_say(self, machine: str) -> None:
        known = PROCESSORS[machine]
        for files in (False, True):
            named = rules(PID, files=files)
            plain = {known.calls[name] for name, rule in named.items() if name in known.calls and not rule}
            conditional = {known.calls[name] for name, rule in named.items() if name in known.calls and rule}
            absent = {known.calls[name] for name in ABSENT if name in known.calls}
            code = filter_for(known, PID, files=files)
            for number in (*range(600), 1 << 30, (1 << 32) - 1):
                if number not in conditional:
                    gone = ABSENT_CALL if number in absent or number > LAST else REFUSED
                    wanted = ALLOWED if number in plain else gone
                    assert decide(code, number, audit=known.audit) == wanted, number

    def test_the_conventions_of_another_processor_end_the_process(self, machine: str) -> None:
        known = PROCESSORS[machine]
        for other in (0x40000003, 0x40000028, 0):
            answer = decide(filter_for(known, PID, files=False), known.calls["getpid"], audit=other)
            assert answer == ANSWERS.kill

    @pytest.mark.parametrize("name", ["kill", "tgkill", "tkill"])
    def test_signals_go_to_the_process_itself(self, machine: str, name: str) -> None:
        assert self.answer(machine, name, PID, 9) == ALLOWED
        assert self.answer(machine, name, (7 << 32) | PID, 9) == ALLOWED  # a number of 32 bits to the kernel as well
        for other in (PID + 1, -PID, 0, -1, 1):
            assert self.answer(machine, name, other, 9) == REFUSED

    @pytest.mark.parametrize(
        ("name", "good", "bad"),
        [
            ("fcntl", [(3, 4, 0o4000), (3, 1030, 0), (3, 6, 0o20000)], [(3, 4, 0o24000), (3, 8, PID), (3, 15, 0)]),
            (
                "ioctl",
                [(1, 0x5401), (1, 0x5421)],
                [(1, 0x5412), (1, 0x5452), (1, 0x8901), (1, 0x40086602)],
            ),
            ("prctl", [(15,), (0x53564D41,)], [(1,), (4,), (22,), (0x59616D61,), (35,)]),
            ("clone", [(0x3D0F00,)], [(17,), (0x4111,), (0x3D0F00 | 0x10000000,), (0,)]),
            ("madvise", [(0, 0, 4)], [(0, 0, 100), (0, 0, 101)]),
            ("socketpair", [(1, 1, 0)], [(30, 1, 0), (2, 1, 0)]),
            ("sendto", [(1, 2, 3, 4, 0)], [(1, 2, 3, 4, 1), (1, 2, 3, 4, 1 << 32)]),
            ("prlimit64", [(0, 7, 0), (PID, 7, 0)], [(0, 7, 1), (0, 7, 1 << 32), (PID + 1, 7, 0)]),
            ("setpriority", [(0, 0, 5), (0, PID, 5)], [(0, PID + 1, 5), (1, 0, 5), (2, 0, 5)]),
            ("ioprio_set", [(1, 0, 5), (1, PID, 5)], [(1, PID + 1, 5), (2, 0, 5), (3, 0, 5)]),
            ("sched_setaffinity", [(0,), (PID,)], [(PID + 1,)]),
            ("personality", [(0xFFFFFFFF,)], [(0,), (0x0040000,)]),
        ],
    )
    def test_arguments_matter(
        self, machine: str, name: str, good: list[tuple[int, ...]], bad: list[tuple[int, ...]]
    ) -> None:
        assert {one: self.answer(machine, name, *one) for one in good} == dict.fromkeys(good, ALLOWED)
        assert {one: self.answer(machine, name, *one) for one in bad} == dict.fromkeys(bad, REFUSED)

    def test_without_landlock_no_file_can_be_changed(self, machine: str) -> None:
        for name in FILES.split():
            if name in PROCESSORS[machine].calls:
                assert self.answer(machine, name) == ALLOWED
                assert self.answer(machine, name, files=True) == REFUSED
        for flag in (0o1, 0o2, 0o3, 0o100, 0o1000, 0o2000, 0o20200000 | 0o2):
            assert self.answer(machine, "openat", -100, 1, flag) == ALLOWED
            assert self.answer(machine, "openat", -100, 1, flag, files=True) == REFUSED
        assert self.answer(machine, "openat", -100, 1, 0o2000000, files=True) == ALLOWED


def test_blocks_that_follow_each_other_are_told_apart() -> None:
    answers = Answers(1, 2, 3, 4)
    code = b"".join(program(9, {3: (), 4: (), 5: None, 7: ()}, 10, answers))
    assert [decide(code, number, audit=9) for number in range(13)] == [2, 2, 2, 1, 1, 3, 2, 1, 2, 2, 2, 3, 3]


HEADERS = {
    "x86_64": (Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), r"__NR_(\w+) (\d+)"),
    "aarch64": (Path("/usr/include/asm-generic/unistd.h"), r"__NR(?:3264)?_(\w+) (\d+)"),
}


@pytest.mark.parametrize("machine", PROCESSORS)
def test_the_numbers_are_those_of_the_systems_headers(machine: str) -> None:
    path, pattern = HEADERS[machine]
    if not path.exists():
        pytest.skip(f"no {path}")
    theirs = {name: int(number) for name, number in re.findall(pattern, path.read_text())}
    generic = {"newfstatat": "fstatat"}  # the generic header has it under the name without a prefix
    ours = PROCESSORS[machine].calls
    numbers = {name: theirs.get(name, theirs.get(generic.get(name, ""))) for name in ours}
    assert {name: ours[name] for name, number in numbers.items() if number not in (None, ours[name])} == {}
    newer = {name for name, number in numbers.items() if number is None}
    assert all(ours[name] > 440 for name in newer), newer


def test_a_refusal_is_one_of_permission() -> None:
    assert REFUSED & 0xFFFF == errno.EACCES
    assert ABSENT_CALL & 0xFFFF == errno.ENOSYS
