"""The steps from one shape of the file to the next: numbered, in order, never changed once released.

A new step is a function below the others with the next number. It speaks SQL and does not use `schema`, which is always
about the newest shape. The tests upgrade a file of every older shape.
"""

from __future__ import annotations

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
