"""What a copy of a real kernel costs, and what a trial in it costs on top of its own run."""

from __future__ import annotations

import itertools
import json
import os
import statistics
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reflex_ipython.base import process_memory
from reflex_ipython.check.trial.runner import Runner
from reflex_ipython.check.trial.zygote import Zygote
from tests.bench.figures import heading, row
from tests.check.build import edits
from tests.kernel.driver import Kernel

GIB = 1 << 30
COPIES = 7
TRIALS = 5  # in each, besides the first
ROOMY = 2  # times its size must be free: copies share what nobody writes to
HUGE_PAGES = Path("/sys/kernel/mm/transparent_hugepage/enabled")

SCIENTIFIC = """
import matplotlib.pyplot as plt, numpy as np, pandas as pd
from sklearn.ensemble import HistGradientBoostingRegressor
x = np.random.default_rng(0).normal(size=(2_500_000, 5))
model = HistGradientBoostingRegressor(max_iter=5).fit(x[:5_000], x[:5_000, 0])
df = pd.DataFrame(x[:200_000], columns=list("abcde")).assign(text=[f"row {n}" for n in range(200_000)])
figure, axes = plt.subplots(); axes.plot([1, 2]); plt.close(figure)
"""
ARRAYS = "import numpy as np\narrays = [np.ones(1 << 25) for _ in range({size} * 4)]"
OBJECTS = "rows = [{{'n': n, 'text': f'row {{n}}', 'pair': (n, n + 1.5)}} for n in range({size} * (1 << 30) // 520)]"

MEASURE = """
import json, sys
sys.path[:0] = {paths!r}
from reflex_ipython.ipython.trial_runner import ShellRunner
from tests.bench.trial import measure
print(json.dumps(measure(ShellRunner(get_ipython(), lambda source: None, lambda edit: None))))
"""


@dataclass(frozen=True)
class Case:
    """A kernel to copy.

    Parameters
    ----------
    name : str
    setup : str
        The cell that fills it.
    size : int
        GiB that it takes.
    environment : dict
    goal : str
        What a trial should take on top of its own run.
    """

    name: str
    setup: str = ""
    size: int = 0
    environment: dict[str, str] = field(default_factory=dict)
    goal: str = ""


def cases() -> list[Case]:
    """All of them. numpy asks for huge pages itself, unless it is told not to."""
    huge, small = {"NUMPY_MADVISE_HUGEPAGE": "1"}, {"NUMPY_MADVISE_HUGEPAGE": "0"}
    return [
        Case("an empty kernel"),
        Case("a scientific kernel", SCIENTIFIC, goal="≤ 100 ms"),
        *(Case(f"{n} GB of arrays in huge pages", ARRAYS.format(size=n), n, huge) for n in (1, 4, 8)),
        *(Case(f"{n} GB of arrays in pages of 4 KB", ARRAYS.format(size=n), n, small) for n in (1, 4, 8)),
        Case("2 GB of small objects", OBJECTS.format(size=2), 2),
    ]


def main() -> None:
    """Print all figures."""
    print(f"\ntransparent huge pages: {HUGE_PAGES.read_text().strip()}; load: {os.getloadavg()[0]:.2f}")
    for case in cases():
        there = process_memory.available()
        if there < ROOMY * case.size * GIB:
            heading(f"{case.name}: left out, since only {there / GIB:.1f} GB are free, not {ROOMY} times its size")
        else:
            report(case)


def report(case: Case) -> None:
    """Print the figures of one kernel."""
    kernel = Kernel(**case.environment)
    try:
        assert kernel.run(case.setup).status == "ok"
        ran = kernel.run(MEASURE.format(paths=sys.path))
        assert ran.status == "ok", ran.reply
        found: dict[str, Any] = json.loads(ran.text.splitlines()[-1])
    finally:
        kernel.close()
    private = statistics.median(found["private"]) / (1 << 20)
    heading(f"{case.name} ({found['resident'] / GIB:.2f} GB; {private:.1f} MB belong to the copy alone)")
    row("the fork, on the main thread", found["fork"])
    row("until the copy is ready", found["ready"])
    row("the first trial, besides its own run", found["first"], case.goal)
    row("a later one", found["later"], case.goal)
    row("the end of the copy", found["end"])


def measure(runner: Runner) -> dict[str, Any]:
    """In the kernel: seconds of each step, and bytes, for several copies."""
    found: dict[str, Any] = {name: [] for name in ("fork", "ready", "first", "later", "end", "private")}
    for _ in range(COPIES):
        marks = [time.perf_counter()]
        zygote = Zygote.start(runner)
        marks.append(time.perf_counter())
        zygote._lines._first.problem(60)
        marks.append(time.perf_counter())
        overheads = [_overhead(zygote) for _ in range(1 + TRIALS)]
        found["private"].append(zygote.memory())
        marks.append(time.perf_counter())
        zygote.close()
        marks.append(time.perf_counter())
        fork, ready, _, end = (after - before for before, after in itertools.pairwise(marks))
        for name, value in (("fork", fork), ("ready", ready), ("first", overheads[0]), ("end", end)):
            found[name].append(value)
        found["later"] += overheads[1:]
    return {**found, "resident": process_memory.resident()}


def _overhead(zygote: Zygote) -> float:
    start = time.perf_counter()
    trial = zygote.trial(edits("n = 1"))
    took = time.perf_counter() - start
    assert trial.outcome == "passed", trial
    return took - trial.seconds
