"""The table of kinds tells the truth: what a row calls exact leaves no trace, what it calls named is in the report."""

from __future__ import annotations

import pytest

from reflex_ipython.state.ambient import ambient_kinds
from reflex_ipython.state.bounds import Bounds, Budget
from reflex_ipython.state.kinds.document import markdown
from reflex_ipython.state.kinds.table import all_kinds
from reflex_ipython.state.memory import CellMemory
from tests.state.cells import run
from tests.state.examples import NAMED, Example, available, notebook, nothing_of_the_users_may_run
from tests.state.picture import Picture

CHANGES = [(example, change) for example in available() for change in example.changes]
NAMED_CHANGES = [(example, change) for example in NAMED for change in example.changes]
NOT_AT_FIRST = ("queue.rotate()", "frozen |= {3}")
"""Changes that a picture can't tell from none."""


@pytest.mark.parametrize(("example", "change"), CHANGES, ids=[change for _, change in CHANGES])
@pytest.mark.filterwarnings("ignore:The inplace keyword")
def test_a_change_of_an_object_that_can_be_put_back_leaves_no_trace(example: Example, change: str) -> None:
    names = notebook(available())
    before = Picture(names)
    journal = run(names, f"{change}\n1 / 0")
    assert example.name == "zipped" or before.differences(Picture(names)), "the change must be one"
    with nothing_of_the_users_may_run():
        restoration = journal.rollback(0)
    assert restoration.words == "state restored exactly"
    assert before.differences(Picture(names)) == set()


@pytest.mark.parametrize(("example", "change"), NAMED_CHANGES, ids=[change for _, change in NAMED_CHANGES])
def test_an_object_that_cannot_be_put_back_is_named(example: Example, change: str) -> None:
    names = notebook((*available(), example))
    restoration = run(names, f"{change}\n1 / 0").rollback(0)
    listed = {text.partition(" (")[0] for text in (*restoration.not_undone, *restoration.except_names)}
    assert listed & {example.name, "cursor"}
    assert not restoration.exact


def test_every_kind_that_is_not_exact_says_what_is_not_put_back() -> None:
    for kind in all_kinds():
        assert bool(kind.limit) == (kind.coverage == "partial"), kind.name
        assert (kind.restore is None) or kind.coverage != "named", kind.name


def test_the_documented_table_has_a_line_for_every_kind() -> None:
    kinds = [*all_kinds(), *ambient_kinds()]
    text = markdown(kinds)
    assert all(f"| {kind.name} | {kind.coverage} | {kind.limit} |" in text for kind in kinds)


def test_every_kind_of_the_table_is_met_by_an_example() -> None:
    names = notebook((*available(), *NAMED, *MORE))
    memory = CellMemory(Budget(Bounds()))
    met = {kind.name for o in names.values() for kind, _ in memory.learn(type(o))}
    journal = run(names, "(" + ",".join(names) + ")")
    met |= {kind.name for mark in journal._marks for kind, _, _ in mark.noted.notes}
    names["file"].close()
    names["coroutine"].close()
    assert {kind.name for kind in all_kinds()} - met == ELSEWHERE & {kind.name for kind in all_kinds()}


MORE = (
    Example("file", "file = open(__import__('os').devnull)", ("file.read()",)),
    Example("logger", "import logging; logger = logging.getLogger('x')", ("logger.setLevel(10)",)),
    Example("coroutine", "async def _c(): pass\ncoroutine = _c()", ("coroutine.close()",)),
    Example("asynchronous", "async def _a(): yield 1\nasynchronous = _a()", ("asynchronous.ag_code",)),
    Example(
        "reentrant", "import threading; reentrant = threading.RLock()", ("reentrant.acquire(); reentrant.release()",)
    ),
)
ELSEWHERE = {
    "sklearn fitted tree",  # test_libraries.py
    "matplotlib callbacks",
    "matplotlib marker",
    "module of your own",  # test_modules.py
    "torch.Tensor",  # test_tensors.py
    "torch storage",
    "torch.Generator",
}
