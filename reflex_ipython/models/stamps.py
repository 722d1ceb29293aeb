"""Ids and timestamps: short random ids, and times as text."""

from __future__ import annotations

import secrets
import time
from datetime import datetime, timezone


def new_id() -> str:
    """A short random id that a person can type: 8 hexadecimal digits."""
    return secrets.token_hex(4)


def now() -> str:
    """The time now, as `moment` has it."""
    return moment(time.time())


def moment(seconds: float) -> str:
    """A time, ISO 8601 in UTC with milliseconds. `seconds`: since 1970."""
    return datetime.fromtimestamp(seconds, timezone.utc).isoformat(timespec="milliseconds")
