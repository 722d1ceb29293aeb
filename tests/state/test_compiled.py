"""Functions that numba compiles when they are called: what they draw and what they write to is undone."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from reflex_ipython.state.kinds import table
from tests.state.cells import namespace, run

STAND_IN = """
class Dispatcher:
    def __init__(self, function):
        self.py_func, self.overloads = function, {}

    def __call__(self, *arguments):
        self.overloads[tuple(map(type, arguments))] = self.py_func
        return self.py_func(*arguments, draw())

Dispatcher.__module__ = "_dispatcher"
"""
COMPILED = """
import sys
seen = []
def f(o, drawn):
    o.append(drawn)
f = sys.modules["numba._dispatcher"].Dispatcher(f)
"""
CELL = "njit = __import__('numba').njit\nimport numpy as np\na = np.zeros(2)\n"


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[random.Random]:
    """What draws in the place of numba's own state."""
    dice = random.Random(1)
    dispatcher, helpers = ModuleType("numba._dispatcher"), ModuleType("numba._helperlib")
    vars(dispatcher)["draw"] = dice.random
    exec(STAND_IN, vars(dispatcher))
    vars(helpers).update(
        rnd_get_np_state_ptr=lambda: 1,
        rnd_get_py_state_ptr=lambda: 2,
        rnd_get_state=lambda pointer: dice.getstate() if pointer == 1 else None,
        rnd_set_state=lambda pointer, state: dice.setstate(state) if pointer == 1 else None,
    )
    monkeypatch.setitem(sys.modules, dispatcher.__name__, dispatcher)
    monkeypatch.setitem(sys.modules, helpers.__name__, helpers)
    yield dice
    table._made.cache_clear()  # another module may get the id of what stood in


def test_what_it_draws_and_what_it_writes_to_is_undone(stand_in: random.Random) -> None:
    names = namespace(COMPILED)
    before = stand_in.getstate()
    journal = run(names, "f(seen); 1 / 0", at_once=True)
    assert stand_in.getstate() != before
    assert journal.rollback(0).words == "state restored exactly"
    assert (names["seen"], stand_in.getstate()) == ([], before)


def test_what_was_compiled_stays(stand_in: random.Random) -> None:
    names = namespace(COMPILED)
    run(names, "f(seen); 1 / 0", at_once=True).rollback(0)
    assert list(names["f"].overloads) == [(list,)]


def test_with_numba_itself_a_function_that_was_compiled_by_the_failed_cell_runs_again() -> None:
    pytest.importorskip("numba", reason="numba is not installed (100 MB); `pip install numba` runs this as well")
    names = namespace(CELL, "@njit\ndef f(a):\n    a[0] += 1\n    return np.random.random()", "f(np.zeros(2, 'f4'))")
    journal = run(names, "drawn = [f(a)]; 1 / 0", at_once=True)
    drawn = names["drawn"]
    assert journal.rollback(0).words == "state restored exactly"
    assert names["a"].tolist() == [0, 0]
    assert [names["f"](names["a"])] == drawn
    assert names["a"].tolist() == [1, 0]
