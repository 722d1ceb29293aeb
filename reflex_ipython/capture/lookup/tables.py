"""Columns and rows that a pandas table does not have, and columns that a file does not have."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.capture import chain, libraries, safe_inspection, statement
from reflex_ipython.capture.bounds import SummaryDeadline
from reflex_ipython.capture.labels import levels, others
from reflex_ipython.capture.lookup.holders import holders
from reflex_ipython.capture.safe_repr import ReprBudget, safe_repr
from reflex_ipython.capture.tables import column_labels, index_labels
from reflex_ipython.capture.trace import Step, below_user, user_step
from reflex_ipython.models import Lookup

# How pandas, seaborn and plotly say it, where the message is more than the label.
_MESSAGES = tuple(
    re.compile(pattern, re.S)
    for pattern in (
        r"^(\[.*\]) not (?:in index|found in axis)",
        r"^None of (?:\[\w*Index\()?(\[.*?\])",
        r"^Columns? not found: (.*)$",
        r"^(?:Label|Column)\(s\) (\[.*\]) do not exist",
        r"not present in the DataFrame: (\[.*\])$",
        r"labels are not columns of the DataFrame: (\[.*\])$",
        r"('.*') not found in columns",
        r"columns expected but not found: (\[.*\])$",
        r"^Missing columns? provided to 'parse_dates': (.*)$",
        r"^The grouper name (.*) is not found$",
        r"^Could not interpret value `(.*?)` for ",
        r"is not the name of a column in .*but received: (.*?)(?:\n|$)",
    )
)
_UNDEFINED = re.compile(r"^name '([^\W\d]\w*)' is not defined$")  # in `df.query`
_STRINGS = re.compile(r"'([^']*)'|\"([^\"]*)\"")
_TABLES = ("self", "obj", "frame", "data", "df", "data_frame", "left")  # what libraries call the table they work on


@dataclass(frozen=True)
class _Owner:
    """The table that was asked, and its labels of the kind that was asked for."""

    kind: Literal["column", "key"]
    value: Any
    labels: tuple[str, ...]
    others: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()


def find(exc: BaseException, steps: list[Step]) -> Lookup | None:
    """The column or row label, the table as the user wrote it, and the labels that are strings."""
    if safe_inspection.loaded("pandas", "DataFrame") is safe_inspection.MISSING or not _may_be(exc):
        return None
    below = below_user(steps)
    owners = list(_owners(below)) or _file(below) or list(_searched(below, user_step(steps)))
    wanted = _wanted(exc, owners[0].labels) if owners else None
    if wanted is None:
        return None
    owner = _whole(owners, wanted)
    if owner.value is None:
        return Lookup(owner.kind, wanted, "", "pandas.DataFrame", owner.labels)
    written = _written(owner.value, user_step(steps))
    kind = safe_inspection.type_name(owner.value)
    step = user_step(steps)
    # Another table that has the column may be the one that was meant.
    held = holders(wanted, step.frame.f_globals) if step and owner.kind == "column" else {}
    held = {name: what for name, what in held.items() if what == "column"}
    return Lookup(owner.kind, wanted, written, kind, owner.labels, held, others=owner.others, levels=owner.levels)


def _may_be(exc: BaseException) -> bool:
    text = chain.message(exc)
    if safe_inspection.is_a(exc, KeyError):
        return True
    if safe_inspection.is_a(exc, NameError):
        return safe_inspection.type_name(exc).startswith("pandas.") and _UNDEFINED.search(text) is not None
    return safe_inspection.is_a(exc, ValueError) and any(pattern.search(text) for pattern in _MESSAGES)


# ------------------------------------------------------------------------------------------------ who was asked


def _whole(owners: list[_Owner], wanted: str) -> _Owner:
    """The table nearest to the error, or the one that it was cut from."""
    nearest = owners[0]
    for owner in owners[1:]:
        if owner.kind == nearest.kind == "column" and set(owner.labels) - {wanted} >= set(nearest.labels):
            nearest = owner
    return nearest


def _owners(below: list[Step]) -> Iterator[_Owner]:
    """The tables, innermost first; the index that was searched tells whether rows or columns were asked for."""
    asked: Any = None
    for step in reversed(below):
        for name in _TABLES:
            value = step.local(name)
            if value is safe_inspection.MISSING:
                continue
            if asked is None and name == "self":
                asked = libraries.index(value)
            found = libraries.grouped(value)
            if (table := libraries.frame(found)) is not None:
                if asked is not None and not _are_columns(asked, table):
                    yield _Owner("key", found, index_labels(asked), others(asked), levels(table.index))
                else:
                    yield _Owner("column", found, column_labels(table), others(table.columns), levels(table.index))
                break
            if (column := libraries.series(found)) is not None:
                index = column.index
                yield _Owner("key", found, index_labels(index), others(index), levels(index))
                break


def _searched(below: list[Step], step: Step | None) -> Iterator[_Owner]:
    """The table in the user's statement whose index was searched: `df.loc[["a", "b"]]` keeps it where none can look."""
    indices = [found for one in reversed(below) if (found := libraries.index(one.local("self"))) is not None]
    nodes = statement.failing(step) if step else []
    parts = [part for node in nodes for part in ast.walk(node) if isinstance(part, (ast.Name, ast.Attribute))]
    for part in parts if indices else ():
        assert step is not None
        value = statement.evaluate(part, step)
        table = libraries.frame(value) if value is not safe_inspection.MISSING else None
        if table is not None and table.columns.is_(indices[0]):
            yield _Owner("column", value, column_labels(table), others(table.columns), levels(table.index))
        elif table is not None and table.index.is_(indices[0]):
            yield _Owner("key", value, index_labels(indices[0]), others(indices[0]), levels(table.index))


