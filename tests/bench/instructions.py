"""What a cell that succeeds pays in instructions of the processor.

There is little noise in them: two counts of one row differ by some thousandths, those of `pass` by two hundredths,
where two equal kernels differ in time by up to a tenth. Counted by valgrind's cachegrind, in a terminal's shell without
and with the extension: the difference of many rounds and a few, so that the start is none of it. What a kernel adds to
each cell, a request and its reply, is not in it; what is slow as memory is slow is not told from what is quick.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from tests.bench.figures import heading
from tests.bench.healthy import GOAL, ROWS, Row

FEW = 4
"""Rounds, after which nothing is met for the first time."""
MORE = {
    "pass": 300,
    "300 short statements in a cell": 70,
    "1,000 statements": 20,
    "10,000 statements": 3,
    "200 statements that print": 70,
    "300 appends": 70,
    "50 statements beside 100,000 names": 100,
}
"""The rows, and how many rounds more: some tens of thousands of statements, with collections of garbage among them."""
_TOTAL = re.compile(r"I\s+refs:\s+([\d,]+)")


def main() -> None:
    """Print the figures."""
    heading("Instructions of cells that succeed, without and with the extension (a terminal's shell)")
    if shutil.which("valgrind") is None:
        print("  left out: valgrind is not installed")
        return
    print(f"  {'':<48}{'plain':>12}{'with':>12}   ratio")
    for row in (row for row in ROWS if row.name in MORE):
        runs = [(row, rounds, loaded) for loaded in (False, True) for rounds in (FEW, FEW + MORE[row.name])]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            few, many, few_with, many_with = pool.map(lambda run: _counted(*run), runs)
        plain, with_it = ((b - a) / MORE[row.name] / 1e6 for a, b in ((few, many), (few_with, many_with)))
        print(f"  {row.name:<48}{plain:10.2f} M{with_it:10.2f} M{with_it / plain:8.3f}   goal {GOAL}", flush=True)


def _counted(row: Row, rounds: int, loaded: bool) -> int:
    """Instructions of a whole process that runs a row so many times."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        count = ["valgrind", "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={os.devnull}"]
        run = [sys.executable, "-m", "tests.bench.instructions", row.name, str(rounds), "with" if loaded else "without"]
        same = {"PYTHONHASHSEED": "0", "IPYTHONDIR": folder, "XDG_DATA_HOME": folder}
        ran = subprocess.run([*count, *run], env={**os.environ, **same}, capture_output=True, text=True, check=True)
    found = _TOTAL.search(ran.stderr)
    assert found, ran.stderr
    return int(found[1].replace(",", ""))


def _run(name: str, rounds: int, loaded: bool) -> None:
    """Run a row's cells in this process."""
    from IPython.core.interactiveshell import InteractiveShell

    (row,) = (row for row in ROWS if row.name == name)
    shell = InteractiveShell.instance()
    if loaded:
        shell.run_line_magic("load_ext", "reflex_ipython")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    for cell in (row.setup, *(row.before, row.cell) * rounds):
        shell.run_cell(cell, store_history=True).raise_error()
    os._exit(0)  # what ends with the process is no part of it


if __name__ == "__main__":
    _run(sys.argv[1], int(sys.argv[2]), sys.argv[3] == "with")
