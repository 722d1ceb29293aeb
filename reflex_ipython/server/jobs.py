"""Requests that are worked on at once, each in a process of its own; so many, and no more may wait."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import threading
from collections.abc import Callable

from reflex_ipython.execution.events import Listen
from reflex_ipython.execution.worker_process import ExecutionJob, WorkerProcess
from reflex_ipython.models import Execution

IDLE = 300.0
"""Seconds after which a process that nobody has needed ends."""


class Busy(Exception):
    """As many requests are worked on, and wait, as may."""


class Jobs:
    """Those of one server. Its processes are kept for the next requests.

    Parameters
    ----------
    concurrency : int
        Requests at once.
    waiting : int
        Requests that may wait besides.
    """

    def __init__(self, concurrency: int, waiting: int) -> None:
        self._concurrency = concurrency
        self._most = concurrency + waiting
        self._accepted = 0
        self._slots = asyncio.Semaphore(concurrency)
        self._idle: list[WorkerProcess] = []
        self._at_work: set[WorkerProcess] = set()

    @property
    def running(self) -> int:
        """How many are worked on."""
        return len(self._at_work)

    @property
    def waiting(self) -> int:
        """How many wait."""
        return max(0, self._accepted - len(self._at_work))

    async def run(self, job: ExecutionJob, listen: Listen) -> Execution:
        """Work on a request; cancelling this ends its process at once.

        Parameters
        ----------
        job : ExecutionJob
        listen : callable
            Is told what happens, on another thread.

        Raises
        ------
        Busy
            If there are too many.
        BadInput, ReflexError
            As `WorkerProcess.run` does.
        """
        if self._accepted >= self._most:
            raise Busy
        self._accepted += 1
        try:
            async with self._slots:
                return await self._run(job, listen)
        finally:
            self._accepted -= 1

    async def _run(self, job: ExecutionJob, listen: Listen) -> Execution:
        worker = self._take()
        self._at_work.add(worker)
        try:
            return await _on_a_thread(lambda: worker.run(job, listen))
        except asyncio.CancelledError:
            worker.close()  # what it works on is nobody's any more
            raise
        finally:
            self._at_work.discard(worker)
            if worker.alive:
                self._idle.append(worker)
                asyncio.get_running_loop().call_later(IDLE, self._let_go, worker, worker.served)
            else:
                worker.close()

    def _take(self) -> WorkerProcess:
        while self._idle:
            worker = self._idle.pop()
            if worker.alive:
                return worker
            worker.close()
        return WorkerProcess()

    def _let_go(self, worker: WorkerProcess, served: int) -> None:
        """End one that has had nothing to do since then."""
        if worker in self._idle and worker.served == served:
            self._idle.remove(worker)
            worker.close()

    def close(self) -> None:
        """End all of them."""
        for worker in [*self._idle, *self._at_work]:
            worker.close()
        self._idle.clear()


async def _on_a_thread(work: Callable[[], Execution]) -> Execution:
    """Wait for work on a thread that a server which is stopped does not wait for, as it would for an executor's."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Execution] = loop.create_future()

    def settle(end: Callable[[], None]) -> None:
        if not done.done():  # else it was cancelled
            end()

    def run() -> None:
        end: Callable[[], None]
        try:
            end = functools.partial(done.set_result, work())
        except Exception as error:  # noqa: BLE001 - raised where it is waited for
            end = functools.partial(done.set_exception, error)
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(settle, end)

    threading.Thread(target=run, name="reflex-job", daemon=True).start()
    return await done
