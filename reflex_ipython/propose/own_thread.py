"""Iterating on a thread of its own, which is left to itself if it does not come back.

Looking up a server's address is one call into the C library, which nothing can interrupt and which may take minutes.
Neither can a connection be hung up before there is one.
"""

from __future__ import annotations

import contextlib
import queue
from collections.abc import Callable, Generator
from typing import TypeVar

from reflex_ipython.base.own_threads import OwnThread
from reflex_ipython.propose.request_cancel import POLL, RequestLine

_T = TypeVar("_T")

GRACE = 0.1
"""Seconds that the thread may take to end once its line was hung up: with a connection, it ends at once."""


def on_own_thread(make: Callable[[], Generator[_T, None, None]], line: RequestLine) -> Generator[_T, None, None]:
    """What a generator yields, for as long as its line is not hung up.

    Parameters
    ----------
    make : callable
        Gives the generator; it runs and is closed on the thread.
    line : RequestLine
        Once it is hung up, no more is waited for than a moment. It is hung up as well if the iteration is given up.

    Yields
    ------
    object
        As the generator does.

    Raises
    ------
    BaseException
        Whatever the generator raises.
    """
    pieces: queue.Queue[_T | _End] = queue.Queue(1)

    def run() -> None:
        end = _End()
        try:
            with contextlib.closing(make()) as generator:
                for piece in generator:
                    _put(pieces, piece, line)
                    if line.is_hung_up:
                        return
        except BaseException as error:  # noqa: BLE001 - it is raised again, where somebody can be told
            end.error = error
        finally:
            _put(pieces, end, line)

    thread = OwnThread(target=run, name="reflex-ask")
    thread.start()
    try:
        while not isinstance(piece := _take(pieces, line), _End):
            yield piece
    except GeneratorExit:
        line.hang_up()
        raise
    finally:
        thread.join(GRACE)
    if piece.error is not None:
        raise piece.error


class _End:
    """The last piece."""

    error: BaseException | None = None


def _take(pieces: queue.Queue[_T | _End], line: RequestLine) -> _T | _End:
    """The next piece; the end once the line is hung up."""
    while True:
        try:
            return pieces.get(timeout=POLL)
        except queue.Empty:
            if line.is_hung_up:
                return _End()


def _put(pieces: queue.Queue[_T | _End], piece: _T | _End, line: RequestLine) -> None:
    """Hand over a piece, for as long as anybody takes it."""
    while not line.is_hung_up:
        with contextlib.suppress(queue.Full):
            pieces.put(piece, timeout=POLL)
            return
