"""How many fixes can be tried on copies of a real kernel, one or several at a time; how soon a search finds one."""

from __future__ import annotations

import contextlib
import json
import os
import statistics
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from reflex_ipython.check.trial import ForkedTrials
from reflex_ipython.check.trial.runner import Runner
from reflex_ipython.check.trial.zygote import Zygote
from reflex_ipython.models import CellChanges, CellRef, Edit, Fix, Trial, Verdict
from reflex_ipython.repairs.search import tried
from tests.bench.figures import heading, row, seconds
from tests.check.build import edits
from tests.kernel.driver import Kernel

CANDIDATES = 24
ROUNDS = 9
SECONDS = 2.0  # of a search

PANDAS = """
import numpy as np, pandas as pd
df = pd.DataFrame({"region": list("abcd") * 250, "sales": range(1000)})
"""
LARGE = PANDAS + 'large = pd.DataFrame(np.random.default_rng(0).random((6_250_000, 10)), columns=list("abcdefghij"))'
KERNELS = {"an empty kernel": "", "pandas": PANDAS, "pandas and a frame of 500 MB": LARGE}

MEASURE = """
import json, sys
sys.path[:0] = {paths!r}
from reflex_ipython.ipython.trial_runner import ShellRunner
from tests.bench import search
print(json.dumps(search.{what}(ShellRunner(get_ipython(), lambda source: None, lambda edit: None))))
"""


def main() -> None:
    """Print all figures. The kernels have no history of years: that is an open file, copied for each candidate."""
    print(f"\n{len(os.sched_getaffinity(0))} processors; load: {os.getloadavg()[0]:.2f}")
    for name, setup in KERNELS.items():
        with tempfile.TemporaryDirectory() as folder, contextlib.closing(Kernel(IPYTHONDIR=folder)) as kernel:
            assert kernel.run(setup).status == "ok"
            heading(f"{name}: candidates a second (the median of {ROUNDS} rounds of {CANDIDATES}, by turns)")
            for at_once, found in _measured(kernel, "rates").items():
                print(f"  {at_once} at a time{'':<47}{CANDIDATES / statistics.median(found):9.1f}")
            if setup:
                found = _measured(kernel, "searches")
                heading(f"{name}: a search among {CANDIDATES}, every third of which runs, from before the copy on")
                row("until the first that runs", found["first"], "≤ 600 ms")
                row(f"until all were tried ({statistics.median(found['tried']):g}), or time was up", found["all"])


def _measured(kernel: Kernel, what: str) -> dict[str, Any]:
    ran = kernel.run(MEASURE.format(paths=sys.path, what=what))
    assert ran.status == "ok", ran.reply
    found: dict[str, Any] = json.loads(ran.text.splitlines()[-1])
    return found


def rates(runner: Runner) -> dict[int, list[float]]:
    """In the kernel: seconds for all candidates, by how many are tried at a time."""
    zygote = Zygote.start(runner)
    found: dict[int, list[float]] = {}
    with zygote.several() as most:
        for round_number in range(1 + ROUNDS):
            for at_once in range(1, most + 1):
                took = seconds(lambda at_once=at_once: _try_all(zygote, at_once))
                if round_number:  # in the first one, twins are made
                    found.setdefault(at_once, []).append(took)
    zygote.close()
    return found


def _try_all(zygote: Zygote, at_once: int) -> None:
    with ThreadPoolExecutor(at_once) as pool:
        trials = list(pool.map(lambda _: zygote.trial(edits("n = 1")), range(CANDIDATES)))
    assert {trial.outcome for trial in trials} == {"passed"}, trials


def searches(runner: Runner) -> dict[str, list[float]]:
    """In the kernel: seconds until the first candidate that runs, and until the end of each search."""
    found: dict[str, list[float]] = {"first": [], "all": [], "tried": []}
    fixes = [_candidate(number) for number in range(CANDIDATES)]
    for _ in range(ROUNDS):
        trials, start, outcomes = ForkedTrials(), time.perf_counter(), list[str]()

        def run(fix: Fix, most: float, trials: ForkedTrials = trials) -> Trial:
            return trials.run("r", CellChanges((), fix.edits[0]), most)

        assert trials.freeze("r", runner) == ""
        with trials.several("r") as at_once:
            for one in tried(
                fixes, run, _judged, time.monotonic, seconds=SECONDS, cancelled=threading.Event(), at_once=at_once
            ):
                if one.verdict.outcome == "passed" and "passed" not in outcomes:
                    found["first"].append(time.perf_counter() - start)
                outcomes.append(one.verdict.outcome)
        found["all"].append(time.perf_counter() - start)
        found["tried"].append(len(outcomes))
        trials.close()
    return found


def _candidate(number: int) -> Fix:
    """The likelier, the lower its number."""
    column = "region" if number % 3 == 2 else f"regoin{number}"
    source = f"df.groupby({column!r}).sales.sum()"
    return Fix(str(number), (Edit(CellRef("c"), "", source),), "", "rule", prior=0.4 - number / 100)


def _judged(fix: Fix, trial: Trial) -> Verdict:
    return Verdict(trial.outcome, trial=trial)
