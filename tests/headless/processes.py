"""Processes that tests start by way of others."""

from __future__ import annotations

import os
import time


def ends(pid: int, patience: float = 60.0) -> bool:
    """Whether a process is gone, or will be: whoever adopts what a killed one leaves may take its time to reap it."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    return False
