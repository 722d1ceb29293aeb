"""What an object keeps in its `__dict__` is read without its class having a say, and without making one."""

from __future__ import annotations

import functools
from types import MappingProxyType
from typing import Any

from reflex_ipython.base.own_dict import own_dict


class _Plain:
    def __init__(self) -> None:
        self.x = 1

    def __getattribute__(self, name: str) -> Any:
        raise AssertionError(name)


class _Hides(_Plain):
    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]  # it may be anything
        raise AssertionError


def test_the_real_one_is_given_and_no_code_of_the_class_runs() -> None:
    plain = object.__new__(_Plain)
    object.__setattr__(plain, "x", 1)
    assert own_dict(plain) == {"x": 1}
    assert own_dict(object.__new__(_Hides)) is None


def test_what_has_none_has_none() -> None:
    assert own_dict(1) is None
    assert own_dict(object()) is None


def test_a_class_has_a_view() -> None:
    assert type(own_dict(_Plain)) is MappingProxyType


def test_a_partial_is_not_made_to_have_one() -> None:
    partial = functools.partial(print)
    assert own_dict(partial) is None
    assert functools.partial(partial).func is print  # it would be seen through no more
    partial.x = 1  # type: ignore[attr-defined]
    assert own_dict(partial) == {"x": 1}
