"""The table of repairs as the newest migration leaves it: what is asked of it, and the row that becomes a repair.

The whole repair is one JSON text; the other columns are what is listed and filtered, repeated from it.
Values are always bound to a statement's parameters, never written into it.
"""

from __future__ import annotations

import json
from typing import Any

from reflex_ipython.models import Repair, from_json, to_json

SAVE = """
    INSERT INTO repairs (
        id, session, at, cell_id, execution_count, ename, title, provider, detail, decision, succeeded, body
    ) VALUES (
        :id, :session, :at, :cell_id, :execution_count, :ename, :title, :provider, :detail, :decision, :succeeded, :body
    )
    ON CONFLICT (id) DO UPDATE SET
        session = excluded.session,
        at = excluded.at,
        cell_id = excluded.cell_id,
        execution_count = excluded.execution_count,
        ename = excluded.ename,
        title = excluded.title,
        provider = excluded.provider,
        detail = excluded.detail,
        decision = excluded.decision,
        succeeded = excluded.succeeded,
        body = excluded.body
"""
"""Add a row, or replace the one with its id, which keeps its place among those of the same time."""

STARTING_WITH = "SELECT id, rowid FROM repairs WHERE substr(id, 1, length(:prefix)) = :prefix"
"""Which rows' ids start so."""

BODY = "SELECT body FROM repairs WHERE rowid = :row"
"""The repair of one row."""

LATEST = """
    SELECT id, body FROM repairs
    WHERE :accepted IS NULL OR (decision IS 'accepted') = :accepted
    ORDER BY at DESC, rowid DESC
"""
"""Every repair, newest first; only those that were accepted, or were not, unless `accepted` is NULL."""


def as_row(repair: Repair) -> dict[str, Any]:
    """The columns of a repair, by name: the parameters of `SAVE`."""
    cause, decision, rerun = repair.cause, repair.decision, repair.rerun
    fix = repair.fix(decision.fix_id if decision else None) or next(iter(repair.fixes), None)
    row = {
        "id": repair.id,
        "session": repair.session,
        "at": cause.at,  # ISO 8601 in UTC: sorts as text
        "cell_id": cause.situation.cell.id,
        "execution_count": cause.situation.cell.execution_count,
        "ename": repair.failure.error.ename if repair.failure else None,
        "title": cause.title,
        "provider": fix.provider if fix else None,  # of the accepted fix, else of the first
        "detail": fix.detail if fix else None,
        "decision": decision.kind if decision else None,
        "succeeded": int(rerun.succeeded) if rerun else None,  # NULL: it was not run again
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
