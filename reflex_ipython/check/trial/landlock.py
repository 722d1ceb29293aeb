"""Landlock: this process, and all that it starts, changes no file outside one folder and opens no TCP connection.

The numbers are those of `linux/landlock.h`; the system calls have the same numbers on every processor.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable

from reflex_ipython.check.trial.libc import PR_SET_NO_NEW_PRIVS, prctl, syscall

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
WRITE_FILE, TRUNCATE, REFER, IOCTL_DEV = 1 << 1, 1 << 14, 1 << 13, 1 << 15
REMOVE_AND_MAKE = sum(1 << bit for bit in range(4, 13))  # directories, files, sockets, pipes, devices, links
TCP = 0b11  # bind, connect
SCOPES = 0b11  # abstract UNIX sockets, signals

NEEDED = 3
"""The first version that also keeps files from being truncated."""


def version() -> int:
    """The version of Landlock that the kernel offers; 0 if none."""
    try:
        return syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    except OSError:
        return 0


def restrict(
    folder: str,
    found: int,
    devices: Iterable[str] = ("/dev/null",),
    *,
    more: Iterable[str] = (),
    network: bool = False,
) -> None:
    """From now on, for good: change files in `folder` and write to `devices`, nothing else.

    Parameters
    ----------
    folder : str
        An absolute path; all below it may be changed.
    found : int
        The version to use: what the kernel offers, or less.
    devices : iterable of str
        Files that may be written to.
    more : iterable of str
        More files and folders that may be changed. What is not there can't be named.
    network : bool
        Whether TCP connections may be opened.

    Raises
    ------
    OSError
        If the kernel can't; then nothing is restricted.
    """
    files = WRITE_FILE | REMOVE_AND_MAKE | REFER | TRUNCATE | (IOCTL_DEV if found >= 5 else 0)
    ruleset = _ruleset(files, found, 0 if network else TCP)
    try:
        for path in (folder, *more):
            _allow(ruleset, path, files if os.path.isdir(path) else WRITE_FILE | TRUNCATE)
        for device in devices:
            _allow(ruleset, device, WRITE_FILE | TRUNCATE)
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        syscall(RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    finally:
        os.close(ruleset)


def _ruleset(files: int, found: int, tcp: int = TCP) -> int:
    """A set of rules, in the shape that this version knows."""
    fields = [files]
    if found >= 4:
        fields.append(tcp)
    if found >= 6:
        fields.append(SCOPES)
    attributes = struct.pack(f"={len(fields)}Q", *fields)
    return syscall(CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0))


def _allow(ruleset: int, path: str, access: int) -> None:
    fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = struct.pack("=Qi", access, fd)
        syscall(ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(1), rule, ctypes.c_uint32(0))
    finally:
        os.close(fd)
