"""The code cells of a case's notebook, by their ids: those that ran, and those that did not."""

from __future__ import annotations

from reflex_ipython.headless.bench.cases import Case

FAILING = "failing"
"""The id of the cell that fails."""


def setup_id(number: int) -> str:
    """The id of a cell of the setup, from 1."""
    return f"setup-{number}"


def notebook_cells(case: Case) -> dict[str, str]:
    """The sources of the notebook's code cells by their ids, in its order.

    A cell of the setup that the notebook does not have ran and was deleted since.

    Parameters
    ----------
    case : Case
    """
    ran = [(setup_id(number), source) for number, source in enumerate(case.setup, 1)]
    left = [*ran, (FAILING, case.cell)]
    found: dict[str, str] = {}
    for number, source in enumerate(case.notebook or [source for _, source in left], 1):
        same = next((one for one in left if one[1] == source), None)
        if same is not None:
            left.remove(same)
        found[same[0] if same is not None else f"not-run-{number}"] = source
    return found
