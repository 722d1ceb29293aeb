"""The folder where a trial may write: its owner holds a lock on it, and it goes when the trial is over.

Run as a program, this removes the folders that it is given: that is what the watcher does once nobody else is left.
So it needs nothing but Python.
"""

from __future__ import annotations

import contextlib
import fcntl
import math
import os
import secrets
import stat
import sys
import time
from collections.abc import Iterator

_PREFIX = "reflex-trial-"
_PATIENCE = 2.0  # seconds without progress: who wrote there is being ended just now
_DEEPEST = 100  # folders inside each other
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


def name() -> str:
    """A new folder's name, by which `sweep` knows it again."""
    return f"{_PREFIX}{secrets.token_hex(8)}"


@contextlib.contextmanager
def owned(folder: str) -> Iterator[None]:
    """A new folder that is ours, with all that is below it, until the end of the block. A copy of us does not own it.

    Parameters
    ----------
    folder : str
        Its path.

    Raises
    ------
    OSError
        If it can't be made.
    """
    lock, owner = _make(folder), os.getpid()
    try:
        yield
    finally:
        if os.getpid() == owner:
            remove(folder)
        os.close(lock)


def remove(folder: str) -> None:
    """Remove a folder, however deep, whatever its permissions; others may do the same at the same time.

    Parameters
    ----------
    folder : str
        Its path. What symbolic links lead to is left alone.
    """
    end = time.monotonic() + _PATIENCE
    while os.path.lexists(folder) and time.monotonic() < end:
        with contextlib.suppress(OSError):  # its owner may still be at it: then once more
            if _flatten(folder):
                end = time.monotonic() + _PATIENCE
            os.rmdir(folder)
            return
        time.sleep(0.001)


def size(folder: str, writer: int) -> float:
    """Bytes that a folder takes, with those of files that were removed from it and are still open.

    Parameters
    ----------
    folder : str
        Its path. What is below it may vanish while it is looked at.
    writer : int
        The process that writes there, a child of this one.

    Returns
    -------
    float
        Infinity if it is deeper than anybody's.
    """
    total = 0.0
    with contextlib.suppress(OSError):
        top = _open_folder(folder, None)
        try:
            total = _size(top, 0) + _removed(writer, os.fstat(top).st_dev)
        finally:
            os.close(top)
    return total


def sweep(parent: str) -> list[str]:
    """Remove the folders whose owners are gone, as after the machine was switched off.

    Parameters
    ----------
    parent : str
        The folder that they are in.

    Returns
    -------
    list of str
        What was removed.
    """
    removed = []
    with contextlib.suppress(OSError), os.scandir(parent) as entries:
        for entry in [entry for entry in entries if entry.name.startswith(_PREFIX)]:
            with contextlib.suppress(OSError):  # it has an owner, is another user's, or gone meanwhile
                if entry.stat(follow_symlinks=False).st_uid == os.geteuid():
                    _remove_orphaned(entry.path)
                    removed.append(entry.path)
    return removed


def _make(folder: str) -> int:
    """A folder, and the descriptor that holds its lock. One that is swept between the two steps is made anew."""
    while True:
        os.mkdir(folder, 0o700)
        try:
            lock = os.open(folder, _FOLDER)
        except FileNotFoundError:
            continue
        with contextlib.suppress(OSError):  # a file system without locks: then nobody sweeps there
            fcntl.flock(lock, fcntl.LOCK_EX)
        if os.fstat(lock).st_nlink:
            return lock
        os.close(lock)


def _size(folder: int, depth: int) -> float:
    if depth > _DEEPEST:
        return math.inf
    total = 0.0
    for one in os.listdir(folder):
        with contextlib.suppress(FileNotFoundError):
            status = os.stat(one, dir_fd=folder, follow_symlinks=False)
            total += status.st_blocks * 512
            if stat.S_ISDIR(status.st_mode):
                inner = _open_folder(one, folder)
                try:
                    total += _size(inner, depth + 1)
                finally:
                    os.close(inner)
    return total


def _removed(writer: int, device: int) -> int:
    """Bytes of files without a name that a process has open on a device."""
    total, seen = 0, set()
    for one in os.listdir(f"/proc/{writer}/fd"):
        with contextlib.suppress(OSError):  # closed by now
            status = os.stat(f"/proc/{writer}/fd/{one}")
            if not status.st_nlink and status.st_dev == device and status.st_ino not in seen:
                seen.add(status.st_ino)
                total += status.st_blocks * 512
    return total


def _remove_orphaned(folder: str) -> None:
    """Remove a folder whose lock nobody holds: it is let go when the owner ends, however that comes about.

    Who has just made it and waits for the lock finds it gone then, and makes it anew.

    Raises
    ------
    OSError
        If it has an owner, or can't be looked at.
    """
    lock = os.open(folder, _FOLDER | os.O_NOFOLLOW)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        remove(folder)
    finally:
        os.close(lock)


def _flatten(folder: str) -> int:
    """Empty a folder: the folders in it lose their files, and theirs come up here, so that no path becomes long.

    By descriptors: who still runs could put a link in a folder's place, and what it leads to is not ours.
    """
    done = 0
    top = _open_folder(folder, None)
    try:
        while found := os.listdir(top):
            before = done
            for one in found:
                with contextlib.suppress(OSError):
                    done += _lift(one, top)
            if done == before:
                break
    finally:
        os.close(top)
    return done


def _lift(entry: str, top: int) -> int:
    """Remove an entry, if it is a folder after its files are removed and its folders moved up. How much was done."""
    with contextlib.suppress(IsADirectoryError, PermissionError):
        os.unlink(entry, dir_fd=top)
        return 1
    done = 0
    inner = _open_folder(entry, top)
    try:
        for one in os.listdir(inner):
            try:
                os.unlink(one, dir_fd=inner)
            except (IsADirectoryError, PermissionError):
                os.close(_open_folder(one, inner))  # only who may write to a folder may move it
                os.rename(one, secrets.token_hex(8), src_dir_fd=inner, dst_dir_fd=top)
            done += 1
    finally:
        os.close(inner)
    os.rmdir(entry, dir_fd=top)
    return done + 1


def _open_folder(path: str, inside: int | None) -> int:
    """A folder, after it was given back the permissions that we need."""
    place = os.open(path, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=inside)
    try:
        os.chmod(f"/proc/self/fd/{place}", 0o700)
        return os.open(f"/proc/self/fd/{place}", _FOLDER)
    finally:
        os.close(place)


if __name__ == "__main__":
    for one in sys.argv[1:]:
        remove(one)
