"""The steps from one shape of the database to the next, as `migrations` has them for the file."""

from __future__ import annotations

from typing import Any

from reflex_ipython.errors import StoreError

_TEXT = "TEXT NOT NULL DEFAULT ''"
_STEPS = (
    (
        # "C": times and ids are compared as in SQLite, byte by byte, whatever the server's language is.
        f"""
        CREATE TABLE repairs (
            seq BIGSERIAL PRIMARY KEY,
            id TEXT COLLATE "C" NOT NULL UNIQUE,
            session {_TEXT},
            at TEXT COLLATE "C" NOT NULL,
            notebook {_TEXT},
            author {_TEXT},
            cell_id TEXT,
            execution_count BIGINT,
            ename {_TEXT},
            title {_TEXT},
            provider {_TEXT},
            rule {_TEXT},
            model {_TEXT},
            outcome {_TEXT},
            succeeded SMALLINT,
            seconds DOUBLE PRECISION NOT NULL,
            tokens BIGINT NOT NULL,
            detail TEXT,
            decision TEXT,
            revised TEXT COLLATE "C" NOT NULL,
            words {_TEXT},
            body TEXT NOT NULL,
            found TSVECTOR GENERATED ALWAYS AS
                (to_tsvector('simple', regexp_replace(words, '[[:punct:]]+', ' ', 'g'))) STORED
        )
        """,
        "CREATE INDEX ix_repairs_at ON repairs (at DESC, seq DESC)",
        *(
            f"CREATE INDEX ix_repairs_{name} ON repairs ({name}, at DESC, seq DESC)"
            for name in ("ename", "notebook", "provider", "rule", "model", "outcome")
        ),
        "CREATE INDEX ix_repairs_found ON repairs USING GIN (found)",
        """
        CREATE TABLE precedents (
            repair TEXT COLLATE "C" PRIMARY KEY,
            mistake TEXT COLLATE "C" NOT NULL,
            worked SMALLINT NOT NULL,
            at TEXT COLLATE "C" NOT NULL,
            notebook TEXT NOT NULL,
            session TEXT NOT NULL,
            lesson TEXT NOT NULL
        )
        """,
        "CREATE INDEX ix_precedents_mistake ON precedents (mistake, at DESC)",
        """
        CREATE TABLE tallies (
            dimension TEXT NOT NULL,
            value TEXT NOT NULL,
            period TEXT NOT NULL,
            outcome TEXT NOT NULL,
            repairs BIGINT NOT NULL,
            seconds DOUBLE PRECISION NOT NULL,
            tokens BIGINT NOT NULL,
            PRIMARY KEY (dimension, value, period, outcome)
        )
        """,
    ),
    (
        # What is looked through lies close together: the long texts are in a table of their own.
        "CREATE TABLE bodies (seq BIGINT PRIMARY KEY, body TEXT NOT NULL)",
        "INSERT INTO bodies SELECT seq, body FROM repairs ORDER BY seq",
        "ALTER TABLE repairs DROP COLUMN body",
        *(f"CREATE INDEX ix_repairs_{name} ON repairs ({name}, at DESC, seq DESC)" for name in ("session", "decision")),
        # One write is as quick as another: none has to bring in what others left for later.
        "DROP INDEX ix_repairs_found",
        "CREATE INDEX ix_repairs_found ON repairs USING GIN (found) WITH (fastupdate = off)",
    ),
)
"""Numbered from 1, in order, never changed once released."""
_LOCK = int.from_bytes(b"rflx", "big")


def upgrade(connection: Any) -> None:
    """Take the steps that the database lacks; of several kernels that begin at once, one does.

    Raises
    ------
    StoreError
        If it is of a newer version than this one.
    """
    if _version(connection) == len(_STEPS):
        return
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        connection.execute("CREATE TABLE IF NOT EXISTS reflex_schema (version INTEGER NOT NULL)")
        version = _version(connection)
        if version > len(_STEPS):
            raise StoreError(
                f"The history was written by a newer version of reflex_ipython (its schema is {version}; this one "
                f"knows up to {len(_STEPS)})."
            )
        connection.execute("SET LOCAL statement_timeout = 0")  # a long history of an older version takes its time, once
        for statements in _STEPS[version:]:
            for statement in statements:
                connection.execute(statement)
        connection.execute("DELETE FROM reflex_schema")
        connection.execute("INSERT INTO reflex_schema VALUES (%s)", (len(_STEPS),))


def _version(connection: Any) -> int:
    [[there]] = connection.execute("SELECT to_regclass('reflex_schema') IS NOT NULL").fetchall()
    rows = connection.execute("SELECT version FROM reflex_schema").fetchall() if there else []
    return int(rows[0][0]) if rows else 0
