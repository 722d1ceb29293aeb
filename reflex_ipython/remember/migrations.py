"""The steps from one shape of the file to the next: numbered, in order, never changed once released.

A new step is a function below the others with the next number. It speaks SQL and does not use `schema`, which is always
about the newest shape. The tests upgrade a file of every older shape.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from reflex_ipython.remember.trouble import UnusableFile

if TYPE_CHECKING:
    from sqlite3 import Connection

APPLICATION_ID = int.from_bytes(b"rflx", "big")
"""Stands in the header of each of our files (`PRAGMA application_id`), so that nobody else's is ever touched."""

Step = Callable[["Connection"], None]
_steps: dict[int, Step] = {}


def step(number: int) -> Callable[[Step], Step]:
    """Register a function as the step that leads to schema `number`."""

    def register(function: Step) -> Step:
        if number != len(_steps) + 1:
            raise ValueError(f"step {number} comes after {len(_steps)} others")
        _steps[number] = function
        return function

    return register


@step(1)
def _repairs(connection: Connection) -> None:
    connection.execute(
        """
        CREATE TABLE repairs (
            id TEXT NOT NULL PRIMARY KEY,
            session TEXT NOT NULL,
            at TEXT NOT NULL,
            cell_id TEXT,
            execution_count INTEGER,
            ename TEXT NOT NULL,
            title TEXT NOT NULL,
            provider TEXT,
            detail TEXT,
            decision TEXT,
            succeeded INTEGER,
            body TEXT NOT NULL
        )
        """
    )
    connection.execute("CREATE INDEX ix_repairs_at ON repairs (at)")


@step(2)
def _found_and_counted(connection: Connection) -> None:
    """What is listed stands in columns in front of the body, what was learnt and counted in tables of their own."""
    connection.execute("ALTER TABLE repairs RENAME TO older")
    connection.execute("DROP INDEX ix_repairs_at")
    connection.execute(
        """
        CREATE TABLE repairs (
            seq INTEGER NOT NULL PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            session TEXT NOT NULL,
            at TEXT NOT NULL,
            notebook TEXT NOT NULL,
            author TEXT NOT NULL,
            cell_id TEXT,
            execution_count INTEGER,
            ename TEXT NOT NULL,
            title TEXT NOT NULL,
            provider TEXT NOT NULL,
            rule TEXT NOT NULL,
            model TEXT NOT NULL,
            outcome TEXT NOT NULL,
            succeeded INTEGER,
            seconds REAL NOT NULL,
            tokens INTEGER NOT NULL,
            detail TEXT,
            decision TEXT,
            revised TEXT NOT NULL,
            words TEXT NOT NULL,
            body TEXT NOT NULL
        )
        """
    )
    for name in ("ename", "notebook", "provider", "rule", "model", "outcome"):
        connection.execute(f"CREATE INDEX ix_repairs_{name} ON repairs ({name}, at)")
    connection.execute("CREATE INDEX ix_repairs_at ON repairs (at)")
    connection.execute(
        """
        CREATE TABLE precedents (
            repair TEXT NOT NULL PRIMARY KEY,
            mistake TEXT NOT NULL,
            worked INTEGER NOT NULL,
            at TEXT NOT NULL,
            notebook TEXT NOT NULL,
            session TEXT NOT NULL,
            lesson TEXT NOT NULL
        )
        """
    )
    connection.execute("CREATE INDEX ix_precedents_mistake ON precedents (mistake, at)")
    connection.execute(
        """
        CREATE TABLE tallies (
            dimension TEXT NOT NULL,
            value TEXT NOT NULL,
            period TEXT NOT NULL,
            outcome TEXT NOT NULL,
            repairs INTEGER NOT NULL,
            seconds REAL NOT NULL,
            tokens INTEGER NOT NULL,
            PRIMARY KEY (dimension, value, period, outcome)
        ) WITHOUT ROWID
        """
    )
    _add_text_search(connection)
    _copy_older(connection)


def _add_text_search(connection: Connection) -> None:
    import sqlite3

    with contextlib.suppress(sqlite3.OperationalError):  # some builds lack it: then every row is looked through
        connection.execute(
            "CREATE VIRTUAL TABLE repair_words USING fts5"
            "(words, content='repairs', content_rowid='seq', tokenize='unicode61 remove_diacritics 0')"
        )


