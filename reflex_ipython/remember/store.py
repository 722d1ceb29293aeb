"""The history as an SQLite file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reflex_ipython.errors import BadInput, StoreError
from reflex_ipython.models import Precedent, Repair, RepairFilter, RepairSummary, Tally
from reflex_ipython.protocols import StoreContext
from reflex_ipython.remember import tables
from reflex_ipython.remember.decision_notes import DecisionNote, DecisionNotes
from reflex_ipython.remember.file import HistoryFile
from reflex_ipython.remember.location import history_path
from reflex_ipython.remember.lookup import NoSuchRepair
from reflex_ipython.remember.retention import EVERY, prune
from reflex_ipython.remember.schema import from_body
from reflex_ipython.remember.search import Executes, TextSearch
from reflex_ipython.remember.tables import DatabaseDialect

if TYPE_CHECKING:
    from sqlite3 import Connection

PATIENCE = 0.25
"""Seconds: a hundred times what another kernel's transaction takes. Who waits longer waits in memory."""
_PART = 500
_SAID = "has_words(CAST(words AS BLOB), {})"
_NAMED = "SELECT rowid FROM repair_words WHERE repair_words MATCH :indexed"
_WALKED = f"""
    SELECT seq FROM (SELECT seq AS number FROM repairs ORDER BY at DESC, seq DESC LIMIT :walked)
    CROSS JOIN repairs ON seq = number WHERE +number IN ({_NAMED}) AND {{}} ORDER BY at DESC, seq DESC LIMIT :count
"""
"""An index has times and numbers together: only rows that have the words are read."""


