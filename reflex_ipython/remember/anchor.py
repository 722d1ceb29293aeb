"""Keeps a history file open for a moment after a write.

Who is the last to close an SQLite file first brings all that was written into it, which takes several syncs of the disk
and two files that are deleted (`sqlite.org/wal.html`). Nobody has to wait for that: one more connection, which does
nothing, lets a write end with its commit. Some time after the last write it closes, and the file lies alone in its
folder again: it can be copied, replaced or deleted, as a file at rest can. As long as there are writes, it brings them
into the file and onto the disk so often.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from reflex_ipython.base.named_timer import NamedTimer
from reflex_ipython.base.own_threads import shielded

if TYPE_CHECKING:
    from sqlite3 import Connection

RESTS_AFTER = 1.0
"""Seconds without a write after which the file is let go of: those of one repair come sooner after each other."""


class Anchor:
    """That connection.

    Parameters
    ----------
    path : Path
        The file.
    connect : callable
        Opens it for any thread.
    seconds : float
        Without a write, after which it closes.
    """

    def __init__(self, path: Path, connect: Callable[[], Connection], seconds: float = RESTS_AFTER) -> None:
        self._path = path
        self._connect = connect
        self._seconds = seconds
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._held: list[tuple[int, int] | None] = []
        self._timer: NamedTimer | None = None
        self._written = False

    def hold(self) -> None:
        """Something is written: keep the file open from now on. It is called while the writer has it open."""
        import sqlite3

        with self._lock:
            self._written = True
            if self._connection is None:
                with suppress(sqlite3.Error):  # then a write takes longer
                    self._connection = self._connect()
                    self._connection.execute("SELECT 1 FROM sqlite_master").fetchone()  # it is really open from here on
                    self._held = self._identities()
                self._await_rest()

    def check(self) -> None:
        """Before the file is used: let go of one that was moved, deleted or replaced.

        What was written last may be in the log beside it. SQLite would play that into whatever file stands there now.
        """
        with self._lock:
            if self._connection is None or self._identities() == self._held:
                return
            old = self._held[1]
            self._close()
            if old is not None and self._identities()[1] == old:
                with suppress(OSError):
                    self._log.unlink()

    def release(self) -> None:
        """Close now."""
        with self._lock:
            self._close()

    @property
    def _log(self) -> Path:
        return self._path.with_name(f"{self._path.name}-wal")

    def _identities(self) -> list[tuple[int, int] | None]:
        """Which files stand there: another one of the same name has another number."""
        return [_identity(self._path), _identity(self._log)]

    def _await_rest(self) -> None:
        self._written = False
        self._timer = NamedTimer("reflex-history-rest", self._seconds, self._rest)
        try:
            self._timer.start()
        except RuntimeError:  # there can be no thread any more, as where Python ends: what was written is written
            self._close()

    @shielded()
    def _rest(self) -> None:
        with self._lock:
            if threading.current_thread() is not self._timer:
                return  # it was closed, and perhaps opened again
            if self._written:
                self._bring_in()
                self._await_rest()
            else:
                self._close()

    def _bring_in(self) -> None:
        import sqlite3

        if self._connection is not None:
            with suppress(sqlite3.Error):  # somebody else is just doing it
                self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()

    def _close(self) -> None:
        import sqlite3

        connection, timer = self._connection, self._timer
        self._connection = self._timer = None
        if timer is not None:
            timer.cancel()
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
