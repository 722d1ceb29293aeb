"""A function or its source by an id; a module's functions; all of the user's own for a while."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import reflex_ipython
from reflex_ipython.errors import BadInput
from reflex_ipython.functions.store import FolderStore
from tests.functions.conftest import LINUX, Texts

pytestmark = LINUX
MODULE = """
RATES = {"eur": 2}

def rate(name):
    return RATSE[name]

class Till:
    def total(self, amounts):
        return sum(amounts) * rate("eur")

    def count(self, amounts):
        return lne(amounts)
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    (tmp_path / "tills.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("tills")
    del sys.modules["tills"]


def test_a_source_is_called_in_its_scope_and_heals(texts: Texts) -> None:
    scope: dict[str, Any] = {"rate": 2}
    source = "def helper(x):\n    return x + 1\n\ndef price(amount):\n    return helper(amuont) * rate\n"
    run = reflex_ipython.run
    assert run("price", "the price of some", source, 3, scope=scope, policy="proven", store=texts) == 8
    assert scope["helper"](1) == 2
    assert "helper(amount)" in texts.kept["price"]


def test_the_last_function_of_a_source_is_called_whatever_the_scope_holds(texts: Texts) -> None:
    scope: dict[str, Any] = {"doubled": lambda function: lambda x: 2 * function(x)}
    run = reflex_ipython.run
    assert run("x", "", "def g():\n    return 1\n\ndef f():\n    return 2\n", scope=scope, store=texts) == 2
    assert run("x", "", "def f():\n    return 3\n\ndef g():\n    return 4\n", scope=scope, store=texts) == 4
    assert run("y", "", "if True:\n    def f():\n        return 5\n", scope={}, store=texts) == 5
    source = "def helper(x):\n    return x\n\n@doubled\ndef f(x):\n    return x + 1\n"
    assert run("x", "", source, 5, scope=scope, store=texts) == 12


def test_a_source_that_is_none_is_refused() -> None:
    with pytest.raises(BadInput, match=r"does not parse: .* on line 1"):
        reflex_ipython.run("x", "", "def f(:")
    with pytest.raises(BadInput, match="defines no function"):
        reflex_ipython.run("x", "", "a = 1")


def test_what_a_library_call_lacks_is_imported(texts: Texts) -> None:
    scope: dict[str, Any] = {}
    source = "def third(numbers):\n    return np.median(numbers)\n"
    assert reflex_ipython.run("m", "", source, [1, 2, 9], scope=scope, policy="proven", store=texts) == 2.0
    assert texts.kept["m"].split("\n")[1] == "import numpy as np"


def test_all_that_a_module_defines_heals(module: ModuleType, texts: Texts) -> None:
    reflex_ipython.heal_module(module, policy="proven", store=texts)
    assert (module.Till().total([1, 2]), module.Till().count([1, 2])) == (6, 2)
    assert sorted(texts.kept) == ["tills.Till.count", "tills.rate"]


KINDS = """
import dataclasses, enum, functools, typing

@dataclasses.dataclass
class Item:
    price: int

class Sort(enum.Enum):
    A = 1

class Row(typing.NamedTuple):
    first: int

class Shelf:
    sort = Sort

    class Board:
        def size(self):
            return lne([1])

    @property
    def size(self):
        return lne([1, 2])

    @functools.cached_property
    def cached(self):
        return lne([1, 2, 3])

class Refusing(type):
    def __setattr__(cls, name, value):
        raise TypeError("not here")

class Fixed(metaclass=Refusing):
    def one(self):
        return 1
"""


def test_methods_of_every_kind_heal_and_what_nobody_wrote_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, texts: Texts, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "kinds.py").write_text(KINDS)
    monkeypatch.syspath_prepend(str(tmp_path))
    kinds = importlib.import_module("kinds")
    monkeypatch.delitem(sys.modules, "kinds")
    reflex_ipython.heal_module(kinds, policy="proven", store=texts)
    assert capsys.readouterr().err == "reflex: Fixed.one does not heal: TypeError: not here.\n"
    shelf = kinds.Shelf()
    assert (shelf.Board().size(), shelf.size, shelf.cached, shelf.cached) == (1, 2, 3, 3)
    assert sorted(texts.kept) == ["kinds.Shelf.Board.size", "kinds.Shelf.cached", "kinds.Shelf.size"]


def test_for_a_while_all_of_the_users_own_modules_heal(module: ModuleType, texts: Texts) -> None:
    before = module.rate
    with reflex_ipython.active(policy="proven", store=texts):
        assert module.Till().total([1, 2]) == 6
    assert module.rate is before
    assert module.rate("eur") == 2, "what was mended stays"
    assert not hasattr(module.Till.total, "__reflex_healed__")


def test_what_is_imported_meanwhile_heals_until_the_end_of_the_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, texts: Texts
) -> None:
    (tmp_path / "later_sizes.py").write_text("def size(values):\n    return lne(values)\n")
    (tmp_path / "later_users.py").write_text(
        "from later_sizes import size\n\ndef twice(values):\n    return 2 * size(values)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    finders = list(sys.meta_path)
    with reflex_ipython.active(policy="proven", store=texts):
        users, sizes = importlib.import_module("later_users"), importlib.import_module("later_sizes")
        assert users.twice([1, 2]) == 4
        assert hasattr(users.size, "__reflex_healed__")
    assert list(texts.kept) == ["later_sizes.size"]
    assert sys.meta_path == finders
    assert users.size is sizes.size
    assert not hasattr(users.size, "__reflex_healed__")
    assert users.__spec__.loader.get_source("later_users").startswith("from later_sizes")
    for name in ("later_users", "later_sizes"):
        del sys.modules[name]


def test_the_users_data_folder_keeps_texts_by_their_ids(tmp_path: Path) -> None:
    store = FolderStore(tmp_path / "functions")
    assert store.get("a/b") is None
    store.save("a/b", "one")
    store.save("a_b", "two")
    store.save("a/b", "three")
    assert (store.get("a/b"), store.get("a_b")) == ("three", "two")
    assert len(list((tmp_path / "functions").iterdir())) == 2
