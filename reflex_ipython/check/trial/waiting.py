"""Threads and child processes from before the copy: it has none of them, and would take them for ended."""

from __future__ import annotations

import functools
import subprocess
import sys
import threading
from collections.abc import Callable, Collection
from types import FrameType
from typing import Any

from reflex_ipython.check.trial.process import is_running, named, signalled

Refuse = Callable[[Any, str], BaseException]


def others() -> tuple[threading.Thread, ...]:
    """The threads that a copy will lack, but for those of pools, which help themselves. In the process to be copied."""
    pools = getattr(sys.modules.get("concurrent.futures.thread"), "_threads_queues", {})
    here = threading.current_thread()
    return tuple(
        thread
        for thread in threading.enumerate()
        if thread is not here and thread not in pools and not _module(thread).startswith("multiprocessing.")
    )


def _module(thread: threading.Thread) -> str:
    return str(getattr(getattr(thread, "_target", None), "__module__", ""))


def refuse_threads(refuse: Refuse, threads: Collection[threading.Thread], namespace: dict[str, Any]) -> None:
    """Have nobody wait for a thread that is not there, or be told that it has ended.

    Parameters
    ----------
    refuse : callable
        Given a kind of access and words, notes it and gives what to raise.
    threads : collection of Thread
        Those of `others`.
    namespace : dict
        The user's: a library that asks whether its thread lives is to hear the truth of the copy.
    """
    missing = {id(thread) for thread in threads}
    join, is_alive = threading.Thread.join, threading.Thread.is_alive

    @functools.wraps(join)
    def join_here(self: threading.Thread, timeout: float | None = None) -> None:
        if id(self) in missing:
            raise refuse("thread", f"wait for the thread {self.name}")
        join(self, timeout)

    @functools.wraps(is_alive)
    def is_alive_here(self: threading.Thread) -> bool:
        return (id(self) in missing and _globals(sys._getframe(1)) is namespace) or is_alive(self)

    enumerate_ = threading.enumerate

    @functools.wraps(enumerate_)
    def enumerate_here() -> list[threading.Thread]:
        return enumerate_() + (list(threads) if _globals(sys._getframe(1)) is namespace else [])

    threading.enumerate = enumerate_here
    threading.Thread.join = join_here  # type: ignore[method-assign]  # that is the point
    threading.Thread.is_alive = is_alive_here  # type: ignore[method-assign]  # as above


def _globals(frame: FrameType) -> dict[str, Any]:
    return frame.f_globals


def refuse_children(refuse: Refuse) -> None:
    """Have nobody end a child process of the kernel, or wait for one. Here it would seem to have ended by itself.

    Parameters
    ----------
    refuse : callable
        As in `refuse_threads`.
    """
    kind: Any = subprocess.Popen

    def send_signal(self: Any, number: int) -> None:
        if self.returncode is None:
            raise refuse("signal", signalled(self.pid, number))

    def poll(self: Any) -> int | None:
        if self.returncode is None and not is_running(self.pid):
            raise refuse("process", f"wait for the process {self.pid}")  # how it ended is known to its parent alone
        return self.returncode  # type: ignore[no-any-return]  # an int, or None

    def waits(original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def wait(self: Any, *arguments: Any, **keywords: Any) -> Any:
            if self.returncode is None:
                raise refuse("process", f"wait for the process {named(self.pid)}")
            return original(self, *arguments, **keywords)

        return wait

    kind.send_signal = functools.wraps(kind.send_signal)(send_signal)
    kind.poll = functools.wraps(kind.poll)(poll)
    kind.wait = waits(kind.wait)
    kind.communicate = waits(kind.communicate)
