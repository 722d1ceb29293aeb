"""Which results were computed with the old text of an earlier cell."""

from __future__ import annotations

from typing import Any

from reflex_ipython.ipython.consequences import KernelConsequences
from reflex_ipython.models import CellEdit, CellRef

OLD, NEW = "def area(side): return side ** 3\n", "def area(side): return side ** 2\n"


def stale(run: Any, shell: Any, rest: str, *sources: str) -> list[str]:
    """What is named, if `area` changes in a first cell with that rest after those others have run."""
    for source in (OLD + rest, *sources, "1 / 0"):
        run(source)
    extension = shell.reflex_extension
    cells = {cell.source: CellRef(cell.id, cell.number) for cell in extension.cells.all()}
    edits = [CellEdit(cells[OLD + rest], OLD + rest, NEW + rest), CellEdit(cells["1 / 0"], "1 / 0", "1")]
    return KernelConsequences(shell, extension.cells, extension.resuming).stale(edits)


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
