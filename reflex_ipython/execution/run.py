"""`execute` and `aexecute`: from words to code that has run in a sandboxed child of this process."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Mapping, Sequence
from os import PathLike, fsdecode
from typing import Any

from reflex_ipython.errors import BadInput
from reflex_ipython.execution.events import Listen
from reflex_ipython.execution.process_trials import ExecutionBounds
from reflex_ipython.execution.worker_process import ExecutionJob, WorkerProcess
from reflex_ipython.execution.workshop import RunningRequest, with_attempts
from reflex_ipython.models import Execution
from reflex_ipython.settings import Settings, from_environment

MEMORY = 4 << 30
PATHS = "allow_files is a list of paths."


def execute(
    request: str,
    *,
    namespace: Mapping[str, Any] | None = None,
    attempts: int = 5,
    timeout: float = 30.0,
    memory: int = MEMORY,
    allow_network: bool = False,
    allow_files: Sequence[str | PathLike[str]] = (),
    settings: Settings | None = None,
    listen: Listen = lambda event: None,
) -> Execution:
    """Have a model write code for a request, and run it in a sandboxed child until it works.

    Nothing of it runs in this process. What fails goes back to the model with the error, until an attempt passes, the
    attempts are used up, or the same code or the same error comes back. Of what runs the model is asked whether it does
    what was asked for (`Settings.review`).

    Parameters
    ----------
    request : str
        What the code is to do, in words.
    namespace : mapping of str to object, optional
        The names that the code finds. On the main thread the child has them as they are; on another thread those that
        can be pickled, and the others are named in a warning.
    attempts : int
        How often the model is asked at most.
    timeout : float
        Seconds that each attempt may run.
    memory : int
        Bytes that it may need on top of what is there.
    allow_network : bool
        Whether it may open connections.
    allow_files : sequence of str or path
        Files and folders that are there, and that it may change. What it does to them is done for real.
    settings : Settings, optional
        The model and how it is asked. None: those of the environment, `REFLEX_MODEL`, `REFLEX_BASE_URL`, …
    listen : callable, optional
        Is told what happens meanwhile (`execution.events.ExecutionEvent`), on whichever thread.

    Returns
    -------
    Execution

    Raises
    ------
    BadInput
        If no model is chosen, this system has no sandbox, or an argument can't be used.
    """
    job = _job(request, namespace, attempts, timeout, memory, allow_network, allow_files, settings)
    if threading.current_thread() is not threading.main_thread():
        with WorkerProcess() as worker:
            return worker.run(job, listen)
    return RunningRequest(job.request, dict(job.namespace), job.settings, job.bounds, listen).wait()


async def aexecute(
    request: str,
    *,
    namespace: Mapping[str, Any] | None = None,
    attempts: int = 5,
    timeout: float = 30.0,
    memory: int = MEMORY,
    allow_network: bool = False,
    allow_files: Sequence[str | PathLike[str]] = (),
    settings: Settings | None = None,
    listen: Listen = lambda event: None,
) -> Execution:
    """The same without blocking the event loop; cancelling it ends the work. See `execute`."""
    job = _job(request, namespace, attempts, timeout, memory, allow_network, allow_files, settings)
    if threading.current_thread() is not threading.main_thread():
        worker = WorkerProcess()
        try:
            return await asyncio.to_thread(worker.run, job, listen)
        finally:
            worker.close()
    begun = RunningRequest(job.request, dict(job.namespace), job.settings, job.bounds, listen)
    try:
        return await asyncio.to_thread(begun.wait)
    except asyncio.CancelledError:
        begun.cancel()
        raise


def _job(
    request: str,
    namespace: Mapping[str, Any] | None,
    attempts: int,
    timeout: float,
    memory: int,
    network: bool,
    files: Sequence[str | PathLike[str]],
    settings: Settings | None,
) -> ExecutionJob:
    if not sys.platform.startswith("linux"):
        raise BadInput(f"Code that a model wrote is only run in a sandbox, which needs Linux; this is {sys.platform}.")
    if isinstance(files, (str, bytes, PathLike)):
        raise BadInput(PATHS)
    try:
        paths = tuple(map(fsdecode, files))
    except TypeError:
        raise BadInput(PATHS) from None
    if not isinstance(request, str):
        raise BadInput("The request is a text: say in words what the code is to do.")
    if not all(isinstance(name, str) for name in namespace or {}):
        raise BadInput("namespace gives values by their names, which are texts.")
    bounds = ExecutionBounds(timeout, memory, network, paths)
    return ExecutionJob(request, dict(namespace or {}), with_attempts(settings or from_environment(), attempts), bounds)
