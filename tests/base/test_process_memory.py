"""How much memory can be spared, read from files as a machine has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from reflex_ipython.base import process_memory

GIB = 1 << 30


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A machine of 16 GiB, 8 of them free, without control groups."""
    write(
        tmp_path, "proc/meminfo", f"MemTotal: {16 * GIB // 1024} kB\nMemAvailable: {8 * GIB // 1024} kB\nHugePages: 0\n"
    )
    write(tmp_path, "proc/self/cgroup", "")
    return tmp_path


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_without_a_bound_it_is_the_machines(root: Path) -> None:
    assert process_memory.available(root) == 8 * GIB
    assert (
        process_memory.reserve(root) == 16 * GIB // 20 // 1024 * 1024 or process_memory.reserve(root) == 16 * GIB // 20
    )


def test_a_bound_of_a_group_around_ours_counts(root: Path) -> None:
    write(root, "proc/self/cgroup", "0::/user/kernel\n")
    write(root, "sys/fs/cgroup/user/kernel/memory.max", "max\n")
    write(root, "sys/fs/cgroup/user/memory.max", f"{2 * GIB}\n")
    write(root, "sys/fs/cgroup/user/memory.current", f"{1 * GIB}\n")
    write(root, "sys/fs/cgroup/user/memory.stat", f"anon 5\ninactive_file {GIB // 2}\n")
    assert process_memory.available(root) == GIB + GIB // 2


def test_the_older_kind_of_group_counts_too(root: Path) -> None:
    write(root, "proc/self/cgroup", "4:memory:/docker/x\n1:cpu:/\n")
    write(root, "sys/fs/cgroup/memory/memory.limit_in_bytes", f"{3 * GIB}\n")  # as seen from inside a container
    write(root, "sys/fs/cgroup/memory/memory.usage_in_bytes", f"{2 * GIB}\n")
    write(root, "sys/fs/cgroup/memory/memory.stat", "cache 0\ntotal_inactive_file 0\n")
    assert process_memory.available(root) == GIB


def test_a_process_knows_what_it_holds() -> None:
    before = process_memory.rewritable()
    held = bytearray(b"x" * (64 << 20))
    assert process_memory.rewritable() - before > 60 << 20
    assert process_memory.private() > 60 << 20
    del held
    assert process_memory.private(999_999_999) == 0


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux says how many addresses are used")
def test_a_limit_of_the_users_is_left_to_the_user() -> None:
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    assert process_memory.leaves_room(GIB) == (before[0] == resource.RLIM_INFINITY)
    resource.setrlimit(resource.RLIMIT_AS, (process_memory.address_space() + 400 * process_memory.MIB, before[1]))
    try:
        room = [process_memory.leaves_room(size * process_memory.MIB) for size in (1, 80)]
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
    assert room == [True, False]
