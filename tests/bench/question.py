"""How long it takes to make the question to a model, by how much there is in the notebook."""

from __future__ import annotations

import functools

from reflex_ipython.models import Failure
from reflex_ipython.propose.prompt import LOCAL_BUDGET, SMALL_BUDGET, build_messages
from tests.bench.figures import heading, row, seconds
from tests.capture.conftest import Notebook

ROUNDS = 15
SIZES = ((10, 10), (1_000, 100), (10_000, 1_000))  # variables, cells


def main() -> None:
    """Print all figures."""
    for variables, cells in SIZES:
        heading(f"{variables:,} variables, {cells:,} cells")
        failure = failed(variables, cells)
        for budget in (LOCAL_BUDGET, SMALL_BUDGET):
            build = functools.partial(build_messages, failure, budget=budget)
            build()  # what it imports
            taken = [seconds(build) for _ in range(ROUNDS)]
            row(f"the question in {budget:,} characters", taken, "≤ 30 ms, flat")


def failed(variables: int, cells: int) -> Failure:
    """The failure of a cell that misspells a name, in a notebook of that size."""
    notebook = Notebook()
    notebook.namespace |= {f"value_{number}": [number] * 3 for number in range(variables)}
    notebook.run("scores = [1, 2, 3]")
    for number in range(cells):
        notebook.run(f"scores = scores + [{number}]\ntotal_{number} = sum(scores)")
    return notebook.fail("average = sum(scoers) / len(scores)")


if __name__ == "__main__":
    main()
