"""The tables of the history as the newest migration leaves them: what is asked of them, in SQLite and PostgreSQL alike.

The whole repair is one JSON text, which stands in a table of its own: it is long, and is read once it is known which
one is wanted. What is listed and filtered is repeated from it in the columns of another. What was learnt stands in a
narrow table of its own, which a failed cell can wait for; what was counted as well, so that statistics do not count
again. Values are always bound to a statement's parameters, never written into it.
"""

from __future__ import annotations

import dataclasses
import functools
import json
from typing import Any

from reflex_ipython.models import Lesson, Precedent, Repair, RepairFilter, RepairSummary, Tally, from_json, to_json
from reflex_ipython.remember.in_memory import searchable, summary

SUMMARY = tuple(field.name for field in dataclasses.fields(RepairSummary))
COLUMNS = (*SUMMARY, "detail", "decision", "revised", "words")
_LISTED = ", ".join(SUMMARY)


def _upsert(table: str, key: str, columns: tuple[str, ...]) -> str:
    values = ", ".join(f":{name}" for name in columns)
    changes = ", ".join(f"{name} = excluded.{name}" for name in columns if name not in key)
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({values}) ON CONFLICT ({key}) DO UPDATE SET {changes}"


SAVE = _upsert("repairs", "id", COLUMNS)
"""Add a row, or replace the one with its id, which keeps its place among those of the same time."""

SAVE_BODY = _upsert("bodies", "seq", ("seq", "body"))
"""The same for the whole repair."""

SAVE_PRECEDENT = _upsert("precedents", "repair", ("repair", "mistake", "worked", "at", "notebook", "session", "lesson"))
"""The same for what was learnt of it."""

COUNT = """
    INSERT INTO tallies (dimension, value, period, outcome, repairs, seconds, tokens)
    VALUES (:dimension, :value, :period, :outcome, :repairs, :seconds, :tokens)
    ON CONFLICT (dimension, value, period, outcome) DO UPDATE SET
        repairs = tallies.repairs + excluded.repairs,
        seconds = tallies.seconds + excluded.seconds,
        tokens = tallies.tokens + excluded.tokens
"""
"""Add to what was counted, or take from it."""

KNOWN = f"SELECT seq, revised, words, {_LISTED} FROM repairs WHERE id = :id"
"""What the tables say of a repair that is saved again."""

STARTING_WITH = "SELECT id, seq FROM repairs WHERE id >= :prefix AND id < :next AND substr(id, 1, :length) = :prefix"
"""Which rows' ids start so: from it on, and before the first text that comes after all that do."""

_WHOLE = "SELECT id, body FROM repairs LEFT JOIN bodies ON bodies.seq = repairs.seq"
BODY = f"{_WHOLE} WHERE repairs.seq = :row"
"""The repair of one row."""

PRECEDENTS = """
    SELECT lesson, worked, at, notebook, session FROM precedents WHERE mistake = :mistake ORDER BY at DESC LIMIT :count
"""
ALL_PRECEDENTS = "SELECT lesson, worked, at, notebook, session FROM precedents ORDER BY at DESC LIMIT :count"
TALLIES = "SELECT dimension, value, period, outcome, repairs, seconds, tokens FROM tallies WHERE repairs > 0"

_LAST = 0x10FFFF
_NEWEST_FIRST = "ORDER BY at DESC, seq DESC"
_NOTEBOOK = """notebook IN (
    WITH RECURSIVE notebooks (name) AS (
        SELECT min(notebook) FROM repairs
        UNION ALL
        SELECT (SELECT min(notebook) FROM repairs WHERE notebook > name) FROM notebooks WHERE name IS NOT NULL
    )
    SELECT name FROM notebooks WHERE name LIKE :notebook ESCAPE '!'
)"""
"""There are few notebooks for many repairs: from one to the next in their index, each is looked at once."""


def rows(conditions: str, columns: str = "seq") -> str:
    """The numbers of rows, newest first."""
    return f"SELECT {columns} FROM repairs {conditions} {_NEWEST_FIRST}"


def bodies(numbers: str) -> str:
    """Whole repairs, newest first, of rows that are numbered or selected."""
    return f"{_WHOLE} WHERE repairs.seq IN ({numbers}) ORDER BY at DESC, repairs.seq DESC"


def lines(numbers: str) -> str:
    """The same in a line each. Numbers are sorted, not lines: an index has the former together."""
    return f"SELECT {_LISTED} FROM repairs WHERE seq IN ({numbers}) {_NEWEST_FIRST}"


def oldest(conditions: str) -> str:
    """What has to be known of those that are forgotten, the oldest first."""
    return f"SELECT seq, words, {_LISTED} FROM repairs {conditions} ORDER BY at, seq LIMIT :count"


def also(conditions: str, another: str) -> str:
    """The same with another one."""
    return f"{conditions} AND {another}" if conditions else f"WHERE {another}"


