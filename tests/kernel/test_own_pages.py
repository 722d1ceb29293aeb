"""A cell behind one that failed does not wait for the memory that it shares with a copy of the kernel."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from reflex_ipython.base.own_pages import own_pages
from tests.kernel.driver import PATIENCE, Kernel

SET_UP = """
import resource
from reflex_ipython.ipython import kernel_trials
get_back, freeze, frozen, asked = kernel_trials.own_pages, kernel_trials.KernelTrials.freeze, [], []
def noted(self, repair):
    freeze(self, repair)
    frozen.append(repair)
    write("copied")
def told(ends):
    done = {0}
    if len(asked) < len(frozen):  # else it is due for a failure before this test
        asked.append(done)
        write(done)
    return done
def write(what):
    with open({1!r}, "a") as file:
        file.write(f"{{len(frozen)}} {{len(asked)}} {{what}}\\n")
kernel_trials.KernelTrials.freeze, kernel_trials.own_pages = noted, told
objects = [[number] for number in range(200_000)]
"""
WRITES = """
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for one in objects:
    one[0] = None
faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
"""


@pytest.mark.skipif(own_pages(lambda: True) is None, reason="this system can't have pages copied ahead")
def test_it_has_its_memory_back_by_then(kernel: Kernel, tmp_path: Path) -> None:
    tried = (faults(kernel, "get_back(ends, 1 << 30)", tmp_path / f"{number}") for number in range(3))
    assert any(waited < 500 for waited in tried), "what other threads map meanwhile may be left out; not three times"
    assert faults(kernel, "None", tmp_path / "second") > 1_500, "else the first figure says nothing"


def faults(kernel: Kernel, done: str, file: Path) -> int:
    """How many pages a cell waits for, once another one has failed and its fix was tried."""
    assert kernel.run(SET_UP.format(done, str(file))).status == "ok"
    kernel.settled(kernel.run("print(objetcs[0])"))
    until = time.monotonic() + PATIENCE
    while not _is_had_back(file):  # not asked in a cell: nobody gets memory back while one runs
        assert time.monotonic() < until
        time.sleep(0.05)
    assert kernel.run(WRITES).status == "ok"
    print("copies made, memory had back, what came last:", file.read_text())
    kernel.run("kernel_trials.own_pages, kernel_trials.KernelTrials.freeze = get_back, freeze")
    return int(kernel.value("faults"))


def _is_had_back(file: Path) -> bool:
    """Whether that was done after each copy that was made."""
    lines = file.read_text().splitlines() if file.exists() else []
    return bool(lines) and len(set(lines[-1].split()[:2])) == 1
