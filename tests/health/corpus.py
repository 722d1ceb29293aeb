"""Running notebooks of docstrings in three kernels: two plain ones, whose word it is what is the same each time."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from tests.health.docstrings import Notebook
from tests.health.kernels import Subject, run_each, run_notebook
from tests.health.outcomes import Outcome

QUICK = 0.3
"""Seconds of a processor that a cell may take; a notebook with a slower one is left out."""
SEEDED = "import random\nrandom.seed(0)\nnp.random.seed(0)"
EVERY_RESULT = "get_ipython().ast_node_interactivity = 'all'"


@dataclasses.dataclass(frozen=True)
class Difference:
    """A cell with another outcome with the extension than without."""

    notebook: str
    cell: str
    plain: Outcome
    loaded: Outcome

    def __str__(self) -> str:
        return f"{self.notebook}\n{self.cell}\n  without: {self.plain}\n  with:    {self.loaded}"


@dataclasses.dataclass
class Comparison:
    """What came of it.

    Parameters
    ----------
    cells : int
        How many were compared: they succeed, with the same outcome each time.
    differences : list of Difference
    peaks : tuple of int
        Bytes, without and with.
    """

    cells: int
    differences: list[Difference]
    peaks: tuple[int, int]


def succeeding(subject: Subject, notebooks: Sequence[Notebook]) -> list[Notebook]:
    """The notebooks with their quick cells that succeed."""
    subject.run(EVERY_RESULT)
    found = []
    for notebook in notebooks:
        cells, slowest = [], 0.0
        for cell in (notebook.cells[0], SEEDED, *notebook.cells[1:]):
            before = subject.worked()
            status = subject.run(cell)[-1][1]["status"]
            slowest = max(slowest, subject.worked() - before) if cells else 0.0  # the first one imports
            if status == "ok":
                cells.append(cell)
        subject.forget_names()
        if len(cells) > 2 and slowest <= QUICK:
            found.append(Notebook(notebook.name, tuple(cells)))
    return found


def compare(checked: Subject, plain: Subject, loaded: Subject, notebooks: Sequence[Notebook]) -> Comparison:
    """Run each notebook cell by cell, and once more as one cell of many statements.

    Parameters
    ----------
    checked, plain : Subject
        Two kernels without the extension.
    loaded : Subject
        One with it.
    notebooks : sequence of Notebook
        Cells that succeed.
    """
    subjects = (checked, plain, loaded)
    run_each(subjects, EVERY_RESULT)
    comparison = Comparison(0, [], (0, 0))
    for notebook in notebooks:
        joined = (*notebook.cells[:2], "\n".join(notebook.cells[2:]))
        outcomes = run_notebook(subjects, notebook.cells) + run_notebook(subjects, joined)
        for cell, (again, without, with_it) in zip(notebook.cells + joined, outcomes):
            if again == without and without[-1][1]["status"] == "ok":
                comparison.cells += 1
                if with_it != without:
                    comparison.differences.append(Difference(notebook.name, cell, without, with_it))
    comparison.peaks = (plain.peak(), loaded.peak())
    return comparison
