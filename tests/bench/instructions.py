"""What a cell that succeeds pays in instructions of the processor.

There is little noise in them: two counts of one row differ by some thousandths, where two equal kernels differ in time
by up to a tenth. Counted by valgrind's cachegrind, of kernels without and with the extension, to which no page is
connected: the difference of many rounds and a few, so that the start is none of it. What is slow as memory is slow is
not told from what is quick.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from jupyter_client.manager import KernelManager

from tests.bench.figures import heading
from tests.bench.healthy import GOAL, ROWS, Row

FEW = 4
"""Rounds, after which nothing is met for the first time."""
MORE = {
    "pass": 200,
    "300 short statements in a cell": 30,
    "1,000 statements": 15,
    "10,000 statements": 3,
    "200 statements that print": 30,
    "300 appends": 30,
    "50 statements beside 100,000 names": 100,
}
"""The rows, and how many rounds more: some thousands of statements, with collections of garbage among them."""
_PATIENCE = 900
"""Seconds for whatever a kernel does here: it is some forty times as slow as without being counted."""
_TOTAL = re.compile(r"I\s+refs:\s+([\d,]+)")


def main() -> None:
    """Print the figures."""
    heading("Instructions of cells that succeed, without and with the extension (in millions)")
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
    """Instructions of a whole kernel that runs a row so many times."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        log = Path(folder, "log")
        count = ["valgrind", "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={os.devnull}"]
        manager = KernelManager(shutdown_wait_time=_PATIENCE)
        assert manager.kernel_spec is not None
        manager.kernel_spec.argv[:1] = [*count, f"--log-file={log}", sys.executable]
        same = {"PYTHONHASHSEED": "0", "IPYTHONDIR": folder, "XDG_DATA_HOME": folder}
        manager.start_kernel(env={**os.environ, **same})
        client = manager.blocking_client()
        client.start_channels()
        client.wait_for_ready(timeout=_PATIENCE)
        for cell in ("%load_ext reflex_ipython" if loaded else "", row.setup, *(row.before, row.cell) * rounds):
            if cell:
                reply = client.execute_interactive(cell, timeout=_PATIENCE, output_hook=lambda message: None)
                assert reply["content"]["status"] == "ok", reply
        client.stop_channels()
        manager.shutdown_kernel()
        found = _TOTAL.search(log.read_text())
    assert found, "the kernel was ended before it was counted"
    return int(found[1].replace(",", ""))
