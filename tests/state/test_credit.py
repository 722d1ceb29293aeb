"""What noting may take of the cells' time: a share, a little in advance, and no more than is there."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import pytest

from reflex_ipython.state.bounds import NO_CREDIT
from reflex_ipython.state.credit import ADVANCE, MOST, Credit, Unlimited
from reflex_ipython.state.journal import Journal
from reflex_ipython.state.walk import Walk


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_share_of_what_statements_took_is_earned_up_to_a_bound(clock: Clock) -> None:
    credit = Credit(0.05, clock)
    assert credit.left == ADVANCE
    credit.earn(1.0)
    assert credit.left == pytest.approx(ADVANCE + 0.05)
    credit.earn(1_000.0)
    assert credit.left == MOST


def test_what_was_spent_too_much_is_made_up_for_first(clock: Clock) -> None:
    credit = Credit(0.05, clock)
    credit.spend(ADVANCE + 0.1)
    credit.earn(1.0)
    assert credit.left == pytest.approx(-0.05)


def test_the_advance_is_given_anew_after_a_rest_and_not_between_cells_that_follow_each_other(clock: Clock) -> None:
    credit = Credit(0.05, clock)
    credit.spend(1.0)
    credit.end()
    clock.now += 0.5
    credit.begin()
    assert credit.left < 0
    clock.now += 1.0
    credit.begin()
    assert credit.left == ADVANCE


def test_savings_melt_while_cells_follow_each_other_and_are_kept_for_who_rests(clock: Clock) -> None:
    credit = Credit(0.05, clock)
    credit.earn(4.0)
    credit.end()
    clock.now += 2.0
    credit.begin()
    assert credit.left == pytest.approx(ADVANCE + 0.2)
    for _ in range(20):
        credit.end()
        credit.begin()
    assert ADVANCE < credit.left < 2 * ADVANCE


def test_a_journal_that_is_cleared_late_does_not_hide_that_there_was_a_rest(clock: Clock) -> None:
    credit = Credit(0.05, clock)
    journal = Journal({}, credit=credit)
    journal.before(compile("pass", "<cell>", "exec"))
    credit.spend(1.0)
    journal.finished()
    clock.now += 2.0
    journal.clear()
    credit.begin()
    assert credit.left == ADVANCE


def test_without_credit_a_statement_is_not_noted_and_what_it_reaches_is_named(clock: Clock) -> None:
    credit = Credit(0.0, clock)
    credit.spend(1.0)
    names = {"items": [[1]], "number": 3}
    journal = Journal(names, credit=credit)
    code = compile("items[0].append(2); number = 4; 1 / 0", "<cell>", "exec")
    journal.before(code)
    with pytest.raises(ZeroDivisionError):
        exec(code, names)
    assert journal.rollback(0).except_names == (f"items ({NO_CREDIT})",)
    assert names["items"] == [[1, 2]]
    assert names["number"] == 3


@pytest.mark.parametrize("many", [list, set, lambda items: dict.fromkeys(items, 0)])
def test_what_there_is_surely_no_credit_for_is_not_gone_through_first(
    clock: Clock, many: Callable[[range], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    followed: list[int] = []
    follow = Walk.follow

    def counted(walk: Walk, children: Collection[object]) -> bool:
        followed.append(len(children))
        return follow(walk, children)

    monkeypatch.setattr(Walk, "follow", counted)
    names = {"items": many(range(1_000_000)), "others": [[1]]}
    journal = Journal(names, credit=Credit(0.0, clock))
    journal.before(compile("others[0].append(2); len(items); 1 / 0", "<cell>", "exec"))
    assert max(followed, default=0) < 1_000
    assert journal.rollback(0).except_names == (f"items ({NO_CREDIT})",)


def test_a_statement_that_is_not_noted_asks_no_metaclass(clock: Clock) -> None:
    credit = Credit(0.0, clock)
    credit.spend(1.0)
    names: dict[str, object] = {}
    exec(
        "class Meta(type):\n    def __eq__(cls, other): 1 / 0\nthing = Meta('Thing', (), {})()", names
    )  # it has no hash
    journal = Journal(names, credit=credit)
    journal.before(compile("other = thing; 1 / 0", "<cell>", "exec"))
    assert journal.rollback(0).except_names


def test_what_others_do_on_a_busy_machine_costs_no_credit() -> None:
    """The clock on the wall jumps a second each time that it is read; the processor worked for nobody."""
    clock = Clock()

    def busy() -> float:
        clock.now += 1.0
        return clock.now

    names = {"items": [[1]]}
    journal = Journal(names, credit=Credit(0.0, busy, lambda: 0.0))
    for _ in range(3):
        code = compile("items[0].append(2)", "<cell>", "exec")
        journal.before(code)
        exec(code, names)
        journal.after()
    assert not journal.rollback(0).except_names
    assert names["items"] == [[1]]


def test_what_is_unlimited_stays_so_when_a_cell_begins() -> None:
    credit = Unlimited()
    credit.begin()
    credit.spend(1e9)
    assert credit.left == float("inf")
