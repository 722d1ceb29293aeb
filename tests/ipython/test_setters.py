"""A name that a cell which failed would have set."""

from __future__ import annotations

from typing import Any

from reflex_ipython.models import Lookup


def lookup(shell: Any) -> Lookup:
    failure = shell.reflex_extension.assembly.session.repairs.latest().failure
    assert failure.lookup is not None
    found: Lookup = failure.lookup
    return found


def test_the_cell_and_what_ended_it_are_told(run: Any, shell: Any) -> None:
    run("d = {}\nd['b']\ntotal = 3")
    run("print(total)")
    [setter] = lookup(shell).setters
    assert (setter.cell.execution_count, setter.error, setter.error_line) == (1, "KeyError: 'b'", 2)
    _, text = run("%reflex explain")
    assert "In [1] sets `total`, but failed on line 2: KeyError: 'b'." in text


def test_a_name_that_was_set_and_deleted_since_is_no_failed_cells(run: Any, shell: Any) -> None:
    run("d = {}\nd['b']\ntotal = 3")
    run("d = {'b': 1}\nd['b']\ntotal = 3")
    run("del total")
    run("print(total)")
    assert lookup(shell).setters == ()
