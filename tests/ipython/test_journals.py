"""The journals of one shell's cells."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace

from reflex_ipython.ipython.journals import Journals
from reflex_ipython.settings import Settings


def _printed(begun: int) -> None:
    """Nobody asks what was printed."""


def test_a_cell_that_succeeds_leaves_its_journal_to_the_next_one_unless_the_settings_change() -> None:
    shell, now = SimpleNamespace(user_ns={"x": 1}), [Settings()]
    journals = Journals(shell, lambda: now[0], _printed)
    first = journals.begin()
    first.before(compile("x = 2", "<cell>", "exec"))
    journals.end(first)
    assert len(first) == 0
    assert journals.begin() is first
    assert journals.begin() is not first  # nobody has given it back
    journals.end(first)
    now[0] = dataclasses.replace(now[0], undo_nodes=7)
    assert journals.begin()._noting.budget.bounds.nodes == 7


def test_another_namespace_has_another_journal() -> None:
    shell = SimpleNamespace(user_ns={})
    settings = Settings()
    journals = Journals(shell, lambda: settings, _printed)
    first = journals.begin()
    journals.end(first)
    shell.user_ns = {}
    assert journals.begin() is not first


def test_the_first_cells_journal_may_be_made_in_advance() -> None:
    shell, settings = SimpleNamespace(user_ns={}), Settings()
    journals = Journals(shell, lambda: settings, _printed)
    journals.warm_up()
    made = journals._empty
    assert made is not None
    assert journals.begin() is made
    journals.warm_up()  # a cell runs: nothing is to be prepared any more
    assert journals._empty is None


def test_a_share_of_time_that_is_set_meanwhile_holds_from_the_next_cell_on_and_what_was_earned_stays() -> None:
    shell, now = SimpleNamespace(user_ns={}), [Settings(undo_share=0.0)]
    journals = Journals(shell, lambda: now[0], _printed)
    journals.end(journals.begin())
    credit = journals._credit
    assert credit is not None
    credit.left = 0.0
    now[0] = dataclasses.replace(now[0], undo_share=0.5)
    journals.begin()
    credit.earn(0.1)
    assert journals._credit is credit
    assert credit.left == 0.05
