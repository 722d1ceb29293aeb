"""Many notebooks on a Dask cluster: each is a task, and its bytes travel with it."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from reflex_ipython.errors import BadInput, told
from reflex_ipython.headless.heal import Options, Stop
from reflex_ipython.headless.healed import HealedNotebook, from_summary
from reflex_ipython.headless.jobs import Done, Job, NotebookTask, Stops, heal_task, unreadable
from reflex_ipython.headless.notebook_file import from_own_text, text
from reflex_ipython.version import __version__

LOCAL = "local"
"""In the place of an address: a cluster of this machine's own, which ends with the run."""
NO_DASK = "Clusters need Dask: pip install 'reflex-ipython[dask]'."
CONNECTING = 30.0
"""Seconds for the scheduler to answer."""
LOOK = 0.5
"""Seconds: so often a run looks whether it is still wanted."""
AHEAD, LEAST = 3, 64
"""Tasks for each thread of the cluster, and in all, that are sent before one of them has ended: so that none waits for
work, and a cluster that adapts sees what there is to do. More would only be held in its memory."""
COUNTING = 5.0
"""Seconds: so often the threads of the cluster are counted; it may grow."""

Told = tuple[dict[str, Any], str]
"""What a worker sends back: a summary, and the text of the notebook; empty if there is none."""


def heal_remotely(content: bytes, options: Options) -> Told:
    """Heal a notebook in a worker.

    Parameters
    ----------
    content : bytes
        Of its file.
    options : Options
    """
    from distributed import get_worker

    stop, over, worker = Stop(), threading.Event(), get_worker()
    unwanted = (worker, worker.get_current_task(), stop, over)
    threading.Thread(target=_stop_unwanted, args=unwanted, name="reflex-unwanted", daemon=True).start()
    try:
        healed = heal_task(NotebookTask(content, options), stop)
    finally:
        over.set()
    return healed.summary(), text(healed.notebook) if healed.notebook is not None else ""


def heal_on_dask(
    jobs: Sequence[Job], address: str, at_once: int, stops: Stops, begun: Callable[[Job], None]
) -> Iterator[Done]:
    """Heal notebooks on a cluster; gives them in the order in which they end, each once.

    What ran on a worker that is gone runs on another one; a notebook that has ended several is given up.

    Parameters
    ----------
    jobs : sequence of Job
    address : str
        Of the scheduler, `tcp://HOST:PORT`; "local": a cluster of processes on this machine.
    at_once : int
        How many processes a local one has.
    stops : Stops
        Ends the runs.
    begun : callable
        Is told of each that is sent.

    Raises
    ------
    BadInput
        If there is no such cluster, or its workers lack this package.
    """
    ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
    waiting = iter(jobs)
    sent: dict[str, tuple[Job, str, Any]] = {}
    most, count_at = LEAST, 0.0
    with _client(address, at_once) as client:
        while True:
            if time.monotonic() >= count_at:
                most = max(LEAST, AHEAD * sum(client.nthreads().values()))
                count_at = time.monotonic() + COUNTING
            room = most - len(sent)
            while room > 0 and not stops.all_over and (job := next(waiting, None)) is not None:
                try:
                    task = job.load()
                except BadInput as error:
                    yield unreadable(job, error)
                    continue
                begun(job)
                future = client.submit(heal_remotely, task.content, task.options, pure=False)
                sent[future.key] = (job, task.digest, future)
                future.add_done_callback(ended.put)
                room -= 1
            if not sent or stops.all_over:
                break
            try:
                key = ended.get(timeout=LOOK).key
            except queue.Empty:
                continue
            if key in sent:
                job, digest, future = sent.pop(key)
                yield Done(job, digest, _healed(future))
        client.cancel([future for _, _, future in sent.values()], force=True)


def _healed(future: Any) -> HealedNotebook:
    error = future.exception() if future.status == "error" else None
    if error is None and future.status == "finished":
        summary, document = future.result()
        return from_summary(summary, from_own_text(document) if document else None)
    if type(error).__name__ == "KilledWorker":
        return HealedNotebook(None, "kernel-died", "Every worker that ran it was killed, or died of it.")
    why = told(error) if error is not None else future.status
    return HealedNotebook(None, "failed", f"The cluster could not run it: {why}.")


def _stop_unwanted(worker: Any, key: str, stop: Stop, over: threading.Event) -> None:
    """End the run when its task is not wanted any more: it was cancelled, or the scheduler is gone."""
    while not over.wait(LOOK):
        task = worker.state.tasks.get(key)
        if task is None or task.state not in ("executing", "long-running"):
            stop.now()
            return


@contextmanager
def _client(address: str, at_once: int) -> Iterator[Any]:
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise BadInput(NO_DASK) from None
    with ExitStack() as opened:
        where = opened.enter_context(_local_cluster(LocalCluster, at_once)) if address == LOCAL else address
        try:
            client = opened.enter_context(Client(where, timeout=CONNECTING, set_as_default=False))
        except (OSError, ValueError, TimeoutError) as error:
            raise BadInput(f"There is no Dask scheduler at {address}: {told(error)}.") from None
        _check(client, address)
        yield client


def _local_cluster(kind: Any, workers: int) -> Any:
    try:
        return kind(
            n_workers=workers, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, memory_limit=0,
            silence_logs=logging.CRITICAL,
        )  # fmt: skip
    except RuntimeError as error:
        raise BadInput(f"A cluster of processes can't be started here: {told(error)}.") from None


def _check(client: Any, address: str) -> None:
    """Refuse a cluster whose workers could not do it, before anything is sent."""
    try:
        versions = set(client.run(_version).values())
    except Exception as error:  # noqa: BLE001 - it is the worker's
        raise BadInput(
            f"The workers of {address} can't import reflex_ipython: {told(error)}. Install it there."
        ) from None
    others = versions - {__version__}
    if others:
        raise BadInput(f"The workers of {address} have reflex_ipython {others.pop()}, and this is {__version__}.")


def _version() -> str:
    return __version__
