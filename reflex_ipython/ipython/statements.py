"""When a shell begins to run a top-level statement of a cell.

`InteractiveShell.run_code` hands each statement's code object to `exec` or `eval`, which raises an audit event. So the
shell need not be wrapped: no frame of ours stands below the user's, no profiler, tracer or traceback sees one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CodeType
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from reflex_ipython.ipython.interrupts import hand_on
from reflex_ipython.state.audit import listen

_RUNNER = InteractiveShell.run_code.__code__
_ABOVE = 2
"""Frames from the listener to the one that called `exec`: this function and the hook."""


def on_statement(begins: Callable[[CodeType], None]) -> Callable[[], None]:
    """Call `begins` with the code of each statement that a shell is about to run, on the thread that runs it.

    Parameters
    ----------
    begins : callable
        What it raises is nobody's. If it is interrupted, the statement is instead.

    Returns
    -------
    callable
        Call it to end that.
    """

    def executed(event: str, args: tuple[Any, ...]) -> None:
        if type(args[0]) is CodeType and sys._getframe(_ABOVE).f_code is _RUNNER:
            try:
                begins(args[0])
            except KeyboardInterrupt:
                hand_on()
            except Exception:  # noqa: BLE001 - nothing of ours may break a cell; `begins` tells what it can
                pass

    return listen(("exec",), executed)
