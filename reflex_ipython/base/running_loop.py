"""Whether code that awaits would have a loop to wait in."""

from __future__ import annotations

import sys


def loop_is_running() -> bool:
    """Whether this thread is inside an event loop. Imports no asyncio to find out."""
    events = sys.modules.get("asyncio.events")
    return events is not None and events._get_running_loop() is not None
