"""How long an accepted run takes whose first part was slow and does not run again, in a real kernel."""

from __future__ import annotations

import os

from tests.bench.figures import heading, row, seconds
from tests.kernel.driver import Kernel

SLOW = 2.0
"""Seconds."""


def main(rounds: int = 7) -> None:
    """Print the figures."""
    kernel = Kernel()
    kernel.run("%load_ext reflex_ipython")
    kernel.run("import time\ntotal = 3")
    first, accepted, plain = [], [], []
    for _ in range(rounds + 1):
        first.append(seconds(lambda: kernel.run(f"time.sleep({SLOW})\nprint(toatl)")))
        accepted.append(seconds(lambda: kernel.run("%reflex accept")))
        plain.append(seconds(lambda: kernel.run("print(total)")))
    kernel.run(f"time.sleep({SLOW})\nprint(toatl)")
    kernel.run("%reflex accept")
    words = kernel.value("get_ipython().reflex_extension.assembly.session.repairs.latest().rerun.state")
    kernel.close()
    heading(f"A cell that fails after {SLOW:g} s, and its accepted run: {words} (load {os.getloadavg()[0]:.1f})")
    row("the cell that fails", first[1:])
    row("the accepted run, from the request to idle", accepted[1:], f"≤ 50 ms + the rest, not {SLOW:g} s")
    row("the rest alone, run by hand", plain[1:])
