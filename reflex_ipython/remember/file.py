"""The history file: several kernels, and several threads of each, may write to it at once.

Every operation opens the file, does one short transaction and lets go of it (2 ms). So no connection is shared between
threads or inherited by a fork, and a kernel that is killed leaves nothing half-done.
"""

from __future__ import annotations

import functools
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from reflex_ipython.remember.location import create_private
from reflex_ipython.remember.migrations import NEWEST, schema_version, upgrade
from reflex_ipython.remember.trouble import UnusableFile, in_words

if TYPE_CHECKING:
    from sqlite3 import Connection as PlainConnection

    from sqlalchemy import Connection, Engine


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
        self._engines: dict[str, Engine] = {}

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction that writes, to a file of the newest schema. It is committed at the end."""
        with in_words(self.path):
            self._stay_in_process()
            create_private(self.path)
            self._only_regular_files()
            with self._engine().connect() as connection:
                connection.exec_driver_sql("BEGIN")
                is_new = schema_version(connection) == 0
                connection.rollback()
                if is_new:
                    _choose_wal(connection)
                connection.exec_driver_sql("BEGIN IMMEDIATE")  # reading first would give up at once when it must wait
                upgrade(connection)
                yield connection
                connection.commit()

    @contextmanager
    def reading(self) -> Iterator[Connection | None]:
        """One transaction that reads; None if there is no history yet."""
        with in_words(self.path):
            self._stay_in_process()
            if not self.path.exists():
                yield None
                return
            self._only_regular_files()
            with self._open_to_read() as connection:
                connection.exec_driver_sql("BEGIN")
                version = schema_version(connection)
                if version in (0, NEWEST):
                    yield connection if version else None
                    return
            with self.writing() as connection:  # which brings an older file up to date
                yield connection

    def _stay_in_process(self) -> None:
        if os.getpid() != self._process:
            raise UnusableFile("belongs to the process that this one was forked from")

    def _only_regular_files(self) -> None:
        """Opening a FIFO or a device could wait for ever; so could the files that SQLite opens beside its own."""
        for suffix in ("", "-journal", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                mode = self.path.with_name(self.path.name + suffix).stat().st_mode
                if not stat.S_ISREG(mode):
                    raise UnusableFile(f"can't be opened: {_kind(mode)} is in its place{suffix and f' ({suffix})'}")

    def _open_to_read(self) -> Connection:
        """Open the file, even in a folder where SQLite can't put the files that it shares with other processes."""
        from sqlalchemy.exc import OperationalError

        try:
            with self._engine().connect() as connection:
                connection.exec_driver_sql("BEGIN")
                schema_version(connection)
        except OperationalError as error:
            if self._has_open_wal() or "locked" in str(error.orig):  # somebody is at work on it
                raise
            return self._engine("?mode=ro&immutable=1").connect()
        return self._engine().connect()

    def _has_open_wal(self) -> bool:
        return self.path.with_name(f"{self.path.name}-wal").exists()

    def _engine(self, options: str = "?mode=rw") -> Engine:
        from sqlalchemy import NullPool, create_engine

        if options not in self._engines:
            creator = functools.partial(self._connect, options)
            self._engines[options] = create_engine("sqlite://", creator=creator, poolclass=NullPool)
        return self._engines[options]

    def _connect(self, options: str) -> PlainConnection:
        import sqlite3  # some builds of Python lack it

        connection = sqlite3.connect(self.path.as_uri() + options, uri=True, timeout=self._patience)
        end = time.monotonic() + LONGEST
        connection.set_progress_handler(lambda: time.monotonic() > end, 100_000)  # a file can hold a query without end
        # One damaged row must not hide the others.
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        return connection


def _kind(mode: int) -> str:
    """What stands in a file's place, in words."""
    if stat.S_ISDIR(mode):
        return "a folder"
    if stat.S_ISFIFO(mode):
        return "a FIFO"
    return "a socket" if stat.S_ISSOCK(mode) else "a device"


def _choose_wal(connection: Connection) -> None:
    """Let readers read while another process writes; it stays in the file's header."""
    from sqlalchemy.exc import OperationalError

    with suppress(OperationalError):  # another kernel is just doing it, or the disk can't: both are fine
        connection.exec_driver_sql("PRAGMA journal_mode = WAL").scalar()
