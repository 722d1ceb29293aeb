"""What is kept since nobody sees it end is watched by its lists and dicts, however many there are."""

from __future__ import annotations

from typing import Any

import pytest

from reflex_ipython.state import quiet_held
from reflex_ipython.state.quiet_held import QuietHeld


class Part:
    """Its end is seen."""

    def __del__(self) -> None:
        """As a file's is."""


class Kept:
    """Lists, each watched with what tells that it was let go of."""

    def __init__(self, *lists: Any) -> None:
        self.quiet, self.gone = QuietHeld(), []
        for number, each in enumerate(lists):
            self.quiet.add(each, lambda number=number: self.gone.append(number))
        self.quiet.settled()

    def turned(self) -> list[Any]:
        """What would be seen to end by now; it is watched no more."""
        turned = self.quiet.turned()
        self.quiet.take_out(turned)
        return turned


def test_a_list_has_turned_once_something_is_in_it_that_ends_and_others_have_let_go() -> None:
    mine: list[Any] = [1]
    kept = Kept(mine, [2])
    assert kept.turned() == []
    mine.append(Part())
    watched = mine
    assert kept.turned() == [watched]
    assert kept.turned() == []


def test_so_it_has_by_a_list_in_it_that_somebody_has_taken_since() -> None:
    mine: list[Any] = [[1]]
    kept = Kept([mine])
    inner = mine[0]
    del mine
    assert kept.turned() == []
    inner.append(Part())
    del inner
    assert len(kept.turned()) == 1


def test_what_has_a_list_in_it_that_is_held_for_its_own_sake_is_found_by_that() -> None:
    mine = [1]
    outer = {"a": mine}
    kept = Kept(outer, [3])
    assert kept.quiet.around([mine]) == [outer]
    assert kept.quiet.around([[1]]) == []


def test_those_that_stay_are_watched_however_many_are_taken_out() -> None:
    many: list[list[Any]] = [[number] for number in range(500)]
    kept = Kept(*many)
    kept.quiet.take_out(many[:400])
    assert kept.turned() == []
    many[450].append(Part())
    many.clear()
    assert [each[0] for each in kept.turned()] == [450]


def test_what_is_more_than_can_be_watched_is_let_go_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiet_held, "_MANY", 2)
    kept = Kept([1], [2], [3], [4])
    assert kept.gone == [2, 3]


def test_all_of_it_can_be_let_go_of() -> None:
    kept = Kept([1], [2])
    kept.quiet.let_go()
    assert kept.gone == [0, 1]
    assert not kept.quiet
