"""The segments of shared memory of System V's calls: those of the tests' own user, and of no database of theirs."""

from __future__ import annotations

import os
from pathlib import Path

_CREATOR, _USER = 4, 7
"""Columns."""


def segments() -> list[str]:
    """What everybody can ask about them, a line each: a database that other tests run beside has some as well."""
    rows = [line.split() for line in Path("/proc/sysvipc/shm").read_text().splitlines()[1:]]
    own = [row for row in rows if row[_USER] == str(os.getuid()) and _name(row[_CREATOR]) != "postgres"]
    return [" ".join(row) for row in own]


def _name(pid: str) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""
