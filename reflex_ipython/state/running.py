"""What goes on running when a statement is over: threads and tasks that it has left behind."""

from __future__ import annotations

import asyncio
import dataclasses
import threading
import weakref
from collections.abc import Iterator
from types import CoroutineType
from typing import Any

from reflex_ipython.state.effects import STARTED_THREAD, Effect
from reflex_ipython.state.kinds.layout import module_name

LEFT_TASK = Effect("task", "left a task running")

_SERVERS = frozenset({"ipykernel", "tornado", "zmq", "jupyter_client", "anyio", "reflex_ipython"})
"""Packages whose threads and tasks serve the kernel itself; they may come up while a cell runs."""


@dataclasses.dataclass(frozen=True)
class Running:
    """The threads and tasks of one moment.

    Parameters
    ----------
    threads : frozenset of int
        Their identifiers.
    loop : asyncio.AbstractEventLoop or None
        The one that runs on this thread. A terminal's stands still once the cell is over.
    tasks : WeakSet of asyncio.Task
        The loop's; none is kept alive.
    """

    threads: frozenset[int]
    loop: asyncio.AbstractEventLoop | None
    tasks: weakref.WeakSet[asyncio.Task[Any]]

    @classmethod
    def now(cls) -> Running:
        """Those of this moment. Before Python 3.12 no event tells of a new thread, and none ever of a new task."""
        loop = asyncio._get_running_loop()
        return cls(_threads(), loop, weakref.WeakSet(_tasks(loop)))

    def effects_since(self) -> Iterator[Effect]:
        """What the statement that has run since then did by starting others and not waiting for them."""
        if _threads() - self.threads:
            yield STARTED_THREAD
        if any(task not in self.tasks for task in _tasks(self.loop)):
            yield LEFT_TASK


def _threads() -> frozenset[int]:
    """Those that do not serve the kernel: pyzmq starts one with the first large output."""
    active = list(threading._active.items())  # type: ignore[attr-defined]  # `threading.enumerate` takes a lock
    return frozenset(number for number, thread in active if module_name(type(thread)).partition(".")[0] not in _SERVERS)


def _tasks(loop: asyncio.AbstractEventLoop | None) -> list[asyncio.Task[Any]]:
    """Those that are not done."""
    return [task for task in asyncio.all_tasks(loop) if not _serves(task)] if loop is not None else []


def _serves(task: asyncio.Task[Any]) -> bool:
    coroutine = task.get_coro()
    frame = coroutine.cr_frame if type(coroutine) is CoroutineType else None
    module = frame.f_globals.get("__name__") if frame is not None else ""
    return type(module) is str and module.partition(".")[0] in _SERVERS
