"""The kernel's end of the lines to a zygote and its twins: each takes one request at a time."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any


class Line:
    """One of them.

    Parameters
    ----------
    ours : socket
        The kernel's end.
    folder : str
        Where the trials of whoever serves it may write.
    number : int
        0: the zygote serves it; else a twin does.
    order : callable or None
        Has the zygote make that twin; called once, before the first use. None: it is there.
    """

    def __init__(
        self, ours: socket.socket, folder: str, number: int = 0, order: Callable[[], None] | None = None
    ) -> None:
        self.folder = folder
        self.number = number
        self.is_lost = False
        """Whether nobody serves it any more."""
        self._socket = ours
        self._waiting = b""
        self._sending = threading.Lock()
        self._order = order
        self._problem: str | None = None

    def problem(self, seconds: float) -> str:
        """Why nothing can be tried; empty if all is well. Waits until that is known.

        Raises
        ------
        EOFError, OSError
            As `receive` does.
        """
        with self._sending:
            self._make_twin()
        if self._problem is None:
            self._problem = str(self.receive(seconds)["problem"])
        return self._problem

    def last_words(self) -> str:
        """The same of who has ended, if that was said before; empty if it was not."""
        with contextlib.suppress(OSError, EOFError, ValueError, KeyError):
            return self.problem(0.0)
        return ""

    def send(self, message: dict[str, Any], line: socket.socket | None = None) -> None:
        """Send a message, and with it the other end of a line.

        Raises
        ------
        OSError
            If nobody is there.
        """
        data = json.dumps(message).encode() + b"\n"
        with self._sending:
            self._make_twin()
            if line is None:
                self._socket.sendall(data)
            else:
                socket.send_fds(self._socket, [data], [line.fileno()])

    def _make_twin(self) -> None:
        if self._order is not None:
            order, self._order = self._order, None
            order()

    def withdraw(self, number: int) -> None:
        """Nobody waits for the trial of that number any more."""
        with contextlib.suppress(OSError):  # then it has ended with whoever served the line
            self.send({"withdraw": number})

    def receive(self, seconds: float) -> dict[str, Any]:
        """One message.

        Raises
        ------
        EOFError, OSError
            If nobody is there, or says nothing for so long.
        """
        deadline = time.monotonic() + seconds
        while b"\n" not in self._waiting:
            self._socket.settimeout(max(0.01, deadline - time.monotonic()))
            piece = self._socket.recv(1 << 16)
            if not piece:
                raise EOFError
            self._waiting += piece
        text, _, self._waiting = self._waiting.partition(b"\n")
        message = json.loads(text)
        if not isinstance(message, dict):
            raise ValueError("no message")
        return message

    def hang_up(self) -> None:
        """Nothing more is wanted, not even what is being done."""
        with contextlib.suppress(OSError):  # whoever serves it has hung up already
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """The end."""
        self._socket.close()


class ZygoteLines:
    """All lines to one zygote: as many are used at the same time as are allowed to be.

    Parameters
    ----------
    first : socket
        That of the zygote.
    folders : sequence of str
        Of the zygote, and of each twin that there may be.
    """

    def __init__(self, first: socket.socket, folders: Sequence[str]) -> None:
        self._folders = folders
        self._first = Line(first, folders[0])
        self._all = [self._first]
        self._free = [self._first]
        self._numbers = list(range(1, len(folders)))  # of the twins that could be made
        self._allowed: list[int] = []
        self._over = False
        self._change = threading.Condition()

    @property
    def most(self) -> int:
        """How many may be used at the same time."""
        return max(self._allowed, default=1)

    def problem(self) -> str:
        """Why the zygote, which has ended, could try nothing; empty if it could, or whoever uses its line is told."""
        with self._change:
            return self._first.last_words() if self._first in self._free else ""

    @contextlib.contextmanager
    def several(self, most: int) -> Iterator[None]:
        """Until the end of the block so many may be used at the same time; then the twins go."""
        with self._change:
            self._allowed.append(most)
        try:
            yield
        finally:
            with self._change:
                self._allowed.remove(most)
                for line in [line for line in self._free if line.number >= self.most]:
                    self._drop(line)

    @contextlib.contextmanager
    def taken(self) -> Iterator[Line | None]:
        """One that is free, for the block; waits for it. None once all is over."""
        line = self._take()
        try:
            yield line
        finally:
            if line is not None:
                self._give_back(line)

    def let_go(self) -> None:
        """Nothing more is wanted: the zygote ends, a moment later where it does nothing just now."""
        with self._change:
            idle = self._free == self._all == [self._first] and not self._over
            self._over = True
            self._change.notify_all()
        if not idle:
            self.hang_up()
            return
        with contextlib.suppress(OSError):  # then it has ended
            self._first.send({"let go": True})

    def hang_up(self) -> None:
        """Nothing more is wanted, not even what is being done."""
        with self._change:
            self._over = True
            for line in self._all:
                line.hang_up()
            self._change.notify_all()

    def close(self) -> None:
        """The end; waits until none is used any more."""
        self.hang_up()
        with self._change:
            self._change.wait_for(lambda: len(self._free) == len(self._all))
            for line in list(self._all):
                self._drop(line)

    def _take(self) -> Line | None:
        with self._change:
            while True:
                self._change.wait_for(lambda: self._over or self._may_take())
                if self._over:
                    return None
                if self._free:
                    return self._free.pop(0)
                with contextlib.suppress(OSError):  # no room for another: then there are fewer twins
                    self._all.append(line := self._new(self._numbers.pop(0)))
                    return line

    def _may_take(self) -> bool:
        used = len(self._all) - len(self._free)
        return used < self.most and bool(self._free or self._numbers)

    def _new(self, number: int) -> Line:
        ours, theirs = socket.socketpair()

        def order() -> None:
            with theirs:
                self._first.send({"twin": number}, theirs)

        return Line(ours, self._folders[number], number, order)

    def _give_back(self, line: Line) -> None:
        """A lost one is not used again, nor is its number: where one twin went, the next would."""
        with self._change:
            if line.is_lost or line.number >= self.most:
                self._drop(line)
            else:
                self._free.append(line)
                self._free.sort(key=lambda one: one.number)  # the zygote's first: it needs no twin
            self._change.notify_all()

    def _drop(self, line: Line) -> None:
        line.close()
        self._all.remove(line)
        if line in self._free:
            self._free.remove(line)
        if line.number and not line.is_lost:
            self._numbers.append(line.number)
