"""How long it takes to find out what a model is told, and to make the question, by how much is in the notebook."""

from __future__ import annotations

import dataclasses
import functools
import tempfile
from collections.abc import Callable

from reflex_ipython.capture.redactor import SecretRedactor
from reflex_ipython.capture.similar import SimilarSearch
from reflex_ipython.models import Failure, new_id
from reflex_ipython.propose.prompt import LOCAL_BUDGET, SMALL_BUDGET, build_messages
from reflex_ipython.protocols import Request
from reflex_ipython.repairs.pipeline import without_secrets
from tests.bench.figures import heading, row, seconds
from tests.capture.conftest import Notebook

ROUNDS = 15
GOAL = "≤ 30 ms, flat"
SIZES = ((10, 10), (1_000, 100), (10_000, 1_000))  # variables, cells
FAILING = "average = sum(scoers) / len(scores)"


def main() -> None:
    """Print all figures."""
    for variables, cells in SIZES:
        heading(f"{variables:,} variables, {cells:,} cells")
        measured(notebook_of(variables, cells))


def measured(notebook: Notebook) -> None:
    """Print what the failure of a cell that misspells a name costs in a notebook, step by step."""
    error = notebook.error(FAILING)
    capture = functools.partial(notebook.capture, error, FAILING)
    timed("what is known of the failure, captured", capture)
    failure = capture()
    with tempfile.TemporaryDirectory() as folder:
        search = SimilarSearch(notebook.all, lambda: folder)
        timed("the cells that are like it, found", lambda: search.with_similar(anew(failure)), GOAL)
        told = search.with_similar(failure)
    timed("secrets taken out", lambda: without_secrets(told, Request(), SecretRedactor()), GOAL)
    for budget in (LOCAL_BUDGET, SMALL_BUDGET):
        timed(f"the question in {budget:,} characters", functools.partial(build_messages, told, budget=budget), GOAL)


def timed(name: str, work: Callable[[], object], goal: str = "") -> None:
    """Print how long some work takes, once what it imports is there."""
    work()
    row(name, [seconds(work) for _ in range(ROUNDS)], goal)


def notebook_of(variables: int, cells: int) -> Notebook:
    """A notebook of that size."""
    notebook = Notebook()
    notebook.namespace |= {f"value_{number}": [number] * 3 for number in range(variables)}
    notebook.run("scores = [1, 2, 3]")
    for number in range(cells):
        notebook.run(f"scores = scores + [{number}]\ntotal_{number} = sum(scores)")
    return notebook


def anew(failure: Failure) -> Failure:
    """The same as another one."""
    return dataclasses.replace(failure, id=new_id())
