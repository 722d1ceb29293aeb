"""A repair that leaves the memory takes all that the kernel holds for it along."""

from __future__ import annotations

import sys
import time

import pytest

from tests.kernel.copies import COPIES
from tests.kernel.driver import Kernel

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a copy of the kernel needs Linux")
KEPT = 3
PROBE = f"""
import gc, os, reflex_ipython.repairs.open_repairs as open_repairs
open_repairs.KEPT = {KEPT}
kinds = "OpenRepair", "RepairWorker", "KernelSnapshot", "PanelWidget", "WidgetPanel"
def held():
    gc.collect()
    names = [type(thing).__name__ for thing in gc.get_objects()]
    return [names.count(kind) for kind in kinds]
def descriptors():
    return len(os.listdir("/proc/self/fd"))
total = 3
"""


def fail(kernel: Kernel, times: int) -> None:
    for number in range(times):
        kernel.settled(kernel.run(f"toatl + {number}"))


def becomes(kernel: Kernel, expression: str, value: object) -> object:
    end = time.monotonic() + 60
    while (found := kernel.value(expression)) != value and time.monotonic() < end:
        time.sleep(0.05)
    return found


def test_nothing_of_a_forgotten_repair_is_held(kernel: Kernel) -> None:
    kernel.run(PROBE + COPIES)
    fail(kernel, KEPT)
    assert becomes(kernel, "held()", [KEPT] * 5) == [KEPT] * 5
    assert becomes(kernel, "copies()", 2) == 2
    before = kernel.value("descriptors()")
    fail(kernel, 3 * KEPT)
    assert becomes(kernel, "held()", [KEPT] * 5) == [KEPT] * 5
    assert becomes(kernel, "copies()", 2) == 2
    assert becomes(kernel, f"descriptors() <= {before}", True) is True
