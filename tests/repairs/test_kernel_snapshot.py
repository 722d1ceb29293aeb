"""The copy of the kernel: what is asked of it for a fix."""

from __future__ import annotations

import pytest

from reflex_ipython.models import CellRef, Edit, ExceptionInfo, Failure, Fix, Repair, Situation
from reflex_ipython.repairs.kernel_snapshot import KernelSnapshot
from tests.repairs.fakes import Copies

CELL = CellRef("c", 1)


@pytest.mark.parametrize("most", [None, 0.5])
def test_a_fix_gets_all_the_time_of_a_trial_unless_there_is_less(most: float | None) -> None:
    failure = Failure("f", "", Situation(CELL, "fit(toatl)"), "run", (ExceptionInfo("NameError", "no"),), lineno=1)
    trials = Copies()
    snapshot = KernelSnapshot(trials, Repair("r", "s", failure))
    snapshot.make()
    snapshot.run(Fix("x", (Edit(CELL, "fit(toatl)", "fit(total)"),), "", "rule"), most)
    assert trials.most == [most]
