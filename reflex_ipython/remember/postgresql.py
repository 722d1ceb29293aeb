"""The history in a PostgreSQL database, which a team may share.

psycopg speaks with it; it is imported when a server is named. SQLAlchemy and Alembic would do the same for one table
in three, 0.2 s and 15 MB of import later: the statements are those of the SQLite file (`schema`, `tables`).
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from reflex_ipython.errors import BadInput, StoreError
from reflex_ipython.models import Precedent, Repair, RepairFilter, RepairSummary, Tally
from reflex_ipython.remember import tables
from reflex_ipython.remember.schema import from_body
from reflex_ipython.remember.search import TextSearch
from reflex_ipython.remember.server_migrations import upgrade
from reflex_ipython.remember.tables import DatabaseDialect

CONNECTING = 3
"""Seconds to wait for the server to answer at all; libpq takes whole ones, 2 at least."""
READING, WRITING = 4.0, 60.0
"""Seconds that one statement may take there: nobody waits for what is written."""
NOT_INSTALLED = "psycopg is not installed: `%pip install 'reflex-ipython[postgresql]'`, then restart the kernel"
_PARAMETER = re.compile(r"(?<!:):([a-z_]+[0-9]*)\b")


def _query(wanted: Sequence[str]) -> str:
    return " & ".join(f"{word}:*" for word in wanted)


_DIALECT = DatabaseDialect(
    TextSearch(
        "(found @@ to_tsquery('simple', {})) IS TRUE",  # so said, the index is no help, and is not asked
        _query,
        "found @@ to_tsquery('simple', :indexed)",
        _query,
        # A word that no row has counts for it as one that one row in 200 has: it would go along all of them by date.
        named="SELECT seq FROM repairs WHERE found @@ to_tsquery('simple', :indexed) LIMIT :most",
    ),
    lock="SELECT pg_advisory_xact_lock(hashtextextended(:id, 0))",
)


def is_server(url: str) -> bool:
    """Whether that is the address of a PostgreSQL server."""
    return re.match(r"postgres(ql)?(\+psycopg)?://", url) is not None


class PostgreSqlStore:
    """Remembers repairs on a server. See `protocols.IndexedStore`. One connection, which is made anew if it is lost.

    Parameters
    ----------
    url : str
        `postgresql+psycopg://user@host/database`; the password may be in `~/.pgpass`.
    warn : callable
        Told of each damaged row, once; the others are shown.
    longest : float
        Seconds that one statement may take.

    Raises
    ------
    BadInput
        If that is no such address.
    """

    def __init__(self, url: str, warn: Callable[[str], None] = lambda text: None, longest: float = WRITING) -> None:
        if not is_server(url):
            raise BadInput(
                "history_url: give the address of a PostgreSQL server, `postgresql+psycopg://user@host/database`."
            )
        self._address = re.sub(r"^postgres(ql)?(\+psycopg)?:", "postgresql:", url)
        self._warn = warn
        self._milliseconds = int(longest * 1000)
        self._named: set[str] = set()
        self._lock = threading.RLock()
        self._connection: Any = None

    def save(self, repair: Repair) -> None:
        """Add the repair, or replace the one with its id, unless that is newer.

        Raises
        ------
        StoreError
            If it could not be saved.
        """
        with self._transaction() as connection:
            tables.save(connection, repair, _DIALECT)

    def get(self, prefix: str) -> Repair:
        """The repair whose id starts with `prefix`; see `protocols.RepairStore`."""
        with self._transaction() as connection:
            name, body = tables.get(connection, prefix)
        try:
            return from_body(body)
        except ValueError as problem:
            raise BadInput(f"The repair {name} can't be read: its row in {self.name} is damaged.") from problem

    def recent(self, count: int, *, accepted: bool | None = None) -> list[Repair]:
        """The latest repairs, newest first; see `protocols.RepairStore`."""
        return self.find(RepairFilter(accepted=accepted), count)

    def find(self, which: RepairFilter, count: int) -> list[Repair]:
        """The latest that are meant, newest first; a damaged row is left out."""
        if count <= 0:
            return []
        with self._transaction() as connection:
            # Each question takes its way to the server: a damaged row costs its place, and no more.
            rows = list(tables.find(connection, which, count, _DIALECT))
        return [repair for name, body in rows for repair in self._readable(name, body)]

    def summaries(self, which: RepairFilter, count: int) -> list[RepairSummary]:
        """The same in a line each."""
        with self._transaction() as connection:
            return tables.summaries(connection, which, count, _DIALECT)

    def precedents(self, mistake: str, count: int) -> list[Precedent]:
        """The latest that are known of a mistake; see `protocols.Recalls`."""
        with self._transaction() as connection:
            return tables.precedents(connection, mistake, count)

    def tallies(self) -> list[Tally]:
        """How many came to what; see `protocols.IndexedStore`."""
        with self._transaction() as connection:
            return tables.tallies(connection)

    def remove(self, which: RepairFilter) -> int:
        """Forget those that are meant; see `protocols.IndexedStore`."""
        with self._transaction() as connection:
            return tables.remove(connection, which, _DIALECT)

    def close(self) -> None:
        """Hang up."""
        with self._lock:
            self._hang_up()

    @property
    def name(self) -> str:
        """The server and the database, without user and password."""
        found = re.match(r"postgresql://(?:[^@/]*@)?([^?]*)(?:\?(?:.*&)?host=([^&]*))?", self._address)
        return ("".join(reversed(found.groups(""))) if found else "").rstrip("/") or "the PostgreSQL server"

    # ------------------------------------------------------------------------------- inside

    @contextmanager
    def _transaction(self) -> Iterator[_Named]:
        with self._lock, self._in_words():
            connection = self._connected()
            with connection.transaction():
                yield _Named(connection)

    def _connected(self) -> Any:
        import psycopg  # 0.1 s to import: only who named a server pays

        if self._connection is None or self._connection.closed:
            options = f"-c statement_timeout={self._milliseconds} -c lock_timeout={self._milliseconds}"
            connection = psycopg.connect(
                self._address,
                autocommit=True,
                connect_timeout=CONNECTING,
                options=options,
                application_name="reflex_ipython",
                keepalives_idle=10,
                tcp_user_timeout=self._milliseconds,
            )
            try:
                upgrade(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            import psycopg
        except ImportError as problem:
            raise StoreError(f"The history at {self.name} can't be used: {NOT_INSTALLED}.") from problem
        try:
            yield
        except (psycopg.Error, OSError) as problem:
            self._hang_up()  # the next one connects anew: cheap, and right whatever was wrong
            raise StoreError(f"The history at {self.name} can't be used: {_first_line(problem)}.") from problem

    def _hang_up(self) -> None:
        if self._connection is not None:
            with suppress(Exception):
                self._connection.close()
            self._connection = None

    def _readable(self, name: str, body: Any) -> Iterator[Repair]:
        try:
            yield from_body(body)
        except ValueError:
            if name not in self._named:
                self._named.add(name)
                self._warn(f"The repair {name} is left out: its row in {self.name} is damaged.")


class _Named:
    """A connection that takes parameters as SQLite does: `:name`."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def execute(self, statement: str, parameters: dict[str, Any] | None = None) -> Any:
        statement = _PARAMETER.sub(r"%(\1)s", statement.replace("%", "%%"))
        return self._connection.execute(statement, parameters or {})


def _first_line(problem: BaseException) -> str:
    """What the server says, without the address and what is repeated."""
    lines = str(problem).strip().splitlines() or [type(problem).__name__]
    text = lines[-1] if "failed:" in lines[0] and len(lines) == 1 else lines[0]
    return text.rpartition("failed: ")[2].removeprefix("FATAL:").strip().rstrip(".")
