"""What a cell leaves behind that acts once the trial is over: it would do so in the kernel, and nobody has seen it."""

from __future__ import annotations

import atexit
import functools
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

from reflex_ipython.check.trial.introspection import is_users


def watch_exit(tell: Callable[[str], None]) -> None:
    """Tell what the user's own code has run when Python ends. Libraries clean up after themselves, and are not meant.

    Parameters
    ----------
    tell : callable
        Takes words that follow "it".
    """
    register: Any = atexit.register

    @functools.wraps(register)
    def register_here(function: Any, /, *arguments: Any, **keywords: Any) -> Any:
        if is_users(sys._getframe(1).f_code.co_filename):
            tell("leaves something to be run when the kernel ends (atexit), which a trial does not see")
        return register(function, *arguments, **keywords)

    atexit.register = register_here


def left(before: set[threading.Thread], loop: Any) -> Iterator[str]:
    """What still runs, in words that follow "it".

    Parameters
    ----------
    before : set of Thread
        Those that were there before the cell.
    loop : event loop or None
        The one that the cell ran in.
    """
    for thread in set(threading.enumerate()) - before:
        code = getattr(getattr(thread, "_target", None) or getattr(thread, "function", None), "__code__", None)
        if code is not None and is_users(code.co_filename):
            yield "leaves a thread running, whose further doings a trial does not see"
    tasks = getattr(sys.modules.get("asyncio"), "all_tasks", None)
    if loop is not None and tasks is not None and tasks(loop):
        yield "leaves a task running, whose further doings a trial does not see"
