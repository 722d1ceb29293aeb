"""What can be wrong with a history file, in words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reflex_ipython.errors import StoreError

# What SQLite says: what a person reads after "The history FILE ".
_WORDS = {
    "database is locked": "is locked by another program",
    "database or disk is full": "can't grow: the disk is full",
    "readonly database": "is read-only",
    "unable to open": "can't be opened: the file or its folder can't be written",
    "not a database": "is damaged; move it away to begin a new one",
    "interrupted": "takes too long to answer; move it away to begin a new one",
    "malformed": "is damaged; move it away to begin a new one",
    "disk I/O error": "can't be read or written: the disk reports an error",
    "no such table": "is damaged: its table is gone; move it away to begin a new one",
}


class UnusableFile(Exception):
    """A file that is no history of ours. The text ends the sentence "The history FILE "."""


@contextmanager
def in_words(path: Path) -> Iterator[None]:
    """Turn what the file system and SQLite raise into a `StoreError` that names the file."""
    try:
        import sqlite3  # some builds of Python lack it

        yield
    except UnusableFile as problem:
        raise StoreError(f"The history {path} {problem}.") from problem
    except (OSError, ImportError) as problem:
        raise StoreError(f"The history {path} can't be opened: {problem}.") from problem
    except sqlite3.Error as problem:
        raise StoreError(f"The history {path} {_words(str(problem))}.") from problem


def _words(message: str) -> str:
    return next((words for sign, words in _WORDS.items() if sign in message), f"can't be used: {message}")
