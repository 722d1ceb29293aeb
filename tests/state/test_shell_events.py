"""What the code registers with the shell's events is taken away again, and told of where it stays."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from reflex_ipython.state.effect import Repeat
from tests.state.cells import run

REGISTERED = "registered what the shell calls for each cell"


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    shell = InteractiveShell()
    monkeypatch.setattr(InteractiveShell, "_instance", shell)
    shell.events.register("pre_run_cell", print)
    yield {"ip": shell, "ev": shell.events, "get_ipython": lambda: shell, "f": len}
    shell.history_manager.end_session()
    sys.stdout.flush()


WAYS = ["ip.events", "ev", "get_ipython().events"]


@pytest.mark.parametrize("events", WAYS)
def test_a_callback_is_taken_away_and_one_that_was_removed_comes_back(events: str, names: dict[str, Any]) -> None:
    callbacks = names["ev"].callbacks
    before = {event: [*functions] for event, functions in callbacks.items()}
    more = f"{events}.register('post_execute', f)\n{events}.unregister('pre_run_cell', print)\n1 / 0"
    journal = run(names, more, ignored=frozenset({"get_ipython"}))
    assert callbacks != before
    assert REGISTERED not in journal.rollback(0).words
    assert callbacks == before


@pytest.mark.parametrize("events", WAYS)
def test_that_the_resumed_cell_calls_it_too_is_told(events: str, names: dict[str, Any]) -> None:
    journal = run(names, f"{events}.register('pre_run_cell', f)\n1 / 0", ignored=frozenset({"get_ipython"}))
    repeats = journal.aftermath.repeats()
    assert Repeat(REGISTERED, left=True) in repeats[0]
    assert repeats[1] == ()


def test_nothing_is_told_of_who_only_looks(names: dict[str, Any]) -> None:
    journal = run(names, "len(get_ipython().events.callbacks)\n1 / 0", ignored=frozenset({"get_ipython"}))
    assert journal.aftermath.repeats() == [(), ()]