def _are_columns(asked: Any, table: Any) -> bool:
    """Whether these are a table's columns; of several levels, the first one is asked by itself."""
    several = table.columns.nlevels > 1 and not (table.index.is_(asked) or table.index.nlevels > 1)
    return several or bool(table.columns.is_(asked))


def _file(below: list[Step]) -> list[_Owner]:
    """The columns of a file that pandas is reading."""
    for step in reversed(below):
        if step.filename.replace("\\", "/").rpartition("pandas/io/parsers/")[1]:
            for name in ("names", "columns"):
                value = step.local(name)
                if is_exactly(value, (list, tuple)) or libraries.index(value) is not None:
                    return [_Owner("column", None, libraries.labels(list(value)))]
    return []


def _written(owner: Any, step: Step | None) -> str:
    """The expression for the table in the user's statement: the one that is worth it, else the one that was asked."""
    nodes = statement.failing(step) if step else []
    whole = [part for node in nodes for part in ast.walk(node) if isinstance(part, ast.expr)]
    if step and owner is not None:
        for part in whole:
            if statement.evaluate(part, step) is owner:
                return statement.write(part)
    for node in whole[:1]:
        asked = node.func if isinstance(node, ast.Call) else node
        if isinstance(asked, (ast.Subscript, ast.Attribute)):
            return re.sub(r"\.i?loc$", "", statement.write(asked.value))
    return ""


# ------------------------------------------------------------------------------------------------ what was asked for


def _wanted(exc: BaseException, labels: tuple[str, ...]) -> str | None:
    """The first label that was asked for and is not there."""
    given = chain.arguments(exc)
    key: Any = given[0] if given else None
    if safe_inspection.is_a(exc, NameError):
        found = _UNDEFINED.search(chain.message(exc))
        return found[1] if found else None
    several = libraries.array(key) if libraries.index(key) is None else key
    if several is not None:
        key = several.tolist()
    candidates = _in_message(key) if type(key) is str else key if type(key) is list else [key]
    missing = (one for one in candidates if not (type(one) is str and one in labels))
    first = next(missing, None)
    return first if first is None or type(first) is str else safe_repr(first, ReprBudget(SummaryDeadline(0.05, 0.05)))


def _in_message(text: str) -> list[Any]:
    found = next((match for pattern in _MESSAGES if (match := pattern.search(text))), None)
    if found is None:
        return [text]
    strings = [single or double for single, double in _STRINGS.findall(found[1])]
    return strings or [found[1].strip("[]")]
