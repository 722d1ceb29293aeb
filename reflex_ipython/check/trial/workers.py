"""Worker processes of the kernel: a copy hands them nothing, and what it waits for from them never comes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NoReturn

from reflex_ipython.check.trial.workers_here import work_here
from reflex_ipython.models import Outcome

_MODULES = (
    "multiprocessing.connection",
    "multiprocessing.managers",
    "multiprocessing.pool",
    "multiprocessing.process",
    "multiprocessing.queues",
    "multiprocessing.synchronize",
    "concurrent.futures.process",
    "concurrent.futures._base",
)
_GIVING = (
    ("queues", "Queue", "put"),
    ("queues", "JoinableQueue", "put"),
    ("queues", "JoinableQueue", "task_done"),
    ("synchronize", "Condition", "notify"),
)
"""What hands something to other processes, or wakes them."""

_NAMES = ("TimeoutError", "Empty", "BrokenProcessPool")
"""Exceptions of several modules that say that nothing came."""


def refuse_workers(refuse: Callable[[], NoReturn]) -> None:
    """Have queues of processes from before the copy refuse work at once, and what pools would do done here.

    Parameters
    ----------
    refuse : callable
        Raises what stands for the refusal.
    """
    work_here(refuse)
    # A copy can make none of these anew: all that there are lead to other processes.
    for module, kind, method in _GIVING:
        owner = getattr(sys.modules.get(f"multiprocessing.{module}"), kind, None)
        if owner is not None:
            setattr(owner, method, lambda *_, **__: refuse())


def judge_waiting(error: BaseException) -> tuple[Outcome, str] | None:
    """What to say of an exception that stems from working with other processes; None of any other.

    Parameters
    ----------
    error : BaseException
        What was raised in a copy.
    """
    if _origin(error) not in _MODULES:
        return None
    if isinstance(error, PermissionError):
        return "blocked", "wants to work with other processes"
    if isinstance(error, (AssertionError, EOFError, OSError)) or type(error).__name__ in _NAMES:
        return (
            "inconclusive",
            "it waits for another process or thread of your kernel, which the copy of the kernel does not have",
        )
    return None


def _origin(error: BaseException) -> str:
    """The module that raised it; for a socket's refusal, the one that asked for the socket."""
    names, step = [""], error.__traceback__
    while step is not None:
        names.append(str(step.tb_frame.f_globals.get("__name__", "")))
        step = step.tb_next
    return next(name for name in reversed(names) if name != "socket")
