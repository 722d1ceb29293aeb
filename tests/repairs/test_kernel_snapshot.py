"""The copy of the kernel: how long a fix may take in it, and when that is found out."""

from __future__ import annotations

import math

import pytest

from reflex_ipython.models import CellRef, Edit, ExceptionInfo, Failure, Fix, Repair, Situation
from reflex_ipython.repairs import kernel_snapshot
from reflex_ipython.repairs.kernel_snapshot import KernelSnapshot
from tests.repairs.fakes import Copies

CELL = CellRef("c", 1)


def repair(source: str, line: int) -> Repair:
    failure = Failure("f", "", Situation(CELL, source), "run", (ExceptionInfo("NameError", "no"),), lineno=line)
    return Repair("r", "s", failure)


@pytest.mark.parametrize(("line", "original"), [(1, math.inf), (2, 0.5)])
def test_where_statements_follow_that_have_never_run_nobody_knows_how_long_they_take(
    line: int, original: float
) -> None:
    trials, failed = Copies(), repair("x = toatl\nfit(toatl)", line)
    snapshot = KernelSnapshot(trials, failed, 0.5)
    snapshot.make()
    snapshot.run(Fix("x", (Edit(CELL, failed.situation.source, "x = total\nfit(total)"),), "", "rule"))
    assert trials.originals == [original]


def test_the_cell_is_not_looked_at_before_its_reply_is_out(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Failure] = []
    monkeypatch.setattr(kernel_snapshot, "takes_unknown_time", looked.append)
    KernelSnapshot(Copies(), repair("x = toatl\nfit(x)", 1), 0.5).make()
    assert looked == []
