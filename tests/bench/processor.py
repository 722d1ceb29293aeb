"""What the main thread of a kernel takes of a processor, as Linux counts it: other work on the machine hardly shows."""

from __future__ import annotations

import time
from pathlib import Path

_PAUSE = 0.001
_STILL = 3
"""So many looks in a row have to find it asleep."""


def used(pid: int) -> float:
    """Seconds that the main thread of a process has run so far (proc(5), `schedstat`); NaN where nobody counts."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
    except (OSError, ValueError, IndexError):
        return float("nan")


def at_rest(pid: int) -> float:
    """As `used`, once the thread is asleep: what a cell leaves to be done after its reply counts for that cell."""
    still, before = 0, used(pid)
    while still < _STILL and before == before:
        time.sleep(_PAUSE)
        now = used(pid)
        still, before = (still + 1 if now == before else 0), now
    return before
