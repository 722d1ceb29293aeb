"""Stand-ins: what inherited descriptors were replaced by. What was done to them is seen from outside the candidate.

Each is a file in memory, the candidate's own. Its times are set to nothing before the cell runs, and the walls keep the
cell from setting them again: so a write shows by its time and size, and a read by its time.
"""

from __future__ import annotations

import dataclasses
import errno
import fcntl
import os
import resource
from collections.abc import Iterable, Iterator, Mapping

from reflex_ipython.check.trial.descriptors import MEMORY
from reflex_ipython.check.trial.origins import Origin

_MOST = 256  # duplicates: they take numbers, of which a process has a bounded lot
_NUMBERS = (512, 128, 3)  # where the duplicates' numbers begin: the cell's own files get those that they would get
_FIRST = ("file", "database", "pipe", "terminal", "socket")


@dataclasses.dataclass(frozen=True)
class StandIn:
    """One of a candidate's own, before the cell runs.

    Parameters
    ----------
    origin : Origin
        What it stands for.
    fd : int
        A duplicate of the descriptor, which is there even if the cell closes its own; where there are too many for
        that, the descriptor itself.
    inode, size : int
        Of the file behind it.
    inherited : int
        The descriptor's number in the kernel.
    """

    origin: Origin
    fd: int
    inode: int
    size: int
    inherited: int


def mark(origins: Mapping[int, Origin]) -> list[StandIn]:
    """Have every use of the stand-ins show from now on. In the candidate.

    Parameters
    ----------
    origins : mapping of int to Origin
        By the descriptors' numbers.
    """
    order = sorted(origins, key=lambda fd: (_FIRST.index(origins[fd].kind), fd))
    room = (resource.getrlimit(resource.RLIMIT_NOFILE)[0] - len(os.listdir("/proc/self/fd"))) // 4
    kept = min(_MOST, max(0, room))  # most numbers that are left are the cell's
    return [stand_in for position, fd in enumerate(order) for stand_in in _mark(fd, origins[fd], keep=position < kept)]


def _mark(fd: int, origin: Origin, *, keep: bool) -> Iterator[StandIn]:
    try:
        if not os.readlink(f"/proc/self/fd/{fd}").startswith(f"/memfd:{MEMORY}"):
            return  # never the user's own file
        kept = _duplicate(fd) if keep else fd
        status = os.fstat(kept)
        os.utime(kept, ns=(0, 0))
    except OSError:  # it is closed by now
        return
    yield StandIn(origin, kept, status.st_ino, status.st_size, fd)


def _duplicate(fd: int) -> int:
    """A duplicate; where there is no room for one, the descriptor itself, whose closing is told then."""
    for number in _NUMBERS:
        try:
            return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, number)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.EMFILE):
                raise
    return fd


def used(pid: int, stand_ins: Iterable[StandIn]) -> Iterator[tuple[StandIn, str]]:
    """Those that a candidate used, and how, in words that follow "it". From outside, while it is still there.

    Parameters
    ----------
    pid : int
        The candidate.
    stand_ins : iterable of StandIn
    """
    for one in stand_ins:
        try:
            status = os.stat(f"/proc/{pid}/fd/{one.fd}")
        except OSError:
            status = None
        if status is None or status.st_ino != one.inode:
            yield one, f"closes or replaces {one.origin.name}, so its use can't be followed"
        elif words := _words(one, status) or _closed(pid, one):
            yield one, words


def _words(one: StandIn, now: os.stat_result) -> str:
    name, written = one.origin.name, now.st_size - one.size
    if one.origin.kind in ("file", "database"):
        if not now.st_mtime_ns:
            return ""
        if one.origin.kind == "database":
            return f"commits to {name}"
        if written < 0:
            return f"shortens {name}"
        return in_words(one.origin, written) if written else f"changes {name}"
    if written:
        return in_words(one.origin, written)
    return f"reads from {name}" if now.st_atime_ns else ""


def _closed(pid: int, one: StandIn) -> str:
    """What the other side would notice besides: that a pipe or a connection ends."""
    if one.origin.kind not in ("pipe", "socket"):
        return ""
    try:
        if os.stat(f"/proc/{pid}/fd/{one.inherited}").st_ino == one.inode:
            return ""
    except OSError:
        pass
    name = one.origin.name
    return f"closes the pipe to {name}" if name.startswith("the process") else f"closes {name}"


def in_words(origin: Origin, written: int) -> str:
    """What a write is, in words that follow "it".

    Parameters
    ----------
    origin : Origin
        What was written to.
    written : int
        Bytes.
    """
    verb, preposition = ("sends", "on") if origin.kind == "socket" else ("writes", "to")
    return f"{verb} {_bytes(written)} {preposition} {origin.name}"


def _bytes(number: int) -> str:
    return f"{number:,} byte" + "s" * (number != 1)
