"""Open files, sockets and pipes: a fork shares them with its parent, so that each is replaced by one of its own.

The numbers stay, since the user's objects hold on to them. A file that is open for writing becomes a copy in memory;
one that is open for reading is opened anew (it would share the position), and so is the shell's own, only to be read.
All that leads to somebody else becomes an empty file in memory, which takes what is written; what leads to nobody in
particular becomes /dev/null.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from reflex_ipython.check.trial.origins import Origin, origin

COPIED = 256 << 20
"""Bytes that all copies of writable files may take together."""

MEMORY = "trial"
"""What the files in memory are called."""

_HARMLESS = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_O_TMPFILE = getattr(os, "O_TMPFILE", 0)


@dataclass
class DetachedDescriptors:
    """What was replaced.

    Parameters
    ----------
    origins : dict of int to Origin
        What the replaced descriptors led to, where somebody else would see what is done to them.
    read_only : list of str
        Files that were open for writing and are too large to copy: they can still be read.
    largest : int
        Bytes of the largest copy.
    budget : int
        Bytes that further copies may take.
    """

    origins: dict[int, Origin] = field(default_factory=dict)
    read_only: list[str] = field(default_factory=list)
    largest: int = 0
    budget: int = field(default_factory=lambda: COPIED)


def detach(keep: Collection[int], *, only_read: Collection[str] = (), again: bool = False) -> DetachedDescriptors:
    """Make every descriptor of this process its own, but for those in `keep`.

    Parameters
    ----------
    keep : collection of int
    only_read : collection of str
        Files that need no copies, though they are open for writing: nothing of the user's writes to them.
    again : bool
        Whether this is a copy of a copy: then all that led to others was replaced before.

    Raises
    ------
    OSError
        If one can be neither copied nor replaced.
    """
    done = DetachedDescriptors()
    null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    try:
        for fd in open_descriptors():
            if fd not in keep and fd != null:
                _detach(fd, null, done, only_read=only_read, again=again)
    finally:
        os.close(null)
    return done


def open_descriptors() -> list[int]:
    """All descriptors of this process."""
    with os.scandir("/proc/self/fd") as folder:
        listed = [int(entry.name) for entry in folder]
    return [fd for fd in listed if _is_open(fd)]  # the one that listed them is closed by now


def targets() -> Iterator[str]:
    """What the descriptors of this process lead to, as /proc says."""
    for fd in open_descriptors():
        try:
            yield os.readlink(f"/proc/self/fd/{fd}")
        except OSError:  # closed meanwhile, by another thread
            continue


def _is_open(fd: int) -> bool:
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True


def _detach(fd: int, null: int, done: DetachedDescriptors, *, only_read: Collection[str], again: bool) -> None:
    status = os.fstat(fd)
    flags = fcntl.fcntl(fd, fcntl.F_GETFL)
    if flags & os.O_PATH:
        return  # a place, nothing that could be read or written
    if _is_harmless(fd, status):
        return
    found = None if again else origin(fd, status)
    if stat.S_ISREG(status.st_mode):
        if flags & os.O_ACCMODE == os.O_RDONLY:
            _reopen(fd, flags)
        elif only_read and os.readlink(f"/proc/self/fd/{fd}") in only_read:
            _reopen(fd, flags & ~os.O_ACCMODE)  # O_RDONLY is 0
        else:
            copied = _copy(fd, flags, status.st_size, done)
            done.origins.update({fd: found} if copied and found else {})
    elif stat.S_ISDIR(status.st_mode):
        _reopen(fd, flags)
    elif found is not None:
        sink = os.memfd_create(MEMORY, os.MFD_CLOEXEC)
        fcntl.fcntl(sink, fcntl.F_SETFL, os.O_APPEND)
        _replace(fd, sink)
        os.close(sink)
        done.origins[fd] = found
    else:
        _replace(fd, null)


def _is_harmless(fd: int, status: os.stat_result) -> bool:
    return stat.S_ISCHR(status.st_mode) and os.readlink(f"/proc/self/fd/{fd}") in _HARMLESS


def _reopen(fd: int, flags: int) -> None:
    """The same file with a position of its own."""
    kept = flags & ~(os.O_CREAT | os.O_EXCL | os.O_TRUNC | os.O_NOFOLLOW | (_O_TMPFILE & ~os.O_DIRECTORY))
    try:
        fresh = os.open(f"/proc/self/fd/{fd}", kept | os.O_CLOEXEC)
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EPERM, errno.ENOENT, errno.ENXIO):
            raise
        fresh = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)  # we may not open it again: it reads as empty
    _move(fresh, fd)


def _copy(fd: int, flags: int, size: int, done: DetachedDescriptors) -> bool:
    """A copy in memory; of a file that is too large, the file itself, only to read, and False."""
    readable = _readable(fd, flags) if size else None
    write_only = flags & os.O_ACCMODE == os.O_WRONLY
    if size > done.budget and not write_only and readable is not None:
        done.read_only.append(os.readlink(f"/proc/self/fd/{fd}"))
        _move(readable, fd)
        return False
    fresh = os.memfd_create(MEMORY, os.MFD_CLOEXEC)
    if readable is not None:
        if size <= done.budget:
            _fill(fresh, readable, size)
            done.budget -= size
        os.close(readable)
    os.ftruncate(fresh, size)  # what nobody can read back costs nothing
    done.largest = max(done.largest, size)
    fcntl.fcntl(fresh, fcntl.F_SETFL, flags & (os.O_APPEND | os.O_NONBLOCK))
    _move(fresh, fd)
    return True


def _readable(fd: int, flags: int) -> int | None:
    try:
        return os.open(f"/proc/self/fd/{fd}", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        # A file of another user, that somebody opened for us. What can be read at all is read through the descriptor.
        return None if flags & os.O_ACCMODE == os.O_WRONLY else os.dup(fd)


def _fill(target: int, source: int, size: int) -> None:
    offset = 0
    while offset < size:
        piece = os.pread(source, min(1 << 20, size - offset), offset)
        if not piece:
            return  # it has become shorter meanwhile
        offset += os.write(target, piece)


def _move(fresh: int, fd: int) -> None:
    """Put a new file in a descriptor's place, at the same position."""
    with contextlib.suppress(OSError):  # directories of some file systems have no position
        os.lseek(fresh, os.lseek(fd, 0, os.SEEK_CUR), os.SEEK_SET)
    _replace(fd, fresh)
    os.close(fresh)


def _replace(fd: int, by: int) -> None:
    os.dup2(by, fd, inheritable=os.get_inheritable(fd))
