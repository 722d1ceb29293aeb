"""What a long history costs, in an SQLite file and on a PostgreSQL server: how long a write takes, and each question.

`python -m tests.bench.history 1000000` makes so many rows, which takes some minutes; the default is small. The
server is one of the bench's own, which syncs its disk as Debian's does.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from reflex_ipython.models import Lesson, Repair, RepairFilter, moment
from reflex_ipython.protocols import IndexedStore, StoreContext
from reflex_ipython.remember import schema, tables
from reflex_ipython.remember.file import HistoryFile
from reflex_ipython.remember.postgresql import PostgreSqlStore
from reflex_ipython.remember.search import Executes
from reflex_ipython.remember.store import SqliteStore, dialect
from reflex_ipython.settings import Settings
from reflex_ipython.testing import full_repair
from tests.bench.figures import heading, ratio, row, seconds
from tests.remember.postgres import Server, programs

try:
    import psycopg
except ImportError:
    psycopg = None  # type: ignore[assignment]  # then the server is left out

ROWS, ROUNDS, SHOWN = 20_000, 15, 50
NOTEBOOKS, WORDS, MISTAKES = 200, 2_000, 500
ERRORS = ("KeyError", "NameError", "TypeError", "ValueError", "AttributeError")
BEGUN = 1_600_000_000
"""Seconds: when the first cell failed; one a minute has since."""
QUESTIONS = {
    "the latest": RepairFilter(),
    "accepted ones": RepairFilter(accepted=True),
    "one class of exception": RepairFilter(ename="KeyError"),
    "one notebook, by its name": RepairFilter(notebook="sales_7.ipynb"),
    "a notebook that there is not": RepairFilter(notebook="absent.ipynb"),
    "one notebook, by the end of its path": RepairFilter(notebook="project_7/sales_7.ipynb"),
    "a word that all have": RepairFilter(text="total"),
    "a word that all have, in one notebook": RepairFilter(text="total", notebook="sales_7.ipynb"),
    "a word that one in 2,000 has": RepairFilter(text="column_77"),
    "a word that none has": RepairFilter(text="nowhere"),
    "two words": RepairFilter(text="total column_77"),
    "two words that are seldom together": RepairFilter(text="column_77 1077"),
    "a word that one in 2,000 has, in one notebook": RepairFilter(text="column_1077", notebook="sales_7.ipynb"),
    "a word that none has, in one notebook": RepairFilter(text="nowhere", notebook="sales_7.ipynb"),
    "a day": RepairFilter(since=moment(BEGUN + 86_400), until=moment(BEGUN + 2 * 86_400)),
}


def repairs(count: int) -> Iterator[Repair]:
    """So many, in 200 notebooks."""
    for number in range(count):
        repair = full_repair(
            f"{number:08x}",
            moment(BEGUN + 60.0 * number),
            source=f"total(df.column_{number % WORDS})  # {number}",
            decided=("accepted", "rejected", None)[number % 3],
        )
        assert repair.failure is not None
        error = dataclasses.replace(repair.failure.error, ename=ERRORS[number % len(ERRORS)])
        place = number * 7919 % NOTEBOOKS
        yield dataclasses.replace(
            repair,
            cause=dataclasses.replace(repair.failure, exceptions=(error,)),
            notebook=f"/home/ada/project_{place}/sales_{place}.ipynb",
            session=f"s{number // 20}",
            lesson=Lesson(f"{number % MISTAKES:016x}", "__name1.prise", "__name1.price", shape="0a1b2c3d"),
        )


def fill(path: Path, count: int) -> None:
    """Save the first 2,000 as a session does, and have SQLite make the others of them, with their own times and ids."""
    begun = min(count, WORDS)
    file = HistoryFile(path, 5.0)
    with file.writing() as connection:
        connection.set_progress_handler(None, 0)  # this takes its time
        way = dialect(connection)
        for repair in repairs(begun):
            tables.save(connection, repair, way)
    columns = ", ".join(name for name in schema.COLUMNS if name not in ("id", "at"))
    for part in range(1, count // begun):
        with file.writing() as connection:
            connection.set_progress_handler(None, 0)
            connection.execute(
                f"INSERT INTO repairs (id, at, {columns}) SELECT printf('%08x', seq - 1 + :from), "
                "strftime('%Y-%m-%dT%H:%M:%f', at, :from || ' minutes') || '+00:00', "
                f"{columns} FROM repairs WHERE seq <= {begun} ORDER BY seq",
                {"from": part * begun},
            )
            connection.execute(
                f"INSERT INTO bodies SELECT seq + :from, body FROM bodies WHERE seq <= {begun} ORDER BY seq",
                {"from": part * begun},
            )
    with file.writing() as connection:
        connection.set_progress_handler(None, 0)
        connection.execute(
            "INSERT OR IGNORE INTO precedents SELECT printf('%08x', repairs.seq - 1), mistake, worked, repairs.at, "
            "repairs.notebook, repairs.session, lesson FROM repairs JOIN precedents ON repair = "
            f"printf('%08x', (repairs.seq - 1) % {begun})"
        )
        connection.execute("INSERT INTO repair_words (repair_words) VALUES ('rebuild')")
        _count_again(connection)


def fill_server(server: Server, count: int) -> None:
    """The same on a server."""
    begun = min(count, WORDS)
    store = PostgreSqlStore(server.url)
    for repair in repairs(begun):
        store.save(repair)
    store.close()
    columns = ", ".join(name for name in schema.COLUMNS if name not in ("id", "at"))
    name = "lpad(to_hex(seq - 1 + part * {begun}), 8, '0')"
    at = "at::timestamptz AT TIME ZONE 'UTC' + part * {begun} * interval '1 minute'"
    [[index]] = server.execute("SELECT indexdef FROM pg_indexes WHERE indexname = 'ix_repairs_found'")
    server.execute("DROP INDEX ix_repairs_found")  # it is made of all rows at once, which is quicker
    server.execute(
        f"INSERT INTO repairs (id, at, {columns}) SELECT {name.format(begun=begun)}, "
        f"to_char({at.format(begun=begun)}, 'YYYY-MM-DD\"T\"HH24:MI:SS.MS') || '+00:00', {columns} "
        f"FROM repairs, generate_series(1, {count // begun - 1}) AS part WHERE seq <= {begun} ORDER BY part, seq"
    )
    server.execute(
        f"INSERT INTO bodies SELECT repairs.seq, body FROM repairs JOIN bodies "
        f"ON bodies.seq = (repairs.seq - 1) % {begun} + 1 WHERE repairs.seq > {begun} ORDER BY repairs.seq"
    )
    server.execute(str(index))
    server.execute(
        "INSERT INTO precedents SELECT repairs.id, mistake, worked, repairs.at, repairs.notebook, repairs.session, "
        f"lesson FROM repairs JOIN precedents ON repair = lpad(to_hex((repairs.seq - 1) % {begun}), 8, '0') "
        "ON CONFLICT DO NOTHING"
    )
    with psycopg.connect(server.url.replace("+psycopg", "")) as connection:
        _count_again(connection)
    server.execute("VACUUM ANALYZE")  # as the server does by itself, some time later
    server.execute("CHECKPOINT")


def _count_again(connection: Executes) -> None:
    connection.execute("DELETE FROM tallies")
    sums = "outcome, count(*), sum(seconds), sum(tokens) FROM repairs"
    connection.execute(f"INSERT INTO tallies SELECT 'all', '', substr(at, 1, 10), {sums} GROUP BY 3, 4")
    for name in ("ename", "provider", "rule", "model"):
        connection.execute(
            f"INSERT INTO tallies SELECT '{name}', {name}, substr(at, 1, 7), {sums} WHERE {name} <> '' GROUP BY 2, 3, 4"
        )


def main(count: int | None = None) -> None:
    """Print the figures."""
    given = int(sys.argv[1]) if count is None and sys.argv[1:] and sys.argv[1].isdigit() else ROWS
    count = given if count is None else count
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_FOLDER")) as folder:
        path = Path(folder) / "history.sqlite"
        took = seconds(lambda: fill(path, count))
        heading(f"A history of {count:,} repairs, {path.stat().st_size / 1e6:,.0f} MB (load {os.getloadavg()[0]:.1f})")
        print(f"  filled in {took:.0f} s")
        store = SqliteStore(StoreContext(lambda: Settings(history_file=str(path), history_size=None)))
        store.stay_open()  # as a session's
        with plain_file(path.parent) as write:
            measure(store, count, write)
        store.close()
    if programs() is None or psycopg is None:
        print("\n(no PostgreSQL or no psycopg: the same on a server was left out)")
        return
    server = Server(syncs=True)
    try:
        took = seconds(lambda: fill_server(server, count))
        [[size]] = server.execute("SELECT pg_database_size(current_database())")
        heading(f"The same on a PostgreSQL server, {size / 1e6:,.0f} MB (load {os.getloadavg()[0]:.1f})")  # type: ignore[operator]  # a number
        print(f"  filled in {took:.0f} s")
        shared = PostgreSqlStore(server.url)
        measure(shared, count)
        shared.close()
    finally:
        server.close()


def measure(store: IndexedStore, count: int, plain: Callable[[dict[str, Any]], None] | None = None) -> None:
    """Print what each question takes, and a write beside the plain one of a database without indexes."""
    beside, saved, again = [], [], []
    for repair in [dataclasses.replace(repair, id=f"x{repair.id}") for repair in repairs(ROUNDS)]:
        if plain is not None:
            beside.append(
                seconds(lambda repair=repair: plain({**schema.as_row(repair), "body": schema.as_body(repair)}))
            )
        saved.append(seconds(lambda repair=repair: store.save(repair)))
        again.append(seconds(lambda repair=repair: store.save(dataclasses.replace(repair, trouble="later"))))
    row("a write: a new repair", saved, "≤ 5 ms")
    row("a write: the same one again", again, "≤ 5 ms")
    if beside:
        row("the same row into a file with nothing else, synced", beside)
        ratio("a new repair, beside that", saved, beside)
    for name, which in QUESTIONS.items():
        row(f"{name}, {SHOWN} lines", timed(lambda which=which: store.summaries(which, SHOWN)), "≤ 50 ms")
    row("the latest 20, whole", timed(lambda: store.recent(20)), "≤ 50 ms")
    for name in ("a word that all have", "one notebook, by its name", "a word that all have, in one notebook"):
        row(f"{name}, 20 whole", timed(lambda which=QUESTIONS[name]: store.find(which, 20)), "≤ 50 ms")
    row("one of them, by 6 characters", timed(lambda: store.get(f"{count // 2:08x}"[:8])), "≤ 50 ms")
    row("what helped before", timed(lambda: store.precedents(f"{7:016x}", 200)), "≤ 50 ms")
    row("statistics", timed(store.tallies), "≤ 50 ms")


def timed(work: Callable[[], object]) -> list[float]:
    """Seconds of each round, after a first one."""
    work()
    return [seconds(work) for _ in range(ROUNDS)]


@contextlib.contextmanager
def plain_file(folder: Path) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Writes a row into an SQLite file with one table, each in a transaction of its own, opened for it alone."""
    import sqlite3

    path = folder / "plain.sqlite"

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    with contextlib.closing(connect()) as first:
        first.execute("PRAGMA journal_mode = WAL").fetchone()
        columns = (*schema.COLUMNS, "body")
        first.execute(f"CREATE TABLE repairs ({', '.join(columns)})")

    def write(row: dict[str, Any]) -> None:
        with contextlib.closing(connect()) as connection:
            connection.execute(f"INSERT INTO repairs VALUES ({', '.join(f':{name}' for name in columns)})", row)

    yield write


if __name__ == "__main__":
    main()
