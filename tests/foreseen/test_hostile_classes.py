"""What is foreseen of a cell asks no class of the user's what it is like."""

from __future__ import annotations

from typing import Any

import pytest

from reflex_ipython.foreseen import labels, members, reach

asked: list[str] = []


class Meta(type):
    """Of classes that notice it when they are compared."""

    def __eq__(cls, other: object) -> bool:
        asked.append("class")
        return False

    def __hash__(cls) -> int:
        asked.append("class")
        return 1


class Odd(metaclass=Meta):
    """An object that does so as well."""

    def __eq__(self, other: object) -> bool:
        asked.append("object")
        return False

    def __hash__(self) -> int:
        asked.append("object")
        return 1


@pytest.fixture(autouse=True)
def nobody() -> None:
    asked.clear()


@pytest.mark.parametrize("o", [Odd(), Odd, [Odd()], {"a": Odd()}])
def test_neither_an_object_is_asked_nor_its_class(o: Any) -> None:
    list(reach.codes(o, {}))
    assert asked == []


def test_nor_is_what_a_dict_has_for_keys() -> None:
    owner = {Odd(): 1}
    asked.clear()
    labels._lacks(owner, "a")
    assert asked == []


def test_nor_what_is_in_a_table_of_names() -> None:
    assert members._has([Odd(), "a"], "a")
    assert not members._has((Odd(),), "a")
    assert not members._has(Odd(), "a")
    assert asked == []
