"""The table of repairs, and how a repair becomes a row of it and a row becomes a repair.

The whole repair is one JSON text; the other columns are what is listed and filtered, repeated from it.
"""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING, Any

from reflex_ipython.models import Repair, from_json, to_json

if TYPE_CHECKING:
    from sqlalchemy import Table


@functools.lru_cache(maxsize=None)
def repairs_table() -> Table:
    """The table as the newest migration leaves it."""
    from sqlalchemy import Column, Integer, MetaData, Table, Text  # 0.1 s to import: only who opens a history pays

    return Table(
        "repairs",
        MetaData(),
        Column("id", Text, primary_key=True),
        Column("session", Text, nullable=False),
        Column("at", Text, nullable=False, index=True),  # ISO 8601 in UTC: sorts as text
        Column("cell_id", Text),
        Column("execution_count", Integer),
        Column("ename", Text, nullable=False),
        Column("title", Text, nullable=False),
        Column("provider", Text),  # of the accepted fix, else of the first
        Column("detail", Text),
        Column("decision", Text),
        Column("succeeded", Integer),  # of the re-run: 1, 0, or NULL where there was none
        Column("body", Text, nullable=False),
    )


def as_row(repair: Repair) -> dict[str, Any]:
    """The columns of a repair, by name."""
    failure, decision, rerun = repair.failure, repair.decision, repair.rerun
    fix = repair.fix(decision.fix_id if decision else None) or next(iter(repair.fixes), None)
    row = {
        "id": repair.id,
        "session": repair.session,
        "at": failure.at,
        "cell_id": failure.cell.id,
        "execution_count": failure.cell.execution_count,
        "ename": failure.error.ename,
        "title": failure.title,
        "provider": fix.provider if fix else None,
        "detail": fix.detail if fix else None,
        "decision": decision.kind if decision else None,
        "succeeded": int(rerun.succeeded) if rerun else None,
        # Plain ASCII: escapes keep what UTF-8 has no bytes for (lone surrogates) and what ends a C string (NUL).
        "body": json.dumps(to_json(repair), separators=(",", ":")),
    }
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
