"""What a descriptor that was open before a copy was made leads to, in words for a finding."""

from __future__ import annotations

import contextlib
import os
import socket
import stat
from dataclasses import dataclass
from typing import Literal

Kind = Literal["file", "database", "pipe", "terminal", "socket"]

_DATABASE = b"SQLite format 3\0"
_EVENTS = {
    "anon_inode:[eventfd]": "an event counter (eventfd)",
    "anon_inode:[timerfd]": "a timer (timerfd)",
    "anon_inode:[signalfd]": "a queue of signals (signalfd)",
    "anon_inode:inotify": "a watch of files (inotify)",
}
_BESIDE = ("-wal", "-journal")


@dataclass(frozen=True)
class Origin:
    """What a descriptor led to in the kernel.

    Parameters
    ----------
    kind : str
        The family.
    name : str
        In words that follow a verb and its preposition: "the open file out.txt", "a connection to 127.0.0.1:5432".
    """

    kind: Kind
    name: str


def origin(fd: int, status: os.stat_result) -> Origin | None:
    """What an open descriptor leads to; None for what nobody else sees, such as directories.

    Parameters
    ----------
    fd : int
    status : os.stat_result
        Of the descriptor.
    """
    target = os.readlink(f"/proc/self/fd/{fd}")
    if stat.S_ISREG(status.st_mode):
        return _file(fd, target)
    if stat.S_ISSOCK(status.st_mode):
        return Origin("socket", _socket(fd))
    if stat.S_ISFIFO(status.st_mode):
        return Origin("pipe", "a pipe" if target.startswith("pipe:") else f"the pipe {target}")
    if stat.S_ISCHR(status.st_mode):
        return Origin("terminal", f"the device {target}")
    return Origin("pipe", _EVENTS[target]) if target in _EVENTS else None


def _file(fd: int, target: str) -> Origin:
    name = os.path.basename(target.removesuffix(" (deleted)"))
    for ending in _BESIDE:
        if name.endswith(ending):
            return Origin("database", name.removesuffix(ending))
    with contextlib.suppress(OSError):  # it is open for writing alone
        if os.pread(fd, len(_DATABASE), 0) == _DATABASE:
            return Origin("database", name)
    return Origin("file", f"the open file {name}")


def _socket(fd: int) -> str:
    with socket.socket(fileno=os.dup(fd)) as one:
        with contextlib.suppress(OSError):
            return f"a connection to {_address(one.getpeername())}" if one.getpeername() else "a pair of sockets"
        with contextlib.suppress(OSError):
            return f"the socket on {_address(one.getsockname())}" if one.getsockname() else "a socket"
    return "a socket"


def _address(address: object) -> str:
    if isinstance(address, tuple) and len(address) >= 2:
        host, port = address[:2]
        return f"[{host}]:{port}" if ":" in str(host) else f"{host}:{port}"
    return os.fsdecode(address) if isinstance(address, (str, bytes)) else str(address)
