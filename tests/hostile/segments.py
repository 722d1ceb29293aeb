"""The segments of shared memory of System V's calls: those of the tests' own user, and of nobody who runs beside."""

from __future__ import annotations

import os
from pathlib import Path

import psutil

_CREATOR, _USER = 4, 7
"""Columns."""


def segments() -> list[str]:
    """What everybody can ask about them, a line each: other tests and databases that run beside have some as well."""
    rows = [line.split() for line in Path("/proc/sysvipc/shm").read_text().splitlines()[1:]]
    own = [row for row in rows if row[_USER] == str(os.getuid()) and not _is_of_another(int(row[_CREATOR]))]
    return [" ".join(row) for row in own]


def _is_of_another(creator: int) -> bool:
    """Whether a process made it that runs, and is neither this one nor one that this one has started."""
    try:
        return os.getpid() not in [creator, *(parent.pid for parent in psutil.Process(creator).parents())]
    except psutil.Error:  # it has ended: a trial's has by now
        return False