def _copy_older(connection: Connection) -> None:
    connection.execute(
        """
        INSERT INTO repairs
        SELECT rowid, id, session, at, '', '', cell_id, execution_count, ename, title,
            COALESCE(provider, ''), COALESCE(detail, ''), '',
            CASE WHEN decision = 'accepted' AND succeeded = 0 THEN 'failed'
                WHEN decision IS NOT NULL THEN decision WHEN provider IS NULL THEN 'no fix' ELSE 'open' END,
            succeeded, 0, 0, detail, decision, '', title, body
        FROM older ORDER BY rowid
        """
    )
    connection.execute("DROP TABLE older")
    connection.execute(
        "INSERT INTO tallies SELECT 'all', '', substr(at, 1, 10), outcome, count(*), 0, 0 FROM repairs GROUP BY 3, 4"
    )
    for name in ("ename", "provider", "rule"):
        connection.execute(
            f"INSERT INTO tallies SELECT '{name}', {name}, substr(at, 1, 7), outcome, count(*), 0, 0 FROM repairs "
            f"WHERE {name} <> '' GROUP BY 2, 3, 4"
        )
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'repair_words'").fetchone():
        connection.execute("INSERT INTO repair_words (repair_words) VALUES ('rebuild')")


@step(3)
def _bodies_apart(connection: Connection) -> None:
    """What is looked through lies close together: the long texts are in a table of their own."""
    connection.execute("CREATE TABLE bodies (seq INTEGER NOT NULL PRIMARY KEY, body TEXT NOT NULL)")
    connection.execute("INSERT INTO bodies SELECT seq, body FROM repairs ORDER BY seq")
    connection.execute("ALTER TABLE repairs RENAME TO older")
    for name in ("ename", "notebook", "provider", "rule", "model", "outcome", "at"):
        connection.execute(f"DROP INDEX ix_repairs_{name}")
    connection.execute(
        """
        CREATE TABLE repairs (
            seq INTEGER NOT NULL PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            session TEXT NOT NULL,
            at TEXT NOT NULL,
            notebook TEXT NOT NULL,
            author TEXT NOT NULL,
            cell_id TEXT,
            execution_count INTEGER,
            ename TEXT NOT NULL,
            title TEXT NOT NULL,
            provider TEXT NOT NULL,
            rule TEXT NOT NULL,
            model TEXT NOT NULL,
            outcome TEXT NOT NULL,
            succeeded INTEGER,
            seconds REAL NOT NULL,
            tokens INTEGER NOT NULL,
            detail TEXT,
            decision TEXT,
            revised TEXT NOT NULL,
            words TEXT NOT NULL
        )
        """
    )
    connection.execute(
        """
        INSERT INTO repairs
        SELECT seq, id, session, at, notebook, author, cell_id, execution_count, ename, title, provider, rule, model,
            outcome, succeeded, seconds, tokens, detail, decision, revised, words
        FROM older ORDER BY seq
        """
    )
    connection.execute("DROP TABLE older")
    for name in ("ename", "notebook", "provider", "rule", "model", "outcome", "session", "decision"):
        connection.execute(f"CREATE INDEX ix_repairs_{name} ON repairs ({name}, at)")
    connection.execute("CREATE INDEX ix_repairs_at ON repairs (at)")


NEWEST = len(_steps)
"""The number of the schema that this version writes."""


def schema_version(connection: Connection) -> int:
    """The number of the file's schema; 0 for an empty file. It changes nothing.

    To be called inside a transaction: another process that makes the file between two of its questions would look like
    another program.

    Raises
    ------
    UnusableFile
        If the file is not ours, or of a newer version than this one.
    """
    [version] = connection.execute("PRAGMA user_version").fetchone()
    [owner] = connection.execute("PRAGMA application_id").fetchone()
    if owner != APPLICATION_ID and (
        version or owner or connection.execute("SELECT 1 FROM sqlite_master").fetchone()  # it has a table
    ):
        raise UnusableFile("is the database of another program")
    if version > NEWEST:
        raise UnusableFile(
            f"was written by a newer version of reflex_ipython (its schema is {version}; this one knows up to {NEWEST})"
        )
    return int(version)


def upgrade(connection: Connection) -> None:
    """Take the steps that the file lacks. To be called inside a transaction, which the caller commits."""
    version = schema_version(connection)
    for number in range(version + 1, NEWEST + 1):
        _steps[number](connection)
    if version < NEWEST:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")  # a pragma takes no parameters
        connection.execute(f"PRAGMA user_version = {NEWEST}")
