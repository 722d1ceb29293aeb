"""What a store does inside one transaction, in SQLite and PostgreSQL alike."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from reflex_ipython.models import Precedent, Repair, RepairFilter, RepairSummary, Tally
from reflex_ipython.remember import schema
from reflex_ipython.remember.in_memory import tallies_of, words
from reflex_ipython.remember.lookup import choose
from reflex_ipython.remember.search import Executes, TextSearch, found

_BATCH = 500


@dataclasses.dataclass(frozen=True)
class DatabaseDialect:
    """What a database has of its own: how it searches texts, and waits.

    Parameters
    ----------
    search : TextSearch
    changed : callable
        Told of a row whose words have changed: the connection, its `seq`, the words before (None: none), and after.
    lock : str
        Has who saves the row `:id` at the same time wait, where transactions do not by themselves.
    """

    search: TextSearch
    changed: Callable[[Executes, int, str | None, str | None], None] = lambda connection, seq, before, after: None
    lock: str = ""


def save(connection: Executes, repair: Repair, dialect: DatabaseDialect) -> None:
    """Add the repair, or replace the one with its id, unless that is newer."""
    row = schema.as_row(repair)
    if dialect.lock:
        connection.execute(dialect.lock, {"id": row["id"]})
    known = next(iter(connection.execute(schema.KNOWN, {"id": row["id"]})), None)
    counted = list[tuple[Tally, int]]()
    if known is not None:
        if known[1] > row["revised"]:
            return
        counted += [(each, -1) for each in tallies_of(schema.as_summary(tuple(known[3:])))]
    connection.execute(schema.SAVE, row)
    [[seq]] = connection.execute("SELECT seq FROM repairs WHERE id = :id", {"id": row["id"]})
    connection.execute(schema.SAVE_BODY, {"seq": seq, "body": schema.as_body(repair)})
    precedent = schema.as_precedent_row(repair)
    if precedent is not None:
        connection.execute(schema.SAVE_PRECEDENT, precedent)
    elif known is not None:
        connection.execute("DELETE FROM precedents WHERE repair = :id", {"id": row["id"]})
    if known is None or known[2] != row["words"]:
        dialect.changed(connection, seq, known[2] if known is not None else None, row["words"])
    line = schema.as_summary(tuple(row[name] for name in schema.SUMMARY))
    _count(connection, [*counted, *((each, 1) for each in tallies_of(line))])


def get(connection: Executes, prefix: str) -> tuple[str, Any]:
    """The id that starts with `prefix`, and its row's body.

    Raises
    ------
    BadInput
        If there is none, or more than one.
    """
    rows = dict(tuple(row) for row in connection.execute(schema.STARTING_WITH, schema.starting_with(prefix)))
    name = choose(prefix, list(rows))
    [[_, body]] = connection.execute(schema.BODY, {"row": rows[name]})
    return name, body


def find(connection: Executes, which: RepairFilter, count: int, dialect: DatabaseDialect) -> Iterator[tuple[str, Any]]:
    """Ids and bodies of the latest that are meant, newest first."""
    for statement, parameters in _latest(connection, which, count, dialect, schema.bodies):
        yield from connection.execute(statement, parameters)


def find_one_by_one(
    connection: Executes, which: RepairFilter, count: int, dialect: DatabaseDialect
) -> Iterator[tuple[str, Any]]:
    """The same of all that are meant, where a question costs next to nothing: only what is taken is read."""
    if words(which.text):
        numbers = found(connection, which, count, dialect.search)
    else:
        numbers = (seq for [seq] in connection.execute(*_selected(schema.rows, which)))
    for seq in numbers:
        yield from connection.execute(schema.BODY, {"row": seq})


def summaries(connection: Executes, which: RepairFilter, count: int, dialect: DatabaseDialect) -> list[RepairSummary]:
    """The latest that are meant, in a line each."""
    statements = _latest(connection, which, count, dialect, schema.lines)
    return [schema.as_summary(tuple(row)) for asked in statements for row in connection.execute(*asked)]


def precedents(connection: Executes, mistake: str, count: int) -> list[Precedent]:
    """The latest that are known of a mistake; of all without one."""
    statement = schema.PRECEDENTS if mistake else schema.ALL_PRECEDENTS
    parameters = {"count": max(count, 0), **({"mistake": mistake} if mistake else {})}
    found = [schema.as_precedent(tuple(row)) for row in connection.execute(statement, parameters)]
    return [each for each in found if each is not None]


def tallies(connection: Executes) -> list[Tally]:
    """How many came to what."""
    return [Tally(*row) for row in connection.execute(schema.TALLIES)]


def remove(connection: Executes, which: RepairFilter, dialect: DatabaseDialect, most: int | None = None) -> int:
    """Forget those that are meant, the oldest first, at most so many; gives how many that were."""
    statement, parameters = _selected(schema.oldest, which, dialect.search)
    removed = 0
    while most is None or removed < most:
        count = _BATCH if most is None else min(_BATCH, most - removed)
        rows = [tuple(row) for row in connection.execute(statement, {**parameters, "count": count})]
        for seq, said, *line in rows:
            dialect.changed(connection, seq, said, None)
            connection.execute("DELETE FROM precedents WHERE repair = :id", {"id": line[0]})
            for table in ("bodies", "repairs"):
                connection.execute(f"DELETE FROM {table} WHERE seq = :seq", {"seq": seq})
            _count(connection, [(each, -1) for each in tallies_of(schema.as_summary(tuple(line)))])
        removed += len(rows)
        if len(rows) < count:
            break
    return removed


def _latest(
    connection: Executes, which: RepairFilter, count: int, dialect: DatabaseDialect, columns: Callable[[str], str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The statements that give those columns of the latest that are meant, with their parameters."""
    if count <= 0:
        return
    if not words(which.text):
        statement, parameters = _selected(schema.rows, which)
        yield columns(f"{statement} LIMIT :count"), {**parameters, "count": count}
        return
    numbers = islice(found(connection, which, count, dialect.search), count)
    while part := list(islice(numbers, _BATCH)):
        yield columns(", ".join(str(int(seq)) for seq in part)), {}


def _selected(
    made: Callable[[str], str], which: RepairFilter, search: TextSearch | None = None
) -> tuple[str, dict[str, Any]]:
    """The statement made of the conditions, and their parameters; with `search`, the one on the words as well."""
    conditions, parameters = schema.conditions(which)
    wanted = words(which.text) if search is not None else []
    if search is not None and wanted:
        condition, asked = search.condition(wanted)
        conditions, parameters = schema.also(conditions, condition), {**parameters, **asked}
    return made(conditions), parameters


def _count(connection: Executes, counted: Iterable[tuple[Tally, int]]) -> None:
    """In one order, so that of two transactions none waits for the other for ever."""
    sums: dict[tuple[str, str, str, str], list[float]] = {}
    for tally, sign in counted:
        row = schema.tally_row(tally, sign)
        found = sums.setdefault((row["dimension"], row["value"], row["period"], row["outcome"]), [0, 0.0, 0])
        for place, name in enumerate(("repairs", "seconds", "tokens")):
            found[place] += row[name]
    for (dimension, value, period, outcome), (repairs, seconds, tokens) in sorted(sums.items()):
        if repairs or seconds or tokens:
            keys = {"dimension": dimension, "value": value, "period": period, "outcome": outcome}
            connection.execute(schema.COUNT, {**keys, "repairs": repairs, "seconds": seconds, "tokens": tokens})