def starting_with(prefix: str) -> dict[str, Any]:
    """The parameters of `STARTING_WITH`."""
    prefix = storable(prefix)
    last = ord(prefix[-1:] or "\0")
    following = chr(0xE000 if last + 1 == 0xD800 else min(last + 1, _LAST))  # surrogates are no text
    return {"prefix": prefix, "next": prefix[:-1] + following, "length": len(prefix)}


def conditions(which: RepairFilter) -> tuple[str, dict[str, Any]]:
    """What follows FROM, and its parameters; of words `search` knows."""
    exact = ("ename", "outcome", "provider", "rule", "model", "session", "id", "revised")
    parameters: dict[str, Any] = {name: storable(getattr(which, name)) for name in exact if getattr(which, name)}
    found = [f"{name} = :{name}" for name in parameters]
    if which.since:
        found.append("at >= :since")
        parameters["since"] = which.since
    if which.until:
        found.append("at < :until")
        parameters["until"] = which.until
    if which.notebook:
        found.append(_NOTEBOOK)
        parameters["notebook"] = "%" + "".join(
            f"!{each}" if each in "!%_" else each for each in storable(which.notebook)
        )
    if which.accepted is not None:
        found.append("decision = 'accepted'" if which.accepted else "COALESCE(decision, '') <> 'accepted'")
    return (f"WHERE {' AND '.join(found)}" if found else ""), parameters


def as_row(repair: Repair) -> dict[str, Any]:
    """The columns of a repair, by name: the parameters of `SAVE`."""
    line, fix = summary(repair), repair.decided_fix
    row = {
        **{name: getattr(line, name) for name in SUMMARY},
        "succeeded": None if line.succeeded is None else int(line.succeeded),
        "detail": fix.detail if fix else None,
        "decision": repair.decision.kind if repair.decision else None,
        "revised": repair.revised,
        "words": searchable(repair),
    }
    return {name: storable(value) if isinstance(value, str) else value for name, value in row.items()}


def as_body(repair: Repair) -> str:
    """The whole repair."""
    # Plain ASCII: escapes keep what UTF-8 has no bytes for (lone surrogates) and what ends a C string (NUL).
    return json.dumps(to_json(repair), separators=(",", ":"))


def as_precedent_row(repair: Repair) -> dict[str, Any] | None:
    """The parameters of `SAVE_PRECEDENT`; None if it says nothing of any lesson."""
    found = repair.precedent
    if found is None:
        return None
    row = {
        "repair": repair.id,
        "mistake": found.lesson.mistake,
        "worked": int(found.worked),
        "at": found.at,
        "notebook": found.notebook,
        "session": found.session,
        "lesson": json.dumps(to_json(found.lesson), separators=(",", ":")),
    }
    return {name: storable(value) if isinstance(value, str) else value for name, value in row.items()}


def as_precedent(row: tuple[Any, ...]) -> Precedent | None:
    """What a row of `PRECEDENTS` says; None if it is damaged. A failed cell waits: this is not for pydantic."""
    text, worked, at, notebook, session = row
    lesson = _as_lesson(text) if isinstance(text, str) else None
    if lesson is None or not all(isinstance(each, str) for each in (at, notebook, session)):
        return None
    return Precedent(lesson, bool(worked), at, notebook, session)


@functools.lru_cache(maxsize=256)  # the same few lessons stand in most rows
def _as_lesson(text: str) -> Lesson | None:
    """The lesson of a row; None if it is damaged."""
    try:
        found = json.loads(text)
        fields = {each.name: found[each.name] for each in dataclasses.fields(Lesson)}
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    is_whole = all(isinstance(fields[name], str) for name in ("mistake", "before", "after", "shape"))
    return Lesson(**fields) if is_whole else None


def as_summary(row: tuple[Any, ...]) -> RepairSummary:
    """What a row of `lines` says."""
    found = dict(zip(SUMMARY, row))
    succeeded = found["succeeded"]
    return RepairSummary(**{**found, "succeeded": None if succeeded is None else bool(succeeded)})


def tally_row(tally: Tally, sign: int = 1) -> dict[str, Any]:
    """The parameters of `COUNT`; `sign`: -1 takes it away again."""
    row = {**dataclasses.asdict(tally), "repairs": sign * tally.repairs, "seconds": sign * tally.seconds}
    row["tokens"] = sign * tally.tokens
    return {name: storable(value) if isinstance(value, str) else value for name, value in row.items()}


def storable(text: str) -> str:
    """The text without what a text column can't hold."""
    return text.replace("\0", "�").encode("utf-8", "replace").decode("utf-8")


def from_body(body: Any) -> Repair:
    """The repair that a row's `body` holds.

    Raises
    ------
    ValueError
        If it is no repair.
    """
    try:
        return from_json(Repair, json.loads(body))
    except (TypeError, RecursionError) as problem:  # another type of value than text; brackets without an end
        raise ValueError(str(problem)) from problem
