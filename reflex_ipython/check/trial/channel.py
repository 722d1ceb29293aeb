"""A pipe from a candidate to its zygote on which the cell can't speak: each message is numbered and signed.

The key is drawn by the zygote for one candidate, and wiped in the candidate as soon as the sender is made. What the
zygote can't verify was written by somebody else; a number that is missing was kept from it.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from hashlib import blake2b

LARGEST = 4 << 20
"""Bytes of a message."""

_DIGEST, _NUMBER, _SIZE = 16, 8, 4
_HEAD = _DIGEST + _NUMBER + _SIZE
_ATOMIC = 4096 - _HEAD  # what a pipe takes at once (PIPE_BUF), so that messages of several threads do not mix

Send = Callable[[bytes], None]


def key() -> bytearray:
    """A new secret."""
    return bytearray(os.urandom(32))


def sender(fd: int, secret: bytearray) -> tuple[Send, Send]:
    """The two ways to speak: to send a message, and to send the last one. Nothing is sent after that.

    Parameters
    ----------
    fd : int
        The pipe.
    secret : bytearray
        Wiped here.
    """
    signed, numbers = blake2b(key=bytes(secret), digest_size=_DIGEST), itertools.count()
    write, size, view, following = os.write, len, memoryview, next  # by now they are what they should be
    secret[:] = bytes(len(secret))
    over = False

    def put(message: bytes) -> None:
        body = following(numbers).to_bytes(_NUMBER, "big") + size(message).to_bytes(_SIZE, "big") + message
        stamp = signed.copy()
        stamp.update(body)
        data = view(stamp.digest() + body)
        while data:
            data = data[write(fd, data) :]

    def send(message: bytes) -> None:
        if not over:
            put(message[:_ATOMIC])

    def last(message: bytes) -> None:
        nonlocal over
        over = True
        put(message)

    return send, last


class Receiver:
    """The other end.

    Parameters
    ----------
    secret : bytearray
        The sender's key.
    is_last : callable
        Whether a message is the last word.
    """

    def __init__(self, secret: bytearray, is_last: Callable[[bytes], bool]) -> None:
        self.messages: list[bytes] = []
        self.over = False
        self.forged = False
        self._signed = blake2b(key=bytes(secret), digest_size=_DIGEST)
        self._is_last = is_last
        self._numbers: set[int] = set()
        self._waiting = b""

    def feed(self, piece: bytes) -> None:
        """Take what came. After the last word, or the first that is not the sender's, nothing is taken."""
        self._waiting += piece
        while not (self.over or self.forged) and len(self._waiting) >= _HEAD:
            size = int.from_bytes(self._waiting[_DIGEST + _NUMBER : _HEAD], "big")
            if size > LARGEST:
                self.forged = True
            elif len(self._waiting) >= _HEAD + size:
                self._take(self._waiting[: _HEAD + size])
                self._waiting = self._waiting[_HEAD + size :]
            else:
                return

    def end(self) -> None:
        """The sender ended by itself: what is left over is no message of its."""
        self.forged = self.forged or bool(self._waiting and not self.over)

    def _take(self, data: bytes) -> None:
        stamp, number = self._signed.copy(), int.from_bytes(data[_DIGEST : _DIGEST + _NUMBER], "big")
        stamp.update(data[_DIGEST:])
        if stamp.digest() != data[:_DIGEST] or number in self._numbers:
            self.forged = True
            return
        self._numbers.add(number)
        self.messages.append(data[_HEAD:])
        self.over = self._is_last(data[_HEAD:])
        self.forged = self.over and self._numbers != set(range(number + 1))
