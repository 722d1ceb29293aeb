"""Work on many things, some at a time, each on a thread of its own; what comes of one is handed on as it ends."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def side_by_side(
    items: Iterable[Item], work: Callable[[Item], Result], jobs: int, stop: Callable[[], None]
) -> Generator[Result, None, None]:
    """Work on each item; gives the results in the order in which they come.

    Who leaves the iteration, by an interrupt or by closing it, leaves nothing that runs: it is ended first.

    Parameters
    ----------
    items : iterable
    work : callable
        What is done with an item. What it raises is raised here.
    jobs : int
        How many at a time.
    stop : callable
        Has all work that runs come to its end soon. It is called in the end in any case.
    """
    with ThreadPoolExecutor(jobs, thread_name_prefix="reflex-headless") as pool:
        waiting: set[Future[Result]] = {pool.submit(work, item) for item in items}
        try:
            while waiting:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        finally:
            stop()  # the pool waits for its threads, and each of them for the end of its kernel
            for future in waiting:
                future.cancel()