class SqliteStore:
    """Remembers repairs in a file. See `protocols.IndexedStore`.

    Parameters
    ----------
    context : StoreContext
        Its settings name the file.
    warn : callable
        Told of each damaged row, once; the others are shown.
    patience : float
        How long to wait for another program that has locked the file, in seconds.
    path : Path or None
        The file; None: as the settings name it.
    """

    def __init__(
        self,
        context: StoreContext,
        warn: Callable[[str], None] = lambda text: None,
        patience: float = PATIENCE,
        path: Path | None = None,
    ) -> None:
        self.path = path or history_path(context.settings())
        self._warn = warn
        self._file = HistoryFile(self.path, patience)
        self._notes = DecisionNotes(self.path)
        self._named: set[str] = set()
        self._settings = context.settings
        self._saved = 0
        self._prunes = path is None  # what waits for a server is lost nowhere

    def save(self, repair: Repair) -> None:
        """Add the repair, or replace the one with its id, unless that is newer.

        Raises
        ------
        StoreError
            If it could not be saved.
        """
        with self._file.writing() as connection:
            tables.save(connection, repair, dialect(connection))
        self._notes.forget(repair.id, repair.revised)
        self._saved += 1
        if self._prunes and self._saved % EVERY == 1:
            prune(self, self._settings())

    def note(self, decided: DecisionNote) -> None:
        """Note a decision on a repair that was saved; see `decision_notes.NotesDecisions`."""
        self._notes.add(decided)

    def get(self, prefix: str) -> Repair:
        """The repair whose id starts with `prefix`.

        Raises
        ------
        BadInput
            If there is none, or more than one, or its row is damaged.
        StoreError
            If the file could not be read.
        """
        with self._reading() as connection:
            if connection is None:
                raise NoSuchRepair("There is no history yet.")
            name, body = tables.get(connection, prefix)
        try:
            return from_body(body)
        except ValueError as problem:
            raise BadInput(f"The repair {name} can't be read: its row in {self.path} is damaged.") from problem

    def recent(self, count: int, *, accepted: bool | None = None) -> list[Repair]:
        """The latest repairs, newest first; a damaged row is left out.

        Raises
        ------
        StoreError
            If the file could not be read.
        """
        return self.find(RepairFilter(accepted=accepted), count)

    def find(self, which: RepairFilter, count: int) -> list[Repair]:
        """The latest that are meant, newest first; a damaged row is left out."""
        found: list[Repair] = []
        with self._reading() as connection:
            if connection is None or count <= 0:
                return found
            for name, body in tables.find_one_by_one(connection, which, count, dialect(connection)):
                found.extend(self._readable(name, body))
                if len(found) == count:
                    break
        return found

    def summaries(self, which: RepairFilter, count: int) -> list[RepairSummary]:
        """The same in a line each."""
        with self._reading() as connection:
            return [] if connection is None else tables.summaries(connection, which, count, dialect(connection))

    def precedents(self, mistake: str, count: int) -> list[Precedent]:
        """The latest that are known of a mistake; see `protocols.Recalls`."""
        with self._reading() as connection:
            return [] if connection is None else tables.precedents(connection, mistake, count)

    def tallies(self) -> list[Tally]:
        """How many came to what; see `protocols.IndexedStore`."""
        with self._reading() as connection:
            return [] if connection is None else tables.tallies(connection)

    def remove(self, which: RepairFilter) -> int:
        """Forget those that are meant; see `protocols.IndexedStore`."""
        return self.remove_oldest(which, None)

    def remove_oldest(self, which: RepairFilter, most: int | None) -> int:
        """Forget those that are meant, at most so many, the oldest first. What they said is overwritten in the file."""
        if not self.path.exists():
            return 0
        self._bring_notes()
        removed = 0
        while most is None or removed < most:  # in parts: nobody waits long for the file
            wanted = _PART if most is None else min(_PART, most - removed)
            with self._file.writing() as connection:
                connection.execute("PRAGMA secure_delete = ON")
                part = tables.remove(connection, which, dialect(connection), wanted)
            removed += part
            if part < wanted:
                break
        return removed

    def size(self) -> int:
        """How many repairs it has, as they were counted."""
        return sum(tally.repairs for tally in self.tallies() if tally.dimension == "all")

    def stay_open(self) -> None:
        """Keep the file open for a moment after a write: those of a repair come soon after each other."""
        self._file.stay_open()

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    @contextmanager
    def _reading(self) -> Iterator[Connection | None]:
        self._bring_notes()
        with self._file.reading() as connection:
            yield connection

    def _bring_notes(self) -> None:
        """What a kernel that was killed had noted, or one that is about to save it."""
        for decided in self._notes.all():
            with suppress(StoreError):  # as where nobody may write: then it is read as it was
                self._bring(decided)

    def _bring(self, decided: DecisionNote) -> None:
        if self.path.exists():
            with self._file.writing() as connection:
                try:
                    repair = from_body(tables.get(connection, decided.repair)[1])
                except (BadInput, ValueError):  # forgotten, or damaged
                    changed = None
                else:
                    changed = decided.applied_to(repair) if repair.id == decided.repair else None
                if changed is not None:
                    tables.save(connection, changed, dialect(connection))
        self._notes.forget(decided.repair, decided.revised)

    def _readable(self, name: str, body: Any) -> Iterator[Repair]:
        try:
            yield from_body(body)
        except ValueError:
            if name not in self._named:
                self._named.add(name)
                self._warn(f"The repair {name} is left out: its row in {self.path} is damaged.")


def dialect(connection: Connection) -> DatabaseDialect:
    """How this build of SQLite searches texts: some have no index of words, and look through the rows."""
    connection.create_function("has_words", 2, _has_words)
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'repair_words'").fetchone():
        return DatabaseDialect(TextSearch(_SAID, " ".join, "", " ".join))
    return DatabaseDialect(TextSearch(_SAID, " ".join, f"seq IN ({_NAMED})", _match, _WALKED), _indexed)


def _match(wanted: Sequence[str]) -> str:
    return " ".join(f'"{word}"*' for word in wanted)


def _has_words(said: bytes | None, wanted: str) -> bool:
    """Whether a text has words that begin so. It is given as bytes: a damaged one must not hide the other rows."""
    text = (said or b"").decode("utf-8", "replace").lower()
    return all(word in text and beginning.search(text) is not None for word, beginning in _beginnings(wanted))


@lru_cache(maxsize=32)
def _beginnings(wanted: str) -> list[tuple[str, re.Pattern[str]]]:
    return [(word, re.compile(rf"(?<![^\W_]){word}")) for word in wanted.split()]


def _indexed(connection: Executes, seq: int, before: str | None, after: str | None) -> None:
    if before is not None:
        statement = "INSERT INTO repair_words (repair_words, rowid, words) VALUES ('delete', :seq, :words)"
        connection.execute(statement, {"seq": seq, "words": before})
    if after is not None:
        connection.execute(
            "INSERT INTO repair_words (rowid, words) VALUES (:seq, :words)", {"seq": seq, "words": after}
        )
