"""What is looked at after a failure does not have the collector walk through the user's objects."""

from __future__ import annotations

import ast
import gc
import os
from collections.abc import Iterator
from typing import Any

import pytest

from reflex_ipython.state.collector import without_collector

LONG = "\n".join(f"name_{number} = [{number}, {number} + 1]" for number in range(600))


@pytest.fixture
def collections() -> Iterator[list[int]]:
    """The generations that are collected during the test."""
    begun: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            begun.append(info["generation"])

    gc.callbacks.append(note)
    yield begun
    gc.callbacks.remove(note)


def test_a_failure_is_looked_at_without_a_collection(
    shell: Any, collections: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.run_cell("first_failure")  # imports what is needed
    begins = shell.reflex_extension.assembly.new_repairs
    of_failure = begins.of_failure
    during: list[int] = []

    def counted(*args: Any, **named: Any) -> Any:
        before = len(collections)
        result = of_failure(*args, **named)
        during.append(len(collections) - before)
        return result

    monkeypatch.setattr(begins, "of_failure", counted)
    shell.run_cell(LONG + "\nname_7 + nmae_8", store_history=True)
    assert during == [0]
    assert gc.isenabled()


def test_no_tree_of_a_cell_that_failed_is_kept(shell: Any) -> None:
    shell.run_cell("first_failure", store_history=True)
    counts = []
    for number in range(4):
        shell.run_cell(f"{LONG}\nname_7 + nmae_{number}", store_history=True)
        for opened in shell.reflex_extension.assembly.session.repairs.all_open():
            opened.worker.join(60)
        shell.run_cell("pass", store_history=True)
        gc.collect()
        counts.append(sum(type(o) is ast.Assign for o in gc.get_objects()))
    assert counts[-1] - counts[1] == 2 * 600  # IPython's own, for its traceback


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows has no fork, so no copy of the kernel is made")
def test_a_copy_that_is_made_meanwhile_has_its_collector() -> None:
    with without_collector():
        child = os.fork()
        if child == 0:
            os._exit(0 if gc.isenabled() else 1)
        assert not gc.isenabled()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert gc.isenabled()
