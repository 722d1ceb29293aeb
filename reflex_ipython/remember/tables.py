"""What a store does inside one transaction, in SQLite and PostgreSQL alike."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from reflex_ipython.models import Precedent, Repair, RepairFilter, RepairSummary, Tally
from reflex_ipython.remember import schema
from reflex_ipython.remember.in_memory import tallies_of
from reflex_ipython.remember.lookup import choose

_BATCH = 500


class Executes(Protocol):
    """A connection inside a transaction. Parameters are named, `:name`."""

    def execute(self, statement: str, parameters: dict[str, Any] = ...) -> Any:
        """Run one statement; gives its rows."""


@dataclasses.dataclass(frozen=True)
class Dialect:
    """What a database has of its own: how it searches texts, and waits.

    Parameters
    ----------
    condition : str
        On a row of `repairs`, with a parameter `:words`.
    parameter : callable
        Makes that parameter of what is searched for.
    changed : callable
        Told of a row whose words have changed: the connection, its `seq`, the words before (None: none), and after.
    lock : str
        Has who saves the row `:id` at the same time wait, where transactions do not by themselves.
    """

    condition: str
    parameter: Callable[[str], str]
    changed: Callable[[Executes, int, str | None, str | None], None] = lambda connection, seq, before, after: None
    lock: str = ""


def save(connection: Executes, repair: Repair, search: Dialect) -> None:
    """Add the repair, or replace the one with its id, unless that is newer."""
    row = schema.as_row(repair)
    if search.lock:
        connection.execute(search.lock, {"id": row["id"]})
    known = next(iter(connection.execute(schema.KNOWN, {"id": row["id"]})), None)
    counted = list[tuple[Tally, int]]()
    if known is not None:
        if known[1] > row["revised"]:
            return
        counted += [(each, -1) for each in tallies_of(schema.as_summary(tuple(known[3:])))]
    connection.execute(schema.SAVE, row)
    precedent = schema.as_precedent_row(repair)
    if precedent is not None:
        connection.execute(schema.SAVE_PRECEDENT, precedent)
    elif known is not None:
        connection.execute("DELETE FROM precedents WHERE repair = :id", {"id": row["id"]})
    if known is None or known[2] != row["words"]:
        [[seq]] = connection.execute("SELECT seq FROM repairs WHERE id = :id", {"id": row["id"]})
        search.changed(connection, seq, known[2] if known is not None else None, row["words"])
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


def find(connection: Executes, which: RepairFilter, search: Dialect) -> Iterator[tuple[str, Any]]:
    """Ids and bodies of those that are meant, newest first."""
    conditions, parameters = _conditions(which, search)
    yield from connection.execute(schema.bodies(conditions), parameters)


def find_one_by_one(connection: Executes, which: RepairFilter, search: Dialect) -> Iterator[tuple[str, Any]]:
    """The same, where a question costs next to nothing: only the bodies that are taken are read, and none is sorted."""
    conditions, parameters = _conditions(which, search)
    for [row] in connection.execute(schema.rows(conditions), parameters):
        yield from connection.execute(schema.BODY, {"row": row})


def summaries(connection: Executes, which: RepairFilter, count: int, search: Dialect) -> list[RepairSummary]:
    """The latest that are meant, in a line each."""
    conditions, parameters = _conditions(which, search)
    rows = connection.execute(schema.lines(conditions), {**parameters, "count": max(count, 0)})
    return [schema.as_summary(tuple(row)) for row in rows]


def precedents(connection: Executes, mistake: str, count: int) -> list[Precedent]:
    """The latest that are known of a mistake; of all without one."""
    statement = schema.PRECEDENTS if mistake else schema.ALL_PRECEDENTS
    parameters = {"count": max(count, 0), **({"mistake": mistake} if mistake else {})}
    found = [schema.as_precedent(tuple(row)) for row in connection.execute(statement, parameters)]
    return [each for each in found if each is not None]


def tallies(connection: Executes) -> list[Tally]:
    """How many came to what."""
    return [Tally(*row) for row in connection.execute(schema.TALLIES)]


def remove(connection: Executes, which: RepairFilter, search: Dialect, most: int | None = None) -> int:
    """Forget those that are meant, the oldest first, at most so many; gives how many that were."""
    conditions, parameters = _conditions(which, search)
    removed = 0
    while most is None or removed < most:
        count = _BATCH if most is None else min(_BATCH, most - removed)
        statement = (
            f"SELECT seq, words, {', '.join(schema.SUMMARY)} FROM repairs {conditions} ORDER BY at, seq LIMIT :n"
        )
        rows = [tuple(row) for row in connection.execute(statement, {**parameters, "n": count})]
        for seq, words, *line in rows:
            search.changed(connection, seq, words, None)
            connection.execute("DELETE FROM precedents WHERE repair = :id", {"id": line[0]})
            connection.execute("DELETE FROM repairs WHERE seq = :seq", {"seq": seq})
            _count(connection, [(each, -1) for each in tallies_of(schema.as_summary(tuple(line)))])
        removed += len(rows)
        if len(rows) < count:
            break
    return removed


def _conditions(which: RepairFilter, search: Dialect) -> tuple[str, dict[str, Any]]:
    text = search.parameter(which.text) if which.text else ""
    which = which if text else dataclasses.replace(which, text="")
    conditions, parameters = schema.conditions(which, search.condition)
    return conditions, {**parameters, **({"words": text} if text else {})}


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
