"""The history file: several kernels, and several threads of each, may write to it at once.

Every operation opens the file, does one short transaction and lets go of it (2 ms). So no connection that does
anything is shared between threads or inherited by a fork, and a kernel that is killed leaves nothing half-done.

What is committed is the operating system's: it outlives the kernel, however that ends. The disk is waited for once a
second (`anchor`), not at each commit, which takes ten times as long on many disks: if the machine loses its power, what
was decided in the last second may be lost, and the file is whole (`sqlite.org/pragma.html#pragma_synchronous`).
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from reflex_ipython.remember.anchor import Anchor
from reflex_ipython.remember.location import create_private
from reflex_ipython.remember.migrations import NEWEST, schema_version, upgrade
from reflex_ipython.remember.trouble import UnusableFile, in_words

if TYPE_CHECKING:
    from sqlite3 import Connection


LONGEST = 2.0
"""Seconds that SQLite may compute for one operation, which takes 2 ms."""


class HistoryFile:
    """Transactions on the file; every problem becomes a `StoreError` in words.

    Parameters
    ----------
    path : Path
        Where it is, or will be: reading does not make it.
    patience : float
        How long to wait for another program that has locked it, in seconds.
    """

    def __init__(self, path: Path, patience: float) -> None:
        self.path = path
        self._patience = patience
        self._process = os.getpid()
        self._anchor: Anchor | None = None

    def stay_open(self) -> None:
        """Keep the file open for a moment after a write, so that the next one is quick."""
        self._anchor = Anchor(self.path, lambda: self._connect(any_thread=True))

    def close(self) -> None:
        """Let go of it, if it is still open after a write."""
        if self._anchor is not None and os.getpid() == self._process:
            self._anchor.release()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction that writes, to a file of the newest schema. It is committed at the end."""
        with in_words(self.path):
            self._stay_with_file()
            create_private(self.path)
            self._only_regular_files()
            with closing(self._connect()) as connection:
                connection.execute("BEGIN")
                is_new = schema_version(connection) == 0
                connection.execute("ROLLBACK")
                if is_new:
                    _choose_wal(connection)
                _wait_for_disk(connection)
                connection.execute("BEGIN IMMEDIATE")  # reading first would give up at once when it must wait
                connection.set_progress_handler(None, 0)  # a large file of an older version takes its time, once
                upgrade(connection)
                _bound(connection)
                yield connection
                connection.execute("COMMIT")
                if self._anchor is not None:
                    self._anchor.hold()

    @contextmanager
    def reading(self) -> Iterator[Connection | None]:
        """One transaction that reads; None if there is no history yet."""
        with in_words(self.path):
            self._stay_with_file()
            if not self.path.exists():
                yield None
                return
            self._only_regular_files()
            with closing(self._connect(self._options_to_read())) as connection:
                connection.execute("BEGIN")
                version = schema_version(connection)
                if version in (0, NEWEST):
                    yield connection if version else None
                    return
            with self.writing() as connection:  # which brings an older file up to date
                yield connection

    def _stay_with_file(self) -> None:
        if os.getpid() != self._process:
            raise UnusableFile("belongs to the process that this one was forked from")
        if self._anchor is not None:
            self._anchor.check()

    def _only_regular_files(self) -> None:
        """Opening a FIFO or a device could wait for ever; so could the files that SQLite opens beside its own."""
        for suffix in ("", "-journal", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                mode = self.path.with_name(self.path.name + suffix).stat().st_mode
                if not stat.S_ISREG(mode):
                    raise UnusableFile(f"can't be opened: {_kind(mode)} is in its place{suffix and f' ({suffix})'}")

    def _options_to_read(self) -> str:
        """How to open it, even in a folder where SQLite can't put the files that it shares with other processes."""
        import sqlite3

        try:
            with closing(self._connect()) as connection:
                connection.execute("BEGIN")
                schema_version(connection)
        except sqlite3.OperationalError as error:
            if self._has_open_wal() or "locked" in str(error):  # somebody is at work on it
                raise
            return "?mode=ro&immutable=1"
        return "?mode=rw"

    def _has_open_wal(self) -> bool:
        return self.path.with_name(f"{self.path.name}-wal").exists()

    def _connect(self, options: str = "?mode=rw", *, any_thread: bool = False) -> Connection:
        """Open the file. Transactions begin and end where this module says so, never by themselves."""
        import sqlite3

        address = self.path.as_uri() + options
        connection = sqlite3.connect(
            address, uri=True, timeout=self._patience, isolation_level=None, check_same_thread=not any_thread
        )
        _bound(connection)
        # One damaged row must not hide the others.
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        return connection


def _bound(connection: Connection) -> None:
    """A file can hold a query without end."""
    end = time.monotonic() + LONGEST
    connection.set_progress_handler(lambda: time.monotonic() > end, 100_000)


def _kind(mode: int) -> str:
    """What stands in a file's place, in words."""
    if stat.S_ISDIR(mode):
        return "a folder"
    if stat.S_ISFIFO(mode):
        return "a FIFO"
    return "a socket" if stat.S_ISSOCK(mode) else "a device"


def _wait_for_disk(connection: Connection) -> None:
    """At each commit only where the file could be damaged otherwise: where it has no write-ahead log."""
    [mode] = connection.execute("PRAGMA journal_mode").fetchone()
    connection.execute(f"PRAGMA synchronous = {'NORMAL' if mode == 'wal' else 'FULL'}")  # builds differ in what they do


def _choose_wal(connection: Connection) -> None:
    """Let readers read while another process writes; it stays in the file's header."""
    import sqlite3

    with suppress(sqlite3.OperationalError):  # another kernel is just doing it, or the disk can't: both are fine
        connection.execute("PRAGMA journal_mode = WAL").fetchone()
