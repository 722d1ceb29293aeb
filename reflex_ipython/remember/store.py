"""The history as an SQLite file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from reflex_ipython.errors import BadInput
from reflex_ipython.models import Repair
from reflex_ipython.protocols import StoreContext
from reflex_ipython.remember.file import HistoryFile
from reflex_ipython.remember.location import history_path
from reflex_ipython.remember.lookup import NoSuchRepair, choose
from reflex_ipython.remember.schema import BODY, LATEST, SAVE, STARTING_WITH, as_row, from_body, storable

PATIENCE = 0.25
"""Seconds: a hundred times what another kernel's transaction takes. Who waits longer waits in memory."""


class SqliteStore:
    """Remembers repairs in a file. See `protocols.RepairStore`.

    Parameters
    ----------
    context : StoreContext
        Its settings name the file.
    warn : callable
        Told of each damaged row, once; the others are shown.
    patience : float
        How long to wait for another program that has locked the file, in seconds.
    """

    def __init__(
        self, context: StoreContext, warn: Callable[[str], None] = lambda text: None, patience: float = PATIENCE
    ) -> None:
        self.path = history_path(context.settings())
        self._warn = warn
        self._file = HistoryFile(self.path, patience)
        self._named: set[str] = set()

    def save(self, repair: Repair) -> None:
        """Add the repair, or replace the one with its id.

        Raises
        ------
        StoreError
            If it could not be saved.
        """
        row = as_row(repair)
        with self._file.writing() as connection:
            connection.execute(SAVE, row)

    def get(self, prefix: str) -> Repair:
        """The repair whose id starts with `prefix`.

        Raises
        ------
        BadInput
            If there is none, or more than one, or its row is damaged.
        StoreError
            If the file could not be read.
        """
        with self._file.reading() as connection:
            if connection is None:
                raise NoSuchRepair("There is no history yet.")
            rows = dict(connection.execute(STARTING_WITH, {"prefix": storable(prefix)}))
            name = choose(prefix, list(rows))
            [body] = connection.execute(BODY, {"row": rows[name]}).fetchone()
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
        found: list[Repair] = []
        with self._file.reading() as connection:
            if connection is None or count <= 0:
                return found
            for name, body in connection.execute(LATEST, {"accepted": accepted}):
                found.extend(self._readable(name, body))
                if len(found) == count:
                    break
        return found

    def close(self) -> None:
        """Nothing to let go of: the file is open during an operation only."""

    def _readable(self, name: str, body: Any) -> Iterator[Repair]:
        try:
            yield from_body(body)
        except ValueError:
            if name not in self._named:
                self._named.add(name)
                self._warn(f"The repair {name} is left out: its row in {self.path} is damaged.")
