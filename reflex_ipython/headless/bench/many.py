"""Many cases, some side by side; each outcome is handed on as its case ends."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from reflex_ipython.headless.bench.cases import Case
from reflex_ipython.headless.bench.kernel import Stopped
from reflex_ipython.headless.bench.one import Conditions, run_case
from reflex_ipython.headless.bench.outcome import Outcome


def run_cases(
    cases: Sequence[Case], conditions: Conditions, jobs: int, begun: Callable[[str], None] = lambda case: None
) -> Generator[Outcome, None, None]:
    """Run cases; gives their outcomes in the order in which they end.

    Who leaves the iteration, by an interrupt or by closing it, leaves no kernel: those that run are ended first.

    Parameters
    ----------
    cases : sequence of Case
    conditions : Conditions
    jobs : int
        How many at a time.
    begun : callable
        Is told the id of each case that begins, on another thread.
    """

    def one(case: Case) -> Outcome:
        if conditions.stop.is_set():
            raise Stopped
        begun(case.id)
        try:
            return run_case(case, conditions)
        finally:
            _close_event_loop()

    with ThreadPoolExecutor(jobs, thread_name_prefix="reflex-bench") as pool:
        waiting: set[Future[Outcome]] = {pool.submit(one, case) for case in cases}
        try:
            while waiting:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        finally:
            conditions.stop.set()  # the pool waits for its threads, and each of them for the end of its kernel
            for future in waiting:
                future.cancel()


def _close_event_loop() -> None:
    """Close the event loop that `jupyter_client` has made for this thread, and would leave open."""
    with suppress(RuntimeError):  # there is none
        asyncio.get_event_loop().close()


@contextmanager
def caches(conditions: Conditions) -> Iterator[Conditions]:
    """The same with a new folder for what all kernels share."""
    with tempfile.TemporaryDirectory(prefix="reflex-bench-caches-", ignore_cleanup_errors=True) as folder:
        yield replace(conditions, caches=Path(folder))
