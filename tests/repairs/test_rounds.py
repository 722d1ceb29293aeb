"""Which providers are asked about a failure, and when."""

from __future__ import annotations

from typing import Any, cast

import pytest

from reflex_ipython.models import CellRef, Edit, ExceptionInfo, Failure, Fix, Repair, Situation, Verdict
from reflex_ipython.repairs.loaded_plugins import LoadedPlugins
from reflex_ipython.repairs.rounds import Rounds
from reflex_ipython.settings import Settings

CELL = CellRef("c", 1)
FAILURE = Failure("f", "", Situation(CELL, "old"), "run", (ExceptionInfo("NameError", "no"),), lineno=1)


class NoPlugins:
    """Has no providers."""

    providers: tuple[Any, ...] = ()


@pytest.mark.parametrize(
    ("verdict", "asked"),
    [
        (Verdict("passed"), False),
        (Verdict("inconclusive"), False),
        (Verdict("blocked", is_past=True), False),
        (Verdict("blocked"), True),
        (Verdict("other_error"), True),
        (Verdict("timed_out"), True),
    ],
)
def test_the_notebooks_cells_are_looked_through_where_a_trial_speaks_against_each_fix(
    verdict: Verdict, asked: bool
) -> None:
    of_cells: Any = object()
    rounds = Rounds(cast(LoadedPlugins, NoPlugins()), Settings, lambda cause: of_cells)
    repair = Repair("r", "s", FAILURE, (Fix("x", (Edit(CELL, "old", "new"),), "", "rule"),), {"x": verdict})
    [found] = [one for one in rounds.of_failure(repair) if of_cells in one.providers]
    assert found.needed(repair) is asked
