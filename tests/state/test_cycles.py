"""What nobody holds but itself, by a cycle, and we."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import pytest

from reflex_ipython.state import cycles
from reflex_ipython.state.cycles import Cycles
from reflex_ipython.state.kinds.layout import identity


def ring(count: int) -> list[Any]:
    """A list that leads to itself over `count` lists."""
    first: list[Any] = []
    last = first
    for _ in range(count - 1):
        last.append([])
        last = last[0]
    last.append(first)
    return first


def looked(objects: list[Any]) -> bool:
    """Whether the first of them is garbage; these are all that we hold."""
    return Cycles(Counter(map(identity, objects))).are_garbage(objects, 0)


def test_what_only_its_own_cycle_holds_is_garbage() -> None:
    assert looked([ring(1)])
    assert looked([ring(20)])


def test_what_somebody_holds_at_any_place_of_the_cycle_is_not() -> None:
    first = ring(20)
    held = first[0][0][0]
    objects = [first]
    del first
    assert not looked(objects)
    del held
    assert looked(objects)


def test_what_leads_nowhere_is_in_no_cycle() -> None:
    assert not looked([[1, "a"]])


def test_what_leads_to_too_many_objects_counts_as_held() -> None:
    assert not looked([ring(1_000)])


def test_one_look_tells_of_all_that_it_met_until_something_is_let_go() -> None:
    objects = [ring(2)]
    objects.append(objects[0][0])
    cycles = Cycles(Counter(map(identity, objects)))
    assert [cycles.are_garbage(objects, place) for place in (0, 1)] == [True, True]
    held = objects[0]
    assert cycles.are_garbage(objects, 1)  # as it was found
    cycles.outdate()
    assert not cycles.are_garbage(objects, 1)
    assert held


def test_what_leads_to_very_many_at_once_is_not_counted_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []

    class Counting(defaultdict[int, int]):
        def __setitem__(self, key: int, value: int) -> None:
            counted.append(key)
            super().__setitem__(key, value)

    monkeypatch.setattr(cycles, "defaultdict", Counting)
    wide: list[Any] = [[] for _ in range(30_000)]
    wide.append(wide)
    assert not looked([wide])
    assert len(counted) < 1_000
