"""A library's object whose core is of C and known to nobody is left as it is, and named: half put back, it is torn."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.state.cells import namespace, run

COMPILING = """
import pickle

class Compiled(pickle.Pickler):  # its base, of C, goes on from what it has seen
    def __init__(self, function=None):
        super().__init__(open_ended())
        self.function, self.variants, self.count = function, {}, 0

    def __call__(self, o):
        self.dump(o)
        self.variants[type(o)] = self.count = self.count + 1
        return self.function and self.function(o)

def open_ended():
    import io
    return io.BytesIO()
"""


@pytest.fixture(autouse=True)
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "site-packages"
    folder.mkdir()
    (folder / "compiling.py").write_text(COMPILING, encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "compiling", raising=False)


def test_what_is_in_its_attributes_stays_with_what_is_in_its_core() -> None:
    names = namespace("from compiling import Compiled; f = Compiled()")
    journal = run(names, "f(1); 1 / 0", at_once=True)
    assert journal.rollback(0).words == "not undone: f (compiling.Compiled)"
    assert (names["f"].count, names["f"].variants) == (1, {int: 1})


def test_what_a_function_of_the_users_does_that_it_calls_is_undone() -> None:
    names = namespace("from compiling import Compiled; seen = []; f = Compiled(lambda o: seen.append(o))")
    journal = run(names, "f(1); 1 / 0", at_once=True)
    assert "f (compiling.Compiled)" in journal.rollback(0).words
    assert names["seen"] == []


def test_the_attributes_that_a_class_of_the_users_adds_are_put_back() -> None:
    names = namespace("import io, pickle\nclass Mine(pickle.Pickler): count = 0", "mine = Mine(io.BytesIO())")
    journal = run(names, "mine.count = 5; 1 / 0", at_once=True)
    assert "mine" in journal.rollback(0).words
    assert names["mine"].count == 0
