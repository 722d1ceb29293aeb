"""What a statement changes in `In`, `Out` and `_dh` is put back; what the shell itself records stays."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Iterator
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from reflex_ipython.ipython.cell_run import ShellsOwn
from reflex_ipython.state.bounds import Bounds
from tests.state.cells import run
from tests.state.halves.half import failing

EXACT = "state restored exactly"


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    shell = InteractiveShell()
    monkeypatch.setattr(InteractiveShell, "_instance", shell)
    shell.user_ns.update({"__name__": "__main__", "get_ipython": lambda: shell})
    shell.run_cell("1 + 1", store_history=True)
    shell.run_cell("'abc'", store_history=True)
    yield shell
    shell.history_manager.end_session()
    sys.stdout.flush()


def records(shell: Any) -> tuple[Any, ...]:
    names = shell.user_ns
    return [*names["_oh"].items()], [*names["_ih"]], [*names["_dh"]], [names[name] for name in ("In", "Out")]


@pytest.mark.parametrize("called", [False, True], ids=["here", "in a function"])
@pytest.mark.parametrize(
    "change",
    [
        "Out.clear()",
        "del Out[1]",
        "Out[99] = 1",
        "In.append('x')",
        "In[1] = 'x'",
        "_oh.pop(2)",
        "_ih.clear()",
        "_dh.append('x')",
        "globals()['Out'].clear()",
        "get_ipython().user_ns['Out'].clear()",
        "get_ipython().user_ns['Out'] = {}",
        "get_ipython().user_ns['In'].pop()",
    ],
)
def test_what_is_changed_is_put_back(change: str, called: bool, shell: Any) -> None:
    before, own = records(shell), ShellsOwn()
    if called:
        exec(f"def act(): {change}", shell.user_ns)
    journal = run(shell.user_ns, failing("act()" if called else change), ignored=own)
    assert records(shell) != before, "the change must be one"
    assert journal.rollback(0).words == EXACT
    assert records(shell) == before


@pytest.mark.parametrize("cell", ["Out.pop(1)", "Out.clear()", "In.append('x')", "_dh.append('x')"])
def test_so_it_is_where_the_statement_is_seen_through(cell: str, shell: Any) -> None:
    before = records(shell)
    assert run(shell.user_ns, f"{cell}\n1 / 0", ignored=ShellsOwn()).rollback(0).words == EXACT
    assert records(shell) == before


@pytest.mark.parametrize("cell", ["x = Out[1], In[-1]", "globals()['x'] = 1", "Out.clear(); In.append('x')"])
def test_what_the_shell_records_meanwhile_stays(cell: str, shell: Any) -> None:
    before = records(shell)
    journal = run(shell.user_ns, failing(cell), ignored=ShellsOwn())
    shell.run_cell("3 + 4", store_history=True)
    shell.run_cell("not_in_the_history = 4")
    assert journal.rollback(0).words == EXACT
    results, inputs, *others = records(shell)
    assert (results, inputs) == ([*before[0], (3, 7)], [*before[1], "3 + 4"])
    assert others == [*before[2:]]


def test_nothing_is_taken_for_the_shells_own_before_the_input_of_a_cell_is_stored(shell: Any) -> None:
    before = records(shell)
    journal = run(shell.user_ns, failing("In.append('x')"), ignored=ShellsOwn())
    words: list[str] = []

    def as_a_cell_begins(info: Any) -> None:
        words.append(journal.rollback(0).words)
        shell.events.unregister("pre_run_cell", as_a_cell_begins)

    shell.events.register("pre_run_cell", as_a_cell_begins)
    shell.run_cell("3 + 4", store_history=True)
    assert words == [EXACT]
    assert records(shell)[1] == [*before[1], "3 + 4"]


def test_a_shell_that_was_reset_is_named(shell: Any) -> None:
    own = ShellsOwn()
    assert "In and Out" in run(shell.user_ns, failing("get_ipython().reset()"), ignored=own).rollback(0).words


def test_who_reads_a_result_without_a_note_is_told_nothing_of_it(shell: Any) -> None:
    own, none = ShellsOwn(), Bounds(nodes=0, bytes=0, milliseconds=0)
    assert "In and Out" not in run(shell.user_ns, failing("y = Out[1]"), none, ignored=own).rollback(0).words


def test_a_result_ends_when_a_cell_that_drops_it_is_over(shell: Any) -> None:
    exec("class Big: pass", shell.user_ns)
    big = shell.user_ns["Out"][3] = shell.user_ns["Big"]()
    seen = weakref.ref(big)
    del big
    journal = run(shell.user_ns, "Out.clear()", ignored=ShellsOwn())
    journal.let_go()
    gc.collect()
    assert seen() is None
