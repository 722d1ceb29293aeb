"""Who else is at work as a statement begins: threads and tasks that earlier statements have left.

What these put into an object while the statement runs is not told from what the statement does to it.
"""

from __future__ import annotations

import asyncio
import inspect
import sys
import threading
import weakref
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from types import BuiltinMethodType, CodeType, FrameType
from typing import Any

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.state.kinds.locks import in_users_code
from reflex_ipython.state.running import all_threads, calls_of_loop, is_users_call
from reflex_ipython.state.user_code import owned_class
from reflex_ipython.state.workers import goes_on, serves, works_in_pool

THREAD = "what a thread of yours may have changed there meanwhile is undone as well"
TASK = "what a task of yours may have changed there meanwhile is undone as well"
_CONTAINERS = (list, dict, set, deque)
_serving: dict[int, weakref.ref[threading.Thread]] = {}
"""Threads that serve the kernel, by their identifiers: most of them are there for good, and are asked once."""


def at_work_beside(code: CodeType) -> str:
    """Who else may change what the statement can reach.

    Parameters
    ----------
    code : code object
        The statement that begins, on this thread.

    Returns
    -------
    str
        `THREAD`, `TASK`, or empty: nobody.
    """
    if any_thread_at_work():
        return THREAD
    if code.co_flags & inspect.CO_COROUTINE and _any_task():  # only while it waits do others of its thread run
        return TASK
    return ""


def any_thread_at_work() -> bool:
    """Whether another thread runs code of the user's, or is about to; not one that waits in a pool for work."""
    here, frames = threading.get_ident(), dict[int, FrameType]()
    for ident, thread in all_threads().items():
        known = _serving.get(ident)
        if ident == here or (known is not None and known() is thread):
            continue
        if serves(thread):
            _serving[ident] = weakref.ref(thread)
            continue
        if not frames:  # without this one, which would hold itself, and with it what the statement resizes
            frames = {other: frame for other, frame in sys._current_frames().items() if other != here}
        if _is_at_work(ident, thread, frames.get(ident)):
            return True
    return False


def _is_at_work(ident: int, thread: threading.Thread, frame: FrameType | None) -> bool:
    if in_users_code(frame):
        return True
    if works_in_pool(thread):
        return _has_work(thread) or goes_on(ident, thread)
    if owned_class(type(thread)):
        return True
    has = vars(thread)
    return any(_is_users(has[name]) for name in ("_target", "function") if name in has)  # of a timer, what it will call


def _has_work(thread: threading.Thread) -> bool:
    """Whether there is work that a pool has not come to: in its queue, or handed to a thread that does not run yet.

    Since Python 3.13 the queue hands it over to who waits, so that it is in no frame and in no queue for a moment; but
    the pool has counted one idle thread less by then.
    """
    arguments = vars(thread).get("_args", ())
    if type(arguments) is not tuple:
        return False
    if any(type(one) is SimpleQueue and not one.empty() for one in arguments):
        return True
    pool = arguments[0]() if arguments and type(arguments[0]) is weakref.ref else None
    if type(pool) is not ThreadPoolExecutor:
        return False
    return pool._idle_semaphore._value < len(pool._threads)


def _any_task() -> bool:
    """Whether the loop of this thread has a task or a call of the user's that is not done."""
    loop = asyncio._get_running_loop()
    if loop is None:
        return False
    here = asyncio.current_task(loop)
    if any(task is not here and _runs_users_code(task.get_coro()) for task in asyncio.all_tasks(loop)):
        return True
    return any(_is_users(handle._callback, handle._args) for handle in calls_of_loop(loop))


def _runs_users_code(coroutine: Any) -> bool:
    """Whether a coroutine is the user's, or waits for one that is."""
    while inspect.iscoroutine(coroutine):
        if in_users_code(coroutine.cr_frame):
            return True
        coroutine = coroutine.cr_await
    return False


def _is_users(function: Any, arguments: Any = ()) -> bool:
    if type(function) is BuiltinMethodType:
        return is_exactly(function.__self__, _CONTAINERS)
    return is_users_call(function, arguments)
