"""Notebooks without a front end: what healing costs where nothing fails, what a failure costs, how workers help.

Kernels are started by turns with the plain way of doing it, as a busy machine would else favour one of them.
"""

from __future__ import annotations

import copy
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from reflex_ipython.headless import dask_cluster
from reflex_ipython.headless.heal import Options, heal_notebook
from reflex_ipython.headless.healed import HealedNotebook
from reflex_ipython.headless.jobs import Job, Stops
from tests.bench.figures import heading, ratio, row, seconds

CELLS = ["import math, random, json", "values = [random.random() for _ in range(50_000)]"] + [
    f"part_{n} = sorted(values[{n}::7])\nprint(len(part_{n}), math.fsum(part_{n}))" for n in range(18)
]
MISTAKE = (10, "math.fsum(part_8)", "math.fsm(part_8)")
SMALL = ["total = [1, 2, 3]", "count = len(totl)", "count + 1"]
TINY = 10_000


def main(rounds: int = 7, notebooks: int = 40, tiny: int = TINY) -> None:
    """Print the figures."""
    one_notebook(rounds)
    many_notebooks(notebooks)
    scheduling(tiny)


def one_notebook(rounds: int) -> None:
    """Twenty cells that succeed, and the same with a mistake in the eleventh."""
    clean = new_notebook(cells=[new_code_cell(source) for source in CELLS])
    failing = copy.deepcopy(clean)
    number, right, wrong = MISTAKE
    failing.cells[number].source = failing.cells[number].source.replace(right, wrong)
    plain, unneeded, mended = [], [], []
    for _ in range(rounds):
        plain.append(seconds(lambda: NotebookClient(copy.deepcopy(clean)).execute()))
        unneeded.append(seconds(lambda: _healed(clean, "clean")))
        mended.append(seconds(lambda: _healed(failing, "healed")))
    heading(f"A notebook of 20 cells, its kernel's start and end included (load {os.getloadavg()[0]:.1f})")
    row("nbclient", plain)
    row("healed, where nothing fails", unneeded)
    ratio("  as a multiple of nbclient", unneeded, plain, "≤ 1.05")
    row("healed, where one cell fails; not verified", mended)
    ratio("  as a multiple of the same notebook already repaired", mended, unneeded)


def many_notebooks(count: int) -> None:
    """Small notebooks with a mistake each, on one and on two workers of a local Dask cluster."""
    with tempfile.TemporaryDirectory() as folder:
        jobs = _jobs(Path(folder), SMALL, count)
        one, two = (_run(jobs, workers) for workers in (1, 2))
    heading(
        f"{count} notebooks with a mistake each, healed and verified, on a Dask cluster (load {os.getloadavg()[0]:.1f})"
    )
    row("one worker, per notebook", [one / count])
    row("two workers, per notebook", [two / count])
    ratio("one worker's time as a multiple of two workers'", [one], [two], "≥ 1.8")


def scheduling(count: int) -> None:
    """The same, where a worker has nothing to do: what is left is reading, sending, scheduling and writing down."""
    real = dask_cluster.heal_remotely
    dask_cluster.heal_remotely = nothing  # type: ignore[assignment]
    try:
        with tempfile.TemporaryDirectory() as folder:
            jobs = _jobs(Path(folder), SMALL, 1) * count
            processor = time.process_time()
            took = _run(jobs, 2)
            processor = time.process_time() - processor
    finally:
        dask_cluster.heal_remotely = real
    heading(f"{count:,} tasks without any work (load {os.getloadavg()[0]:.1f})")
    row("a task's share, on the wall", [took / count])
    row("in the processor time of the scheduler and of us", [processor / count], "≤ 5 ms")


def nothing(content: bytes, options: Options) -> dask_cluster.Told:
    """What a worker sends back that had nothing to do."""
    return HealedNotebook(None, "clean").summary(), content.decode()


def _healed(notebook: Any, status: str) -> None:
    healed = heal_notebook(notebook, verify=False)
    assert healed.status == status, healed


def _jobs(folder: Path, sources: Sequence[str], count: int) -> list[Job]:
    jobs = []
    for number in range(count):
        path = folder / f"{number}.ipynb"
        nbformat.write(new_notebook(cells=[new_code_cell(source) for source in sources]), path)
        jobs.append(Job(str(path), Options(folder=str(folder))))
    return jobs


def _run(jobs: Sequence[Job], workers: int) -> float:
    """Seconds from the first task to the last result: a cluster's start and end are not counted."""
    times: list[float] = []

    def note(job: Job) -> None:
        times.append(time.perf_counter())

    for done in dask_cluster.heal_on_dask(jobs, dask_cluster.LOCAL, workers, Stops(), note):
        assert done.healed.status in ("healed", "clean"), done.healed
        note(done.job)
    return times[-1] - times[0]
