"""Many cases, some side by side; each outcome is handed on as its case ends."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from reflex_ipython.headless.bench.cases import Case
from reflex_ipython.headless.bench.kernel import Stopped
from reflex_ipython.headless.bench.one import Conditions, run_case
from reflex_ipython.headless.bench.outcome import Outcome
from reflex_ipython.headless.side_by_side import side_by_side


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
        return run_case(case, conditions)

    return side_by_side(cases, one, jobs, conditions.stop.set)


@contextmanager
def caches(conditions: Conditions) -> Iterator[Conditions]:
    """The same with a new folder for what all kernels share."""
    with tempfile.TemporaryDirectory(prefix="reflex-bench-caches-", ignore_cleanup_errors=True) as folder:
        yield replace(conditions, caches=Path(folder))
