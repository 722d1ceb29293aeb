"""What a library's object has replaced in itself can be put back, if nobody would see that the old one lives."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from reflex_ipython.state.quiet import is_plain, is_quiet
from tests.state.cells import namespace, run

XARRAY = """
import numpy as np
class Variable:
    __slots__ = ('_attrs', '_data')
    def __init__(self, data): self._data, self._attrs = data, {}
class Dataset:
    __slots__ = ('_variables', '__weakref__')
    def __init__(self, **variables): self._variables = variables
    def update(self, **more): self._variables = {**self._variables, **more}
Variable.__module__ = Dataset.__module__ = 'xarray.core.variable'
"""


@pytest.fixture
def xarray(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    pytest.importorskip("numpy")
    for name in ("xarray", "xarray.core", "xarray.core.variable"):
        module = ModuleType(name)
        module.__file__ = f"/lib/site-packages/{name}.py"
        monkeypatch.setitem(sys.modules, name, module)
    here = vars(sys.modules["xarray.core.variable"])
    exec(XARRAY, here)
    return here


def test_a_dataset_that_several_statements_change_is_put_back(xarray: dict[str, Any]) -> None:
    data = xarray["np"].arange(3.0)
    variable = xarray["Variable"](data)
    names = namespace() | {"ds": xarray["Dataset"](a=variable), "data": data, "variable": variable}
    assert run(names, "ds.update(b=variable)\nds.update(c=variable)\n1 / 0").rollback(0).words == (
        "state restored exactly"
    )
    assert [*names["ds"]._variables] == ["a"]


def test_one_with_much_data_ends_as_it_would(xarray: dict[str, Any]) -> None:
    variable = xarray["Variable"](xarray["np"].zeros(100_000))
    names = namespace() | {"ds": xarray["Dataset"](a=variable), "kept": [variable._data]}
    del variable
    assert "ds" in run(names, "ds.update(a=1)\n1 / 0").rollback(0).words


def test_labels_are_quiet_whoever_has_them_too() -> None:
    pandas = pytest.importorskip("pandas")
    shared = pandas.Index([1, 2])
    assert is_quiet({"index": shared})
    assert not is_quiet({"frame": pandas.DataFrame({"a": [1]}, index=shared)})


def test_attributes_in_slots_are_looked_at() -> None:
    seen = type("Seen", (), {"__del__": lambda self: None})
    slotted = type("Slotted", (), {"__slots__": ("part",)})
    o = slotted()
    o.part = 3
    assert is_quiet([o])
    o.part = seen()
    assert not is_quiet([o])


@pytest.mark.parametrize(
    ("grown", "add"),
    [
        pytest.param(["x"], lambda grown: grown.append("x"), id="list"),
        pytest.param({"x": "x"}, lambda grown: grown.setdefault(grown.__len__(), "x"), id="dict"),
    ],
)
def test_what_grows_as_it_is_looked_at_has_an_end(
    grown: Any, add: Callable[[Any], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another thread adds to it, or a builtin that the user has replaced notes its calls there."""
    plain_len = len

    def counting_len(o: Any) -> int:
        if plain_len(grown) < 1_000:
            add(grown)
        return plain_len(o)

    with monkeypatch.context() as patch:
        patch.setattr(builtins, "len", counting_len)
        plain = is_plain(grown)
    assert plain
    assert plain_len(grown) < 100
