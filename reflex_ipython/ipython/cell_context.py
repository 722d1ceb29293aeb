"""The context that code runs in, where the values of context variables are; and going back there later.

NumPy's settings and decimal's context are kept in such variables. A kernel runs its cells in a context of its own, one
that awaits in a copy of it, and answers a page in yet another: what is set there, no cell ever sees.
"""

from __future__ import annotations

import asyncio
import contextvars
import dataclasses
import gc
import sys
import threading
import weakref
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

_T = TypeVar("_T")
_here: contextvars.ContextVar[object] = contextvars.ContextVar("reflex_ipython_here", default=None)


@dataclasses.dataclass(frozen=True)
class CellContext:
    """Where code runs.

    Parameters
    ----------
    thread : int
        The thread's identifier.
    reference : weak reference to contextvars.Context, or None
        To the one that a task runs in, which ends with what is kept there. None: no task ran it, as in a terminal; or
        it could not be found out.
    """

    thread: int
    reference: weakref.ref[contextvars.Context] | None

    @classmethod
    def now(cls) -> CellContext:
        """The present one."""
        task = asyncio.current_task() if asyncio._get_running_loop() is not None else None
        context = None if task is None else _context_of(task)
        found = weakref.ref(context) if context is not None and _is_current(context) else None
        return cls(threading.get_ident(), found)

    def run(self, work: Callable[[], _T]) -> tuple[_T, bool]:
        """Do something there; gives its result, and whether it was there: else it was done in the present one."""
        if self.thread != threading.get_ident():  # the other thread must find its own free
            return work(), False
        if self.reference is None:
            return work(), asyncio._get_running_loop() is None
        context = self.reference()
        if context is None:  # that of a cell that awaited: nobody sees any more what was set there
            return contextvars.copy_context().run(work), True
        if _is_current(context):
            return work(), True
        try:
            context.run(threading.get_ident)
        except RuntimeError:  # further out, something runs in it
            return work(), False
        return context.run(work), True

    @property
    def has_ended(self) -> bool:
        """Whether nobody runs there any more: that of a cell that awaited, and is over."""
        return self.reference is not None and self.reference() is None

    def start(self, coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Have it run there, as a task of the running loop; in a copy of the present one where that can't be."""
        loop, context = asyncio.get_running_loop(), self.reference() if self.reference is not None else None
        if context is None or self.thread != threading.get_ident() or sys.version_info < (3, 11):
            return loop.create_task(coroutine)
        return loop.create_task(coroutine, context=context)


def _context_of(task: asyncio.Task[Any]) -> contextvars.Context | None:
    if hasattr(task, "get_context"):  # since Python 3.12
        return task.get_context()  # type: ignore[no-any-return]
    held = (getattr(task, "_context", None), *gc.get_referents(task))  # the first: of a task written in Python
    return next((o for o in held if type(o) is contextvars.Context), None)


def _is_current(context: contextvars.Context) -> bool:
    """Whether it is the very one, not a copy: what is set now is seen in it."""
    mark = object()
    token = _here.set(mark)
    try:
        return context.get(_here) is mark
    finally:
        _here.reset(token)
