"""How long it takes to look ahead, once for each statement of a notebook. It is done beside the cell that runs."""

from __future__ import annotations

import os

from tests.bench.figures import heading
from tests.bench.light_notebook import CELLS, PREPARE
from tests.foreseen.alarms import looked


def main() -> None:
    """Print the figures."""
    came = looked([{"cells": [PREPARE, *CELLS]}])
    heading(f"Looking ahead in a light notebook of {len(CELLS)} cells (load {os.getloadavg()[0]:.1f})")
    print(f"  a look, the median {came.median:.2f} ms, the slowest {came.slowest:.1f} ms   goal ≤ 3 ms")
    print(f"  cells of several statements that ran {came.cells}, false alarms {len(came.alarms)}")
