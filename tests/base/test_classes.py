"""What a class is, is told without its metaclass having a say."""

from __future__ import annotations

import sqlite3
import types
from typing import Any

from reflex_ipython.base.classes import class_vars, classes, inherits, is_exactly, module_name, module_vars, qualname


class _Lies(type):
    __module__ = "elsewhere"

    def __getattribute__(cls, name: str) -> Any:
        raise AssertionError(name)

    def __eq__(cls, other: object) -> bool:
        raise AssertionError(other)

    def __hash__(cls) -> int:
        raise AssertionError

    def __instancecheck__(cls, instance: object) -> bool:
        raise AssertionError(instance)


class _Plain:
    pass


def test_a_metaclass_is_never_asked() -> None:
    liar = _Lies("Liar", (_Plain,), {"__module__": "here", "x": 1})
    assert [each is known for each, known in zip(classes(liar), (liar, _Plain, object))] == [True] * 3
    assert inherits(liar, _Plain)
    assert not inherits(liar, dict)
    assert is_exactly(_Plain(), (dict, _Plain))
    assert not is_exactly(object.__new__(liar), (_Plain, dict))
    assert class_vars(liar)["x"] == 1
    assert (module_name(liar), qualname(liar)) == ("here", "Liar")


def test_a_built_in_class_has_its_module_in_its_name() -> None:
    assert (module_name(sqlite3.Cursor), qualname(sqlite3.Cursor)) == ("sqlite3", "Cursor")
    assert module_name(dict) == "builtins"


def test_a_module_that_is_no_text_is_none() -> None:
    assert module_name(type("Odd", (), {"__module__": 3})) == ""


def test_a_lazy_module_is_not_asked_for_its_namespace() -> None:
    class Lazy(types.ModuleType):
        def __getattribute__(self, name: str) -> Any:
            raise AssertionError(name)

    assert module_vars(Lazy("lazy"))["__name__"] == "lazy"
