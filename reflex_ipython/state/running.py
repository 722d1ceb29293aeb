"""What goes on when a statement is over: threads, tasks and timed calls that it has left behind."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import threading
import weakref
from collections.abc import Iterable, Iterator
from types import BuiltinFunctionType, BuiltinMethodType, CoroutineType, FunctionType, MethodType
from typing import Any

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.state.effect import STARTED_THREAD, OutsideEffect
from reflex_ipython.state.user_code import owned_class, owned_module
from reflex_ipython.state.workers import SERVERS, goes_on

LEFT_TASK = OutsideEffect("task", "left a task running")
LEFT_CALL = OutsideEffect("task", "scheduled a call on the event loop")


@dataclasses.dataclass(frozen=True)
class Running:
    """The threads, tasks and calls of one moment.

    Parameters
    ----------
    threads : frozenset of int
        Their identifiers.
    loop : asyncio.AbstractEventLoop or None
        The one that runs on this thread. A terminal's stands still once the cell is over.
    tasks : WeakSet of asyncio.Task
        The loop's; none is kept alive.
    calls : dict of int to weak references
        What the loop is to call, at once or later, by identity; none is kept alive, and none is compared.
    """

    threads: frozenset[int]
    loop: asyncio.AbstractEventLoop | None
    tasks: weakref.WeakSet[asyncio.Task[Any]]
    calls: dict[int, weakref.ref[Any]]

    @classmethod
    def now(cls) -> Running:
        """Those of this moment. Before Python 3.12 no event tells of a new thread, and none ever of a new task."""
        loop = asyncio._get_running_loop()
        calls = {id(handle): weakref.ref(handle) for handle in calls_of_loop(loop)}
        return cls(frozenset(all_threads()), loop, weakref.WeakSet(_tasks(loop)), calls)

    def effects_since(self) -> Iterator[OutsideEffect]:
        """What the statement that has run since then did by starting others and not waiting for them."""
        new = [(ident, thread) for ident, thread in all_threads().items() if ident not in self.threads]
        going = [weakref.ref(thread) for ident, thread in new if goes_on(ident, thread)]
        if going:
            yield dataclasses.replace(STARTED_THREAD, over=_Over(going))
        if any(task not in self.tasks for task in _tasks(self.loop)):
            yield LEFT_TASK
        if any(
            self._is_new(handle) and is_users_call(handle._callback, handle._args)
            for handle in calls_of_loop(self.loop)
        ):
            yield LEFT_CALL

    def _is_new(self, handle: Any) -> bool:
        known = self.calls.get(id(handle))
        return known is None or known() is not handle


def settle(effects: Iterable[OutsideEffect]) -> None:
    """The cell ends: what threads did that are joined by now was seen; what others go on to do is not."""
    for effect in effects:
        if effect.over is not None:
            effect.over()  # the first answer holds


class _Over:
    """Whether threads have ended, when it was first asked: as the cell did. What they do later is not seen."""

    def __init__(self, threads: list[weakref.ref[Any]]) -> None:
        self._threads = threads
        self._answer: bool | None = None

    def __call__(self) -> bool:
        if self._answer is None:
            found = [reference() for reference in self._threads]
            self._answer = not any(thread is not None and goes_on(thread.ident, thread) for thread in found)
        return self._answer


def all_threads() -> dict[int, Any]:
    """Those of this moment by their identifiers, asked without running anything of the user's."""
    return dict(threading._active)  # type: ignore[attr-defined]  # `threading.enumerate` takes a lock


def _tasks(loop: asyncio.AbstractEventLoop | None) -> list[asyncio.Task[Any]]:
    """Those that are not done."""
    return (
        [task for task in asyncio.all_tasks(loop) if not (_serves(task) or _ends_generator(task))]
        if loop is not None
        else []
    )


def _serves(task: asyncio.Task[Any]) -> bool:
    coroutine = task.get_coro()
    frame = coroutine.cr_frame if type(coroutine) is CoroutineType else None
    module = frame.f_globals.get("__name__") if frame is not None else ""
    return type(module) is str and module.partition(".")[0] in SERVERS


def _ends_generator(task: asyncio.Task[Any]) -> bool:
    """Whether asyncio made it to close an asynchronous generator that was let go of, as garbage is let go of."""
    return type(task.get_coro()).__name__ in ("async_generator_athrow", "async_generator_aclose")


def calls_of_loop(loop: asyncio.AbstractEventLoop | None) -> list[Any]:
    """What a loop of asyncio's own is to call and nobody has cancelled; loops of others don't tell."""
    if not isinstance(loop, asyncio.BaseEventLoop):
        return []
    waiting = (*loop._ready, *loop._scheduled)  # type: ignore[attr-defined]  # there is no other way to ask
    return [handle for handle in waiting if not handle._cancelled]


def is_users_call(function: Any, arguments: Any) -> bool:
    """Whether a call that was left for later is the user's: not one of asyncio, nor a library's own housekeeping."""
    while type(function) is functools.partial:
        function, arguments = function.func, function.args
    if type(function) is MethodType:
        function = function.__func__
    if type(function) is FunctionType:
        module = function.__module__
        if module == "tornado.platform.asyncio" and arguments:  # `IOLoop.call_later` passes on what it was given
            return is_users_call(arguments[0], ())
        return type(module) is str and owned_module(module)
    if is_exactly(function, (BuiltinFunctionType, BuiltinMethodType)):
        return bool(function.__module__ != "_asyncio")
    return owned_class(type(function))
