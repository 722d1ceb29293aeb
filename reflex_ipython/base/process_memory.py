"""How much memory there is: of the machine, of the control group that bounds us, and what a process holds."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

MIB = 1 << 20
_SOME = 8
"""So many objects of the size of a copy must fit beside it: what the user's next statements may need."""


def available(root: Path = Path("/")) -> int:
    """Bytes that can be used before something must be swapped out or killed: the least of machine and control groups.

    Parameters
    ----------
    root : Path
        Where `proc` and `sys` are; another one in tests.
    """
    return int(min(_machine(root), *_groups(root)))


def reserve(root: Path = Path("/")) -> int:
    """Bytes to be left alone: a twentieth of the machine's memory, at least 256 MiB."""
    return max(256 * MIB, _table(root / "proc/meminfo").get("MemTotal", 0) // 20)


def resident(pid: int | str = "self") -> int:
    """Bytes of a process that are in memory, shared ones included."""
    return _table(Path(f"/proc/{pid}/status")).get("VmRSS", 0)


def peak(pid: int | str = "self") -> int:
    """The most bytes of a process that were in memory at any time; 0 if it has ended."""
    return _table(Path(f"/proc/{pid}/status")).get("VmHWM", 0)


def rewritable(pid: int | str = "self") -> int:
    """Bytes that a copy of a process would need if all of it were rewritten: what belongs to no file."""
    status = _table(Path(f"/proc/{pid}/status"))
    return status.get("RssAnon", status.get("VmRSS", 0)) + status.get("VmSwap", 0)


def address_space(pid: int | str = "self") -> int:
    """Bytes of addresses that a process uses: what RLIMIT_AS bounds."""
    return _table(Path(f"/proc/{pid}/status")).get("VmSize", 0)


def leaves_room(size: int) -> bool:
    """Whether a limit that the user has set on this process leaves room for some more objects of so many bytes."""
    if sys.platform == "win32":
        return True
    import resource

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return limit == resource.RLIM_INFINITY or limit - address_space() > _SOME * size


def private(pid: int | str = "self") -> int:
    """Bytes that would be free again if the process ended; 0 if it has ended or may not be looked at."""
    table = _table(Path(f"/proc/{pid}/smaps_rollup"))
    return table.get("Private_Clean", 0) + table.get("Private_Dirty", 0)


def _machine(root: Path) -> int:
    table = _table(root / "proc/meminfo")
    return table.get("MemAvailable", table.get("MemFree", 0))


def _groups(root: Path) -> Iterator[float]:
    """What is left in each control group that we are in, and in those around it; infinity where nothing bounds us."""
    yield float("inf")
    for line in _text(root / "proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            for mount in ("sys/fs/cgroup", "sys/fs/cgroup/unified"):
                yield from (_left_v2(folder) for folder in _upwards(root / mount, path))
        elif "memory" in controllers.split(","):
            yield from (_left_v1(folder) for folder in _upwards(root / "sys/fs/cgroup/memory", path))


def _upwards(mount: Path, path: str) -> Iterator[Path]:
    """The group's folder and all around it. In a container the path may not be there: the mount is the group."""
    folder = mount / path.lstrip("/")
    while folder != mount and mount in folder.parents:
        yield folder
        folder = folder.parent
    yield mount


def _left_v2(folder: Path) -> float:
    return _left(folder / "memory.max", folder / "memory.current", folder / "memory.stat", "inactive_file")


def _left_v1(folder: Path) -> float:
    limit, usage = folder / "memory.limit_in_bytes", folder / "memory.usage_in_bytes"
    return _left(limit, usage, folder / "memory.stat", "total_inactive_file")


def _left(limit: Path, usage: Path, statistics: Path, reclaimable: str) -> float:
    most, used = _text(limit).strip(), _text(usage).strip()
    if not most.isdigit() or not used.isdigit():  # "max", or no such file
        return float("inf")
    stat = dict(line.split()[:2] for line in _text(statistics).splitlines() if len(line.split()) >= 2)
    return max(0, int(most) - int(used) + int(stat.get(reclaimable, 0)))


def _table(path: Path) -> dict[str, int]:
    """`Name:  12 kB` lines as bytes."""
    rows = (line.split() for line in _text(path).splitlines())
    return {row[0].rstrip(":"): int(row[1]) * 1024 for row in rows if len(row) == 3 and row[2] == "kB"}


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace")
    except OSError:  # not there, or the process has ended meanwhile
        return ""
