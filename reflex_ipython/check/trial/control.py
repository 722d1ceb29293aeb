"""The zygote's end of its line to the kernel. What comes is lines of JSON: requests, and orders for twins.

A twin is a fork of the zygote that serves a line of its own, so that several fixes can be tried at once. It is made as
soon as it is ordered, even while a fix is tried: the fork leaves that behind by an exception, and owns nothing of it.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
from typing import Any

from reflex_ipython.check.trial import after_fork, process


class Twin(Exception):
    """Raised in a twin, to leave what the zygote was at.

    Parameters
    ----------
    number : int
        Which of the twins it is, from 1 on.
    line : socket
        Its own line to the kernel.
    """

    def __init__(self, number: int, line: socket.socket) -> None:
        super().__init__(number)
        self.number = number
        self.line = line


class Control:
    """One end of a line.

    Parameters
    ----------
    line : socket
    """

    def __init__(self, line: socket.socket) -> None:
        self.twins: set[int] = set()
        """Their processes."""
        self._line = line
        self._waiting = b""
        self._requests: list[dict[str, Any]] = []
        self._withdrawn: int | None = None
        self.is_let_go = False
        """Whether the kernel wants nothing more, and is in no hurry."""
        self._lines: list[int] = []

    @property
    def descriptor(self) -> int:
        """Where it can be seen that something has come."""
        return self._line.fileno()

    def say(self, message: dict[str, Any]) -> None:
        """Send a message."""
        self._line.sendall(json.dumps(message).encode() + b"\n")

    def attend(self) -> bool:
        """Take what has come: twins are made at once, the rest is kept. False: the kernel wants nothing more.

        Raises
        ------
        Twin
            In a twin.
        """
        piece, lines, _, _ = socket.recv_fds(self._line, 1 << 16, 1, socket.MSG_CMSG_CLOEXEC)
        self._lines += lines
        self._waiting += piece
        while b"\n" in self._waiting:
            text, _, self._waiting = self._waiting.partition(b"\n")
            message = json.loads(text)
            if "twin" in message:
                self._make_twin(int(message["twin"]), self._lines.pop(0))
            elif "let go" in message:
                self.is_let_go = True
            elif "withdraw" in message:
                self._withdrawn = int(message["withdraw"])
            else:
                self._requests.append(message)
        return bool(piece)

    def request(self) -> dict[str, Any] | None:
        """The next request that has come."""
        return self._requests.pop(0) if self._requests else None

    def is_withdrawn(self, number: int) -> bool:
        """Whether nobody waits for the trial of that number any more. A line has one at a time."""
        return self._withdrawn == number

    def reap(self) -> None:
        """Forget the twins that have ended, and whom they left to us. While no fix is tried."""
        with contextlib.suppress(ChildProcessError):
            while pid := os.waitpid(-1, os.WNOHANG)[0]:
                self.twins.discard(pid)

    def end_twins(self, seconds: float) -> None:
        """Wait for their end; after so many seconds each, it is not waited for."""
        for pid in self.twins:
            with contextlib.suppress(ChildProcessError):
                if not process.wait(pid, seconds):
                    os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
        self.twins.clear()

    def close(self) -> None:
        """In a twin: the line stays the zygote's."""
        self._line.close()

    def _make_twin(self, number: int, fd: int) -> None:
        """Where no process can be made, the line is closed, which says so."""
        with socket.socket(fileno=fd) as line:
            parent = os.getpid()
            try:
                pid = after_fork.fork()
            except OSError:
                return
            if pid == 0:
                process.die_with_parent(parent)
                raise Twin(number, socket.socket(fileno=line.detach()))
        self.twins.add(pid)
