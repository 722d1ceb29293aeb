"""Which results were computed with the old text of an earlier cell."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from reflex_ipython.ipython.consequences import KernelConsequences
from reflex_ipython.ipython.edited_cells import EditedCells
from reflex_ipython.models import CellChanges, CellRef, Edit
from reflex_ipython.state.weak import ENDED

OLD, NEW = "def area(side): return side ** 3\n", "def area(side): return side ** 2\n"


def stale(run: Any, shell: Any, rest: str, *sources: str) -> list[str]:
    """What is named, if `area` changes in a first cell with that rest after those others have run."""
    for source in (OLD + rest, *sources, "1 / 0"):
        run(source)
    extension = shell.reflex_extension
    cells = {cell.source: CellRef(cell.id, cell.number) for cell in extension.cells.all()}
    earlier = Edit(cells[OLD + rest], OLD + rest, NEW + rest)
    changes = CellChanges((earlier,), Edit(cells["1 / 0"], "1 / 0", "1"))
    return KernelConsequences(shell, extension.cells, extension.watch.failures, EditedCells(extension.cells)).stale(
        changes
    )


def test_what_the_same_cell_computed_after_the_definition_is_named(run: Any, shell: Any) -> None:
    assert stale(run, shell, "first = area(1)") == ["`first` was computed with the old `area`"]


def test_names_and_outputs_that_are_gone_are_not_named(run: Any, shell: Any) -> None:
    found = stale(run, shell, "", "kept = area(1)", "gone = area(2)", "area(3)", "del gone\nOut.clear()\n_ = None")
    assert found == ["`kept` was computed with the old `area`"]


def test_very_many_results_are_counted(run: Any, shell: Any) -> None:
    sources = [f"n{number} = area({number})" for number in range(9)]
    (words,) = stale(run, shell, "", *sources)
    assert words == "`n0`, `n1`, `n2`, `n3`, `n4`, `n5`, and 3 more were computed with the old `area`"


def test_what_ran_before_the_definition_is_not_named(run: Any, shell: Any) -> None:
    run("area = abs")
    run("before = area(1)")
    assert stale(run, shell, "") == []


def uncovered(shell: Any, found: dict[str, str]) -> list[str]:
    """What is said of names that can't be put back for these reasons."""
    failures = SimpleNamespace(uncovered=lambda edit, earlier: found)
    nothing = CellChanges((), Edit(CellRef(), "", ""))
    cells = shell.reflex_extension.cells
    return [one.text for one in KernelConsequences(shell, cells, failures, EditedCells(cells)).findings(nothing)]  # type: ignore[arg-type]  # stand-ins


def test_what_cannot_be_put_back_is_named_with_the_reason(shell: Any) -> None:
    over, late = "more than 10,000 objects", "saving it would have taken too long for such quick cells"
    assert uncovered(shell, {"rows": over, "x": late, "more": over}) == [
        f"`rows` and `more` can't be put back if the failed run has changed them: {over}",
        f"`x` can't be put back if the failed run has changed it: {late}",
    ]


def test_what_has_surely_changed_is_not_said_to_may_have(shell: Any) -> None:
    assert uncovered(shell, {"x": ENDED, "the current figure": ENDED}) == [
        "`x` and the current figure can't be put back: their old values no longer exist"
    ]
    assert uncovered(shell, {"x": ENDED}) == ["`x` can't be put back: its old value no longer exists"]


def test_who_runs_the_whole_cell_is_told_what_that_alone_starts_with(run: Any, shell: Any) -> None:
    run("import numpy as np; big = np.zeros(300_000)")
    source = "big = big + 1\nmissing_name"
    run(source)
    extension = shell.reflex_extension
    (cell,) = [cell for cell in extension.cells.all() if cell.source == source]
    changes = CellChanges((), Edit(CellRef(cell.id, cell.number), source, source.replace("missing_name", "pass")))
    consequences = KernelConsequences(shell, extension.cells, extension.watch.failures, EditedCells(extension.cells))
    resumed, whole = consequences.run_options(changes)
    assert (resumed.line, resumed.repeats) == (2, ())
    assert (whole.line, whole.repeats) == (None, (f"big ({ENDED})",))
    assert not list(consequences.findings(changes))
