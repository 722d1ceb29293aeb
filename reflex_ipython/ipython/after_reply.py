"""Work for the main thread that no reply waits for."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from reflex_ipython.base.running_loop import loop_is_running
from reflex_ipython.ipython.interrupts import hand_on
from reflex_ipython.ipython.page_comm import said_by_page

_log = logging.getLogger(__name__)
_PAUSE = 0.002
"""Seconds in which the kernel's main thread waits for messages: the last outputs and the cell's end leave by another
thread, which needs the interpreter for it, and could get it 5 ms later if work began at once.
"""
_LATEST = 3.0  # seconds after which it is done, ready or not


@dataclass(frozen=True)
class _Task:
    work: Callable[[], None]
    ready: Callable[[], bool]
    since: float

    def is_due(self) -> bool:
        waited = time.monotonic() - self.since
        return waited >= _PAUSE and (self.ready() or waited > _LATEST)


def _tells_cells(said: Any) -> bool:
    if not isinstance(said, dict):
        return False
    from reflex_ipython.ipython.from_page import Cells  # with the first page that says something

    return bool(said.get("type") == Cells.type)


class AfterReply:
    """Does it as soon as a cell's reply is out and the work is ready; at the latest before the state may change.

    That is right before another cell runs, and before a message on a comm is heard: a widget calls code of the user's,
    a page takes a run back.

    Parameters
    ----------
    shell : InteractiveShell
    """

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._waiting: list[_Task] = []
        self._will_look = False

    def call(self, work: Callable[[], None], ready: Callable[[], bool]) -> None:
        """Do it then. At once where there is no loop to come back to: in a terminal, and on other threads.

        Parameters
        ----------
        work : callable
        ready : callable
            Whether the work need not wait for anything any more.
        """
        loop = getattr(getattr(self._shell, "kernel", None), "io_loop", None)
        if loop is None or not loop_is_running() or threading.current_thread() is not threading.main_thread():
            work()
            return
        if not self._waiting:
            # Before `pre_run_cell`, where what is known of the last cell changes.
            self._shell.events.register("pre_execute", self._before_change)
        self._waiting.append(_Task(work, ready, time.monotonic()))
        self._look_later(loop)

    def do_all(self) -> None:
        """Do now what waits, ready or not, if this is the main thread: a subshell has a thread of its own."""
        if threading.current_thread() is threading.main_thread():
            self._do(self._waiting)

    def close(self) -> None:
        """What was not done is not done any more."""
        self._take(self._waiting)

    def _before_change(self) -> None:
        """ipykernel triggers `pre_execute` for each message on a comm.

        A page that is asked for its cells tells them before the end of the one that failed has left, which would wait
        for the work. That changes nothing.
        """
        if not _tells_cells(said_by_page(self._shell.kernel)):
            self.do_all()

    def _look_later(self, loop: Any) -> None:
        if self._waiting and not self._will_look:
            self._will_look = True
            # The pause begins with the loop's next turn, once the cell and its reply are done.
            loop.add_callback(loop.call_later, _PAUSE, self._look, loop)

    def _look(self, loop: Any) -> None:
        self._will_look = False
        self._do([task for task in self._waiting if task.is_due()])
        self._look_later(loop)

    def _do(self, tasks: list[_Task]) -> None:
        self._take(tasks)
        for task in tasks:
            try:
                task.work()
            except KeyboardInterrupt:
                hand_on()  # it is meant for the cell that is about to run
            except Exception:  # noqa: BLE001 - no thread can be started, say: IPython would show it in the next cell
                _log.debug("what was put off until after a reply failed", exc_info=True)

    def _take(self, tasks: list[_Task]) -> None:
        if self._waiting:
            self._waiting = [task for task in self._waiting if task not in tasks]
            if not self._waiting:
                self._shell.events.unregister("pre_execute", self._before_change)
