"""The end of a terminal's IPython, however busy the machine is."""

from __future__ import annotations

import signal
from typing import Any


def end(child: Any) -> None:
    """Kill it and wait for its end: `close(force=True)` gives up after a tenth of a second."""
    if child.isalive():
        child.kill(signal.SIGKILL)
        child.wait()
    child.close()
