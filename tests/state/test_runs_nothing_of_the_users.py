"""To note what a cell uses runs nothing of the user's: what it holds shows, counts and measures as it likes."""

from __future__ import annotations

import pytest

from tests.state.cells import namespace, run

RUNS = """
import itertools
runs = []
class Own(int):
    def __repr__(self): runs.append("repr"); return "own"
    __str__ = __repr__
    def __eq__(self, other): runs.append("eq"); return int(self) == int(other)
    def __hash__(self): runs.append("hash"); return int(self)
    def __int__(self): runs.append("int"); return 5
    def __add__(self, other): return Own(int.__add__(self, other))
class Numbering(enumerate):
    def __reduce__(self): runs.append("reduce"); return enumerate.__reduce__(self)
class Backwards(reversed):
    def __reduce__(self): runs.append("reduce"); return reversed.__reduce__(self)
class Counting(itertools.count):
    def __repr__(self): runs.append("repr"); return itertools.count.__repr__(self)
class Repeating(itertools.repeat):
    def __repr__(self): runs.append("repr"); return itertools.repeat.__repr__(self)
    def __length_hint__(self): runs.append("hint"); return 5
class Row:
    def __len__(self): runs.append("len"); return 3
    def __getitem__(self, place): return place
class Meta(type):
    def __eq__(self, other): runs.append("eq"); return self is other
    __hash__ = type.__hash__
Base, Other = Meta("Base", (), {"x": 1}), Meta("Other", (), {"x": 1})
class Derived(Base): pass
"""


@pytest.mark.parametrize(
    ("make", "uses"),
    [
        ("o = itertools.repeat(Own(1), 50)", "next(o)"),
        ("o = itertools.repeat(Own(1))", "next(o)"),
        ("o = itertools.count(Own(1), Own(2))", "next(o)"),
        ("o = itertools.count(Own(1))", "next(o)"),
        ("o = Counting(1)", "next(o)"),
        ("o = Repeating(1, 50)", "next(o)"),
        ("o = Numbering('abc' * 50)", "next(o)"),
        ("o = enumerate('abc' * 50, Own(1))", "next(o)"),
        ("o = Backwards((1, 2) * 50)", "next(o)"),
        ("o = reversed(Row()); runs.clear()", "next(o)"),
        ("o = Derived", "Derived.__bases__ = (Other,)"),
    ],
)
def test_what_a_cell_uses_is_noted_compared_and_put_back_without_the_users_code(make: str, uses: str) -> None:
    names = namespace(RUNS, make)
    journal = run(names, f"for i in range(2):\n    {uses}\n1 / 0", foreseen=False)
    journal.aftermath.repeats()
    journal.rollback(0)
    assert names["runs"] == []


@pytest.mark.parametrize(
    "make",
    [
        "o = itertools.repeat(Own(1), 50)",
        "o = itertools.count(Own(1), Own(2))",
        "o = itertools.count(Own(1))",
        "o = itertools.count(1 << 70)",
        "o = itertools.count(0.5)",
        "o = Counting(1)",
        "o = Numbering('abc' * 50)",
        "o = reversed(Row())",
    ],
)
def test_one_that_moved_is_named_and_one_that_stands_still_is_not(make: str) -> None:
    moved = run(namespace(RUNS, make), "next(o)\n1 / 0", foreseen=False).rollback(0)
    assert any(text.startswith("o (") for text in (*moved.not_undone, *moved.except_names))
    assert run(namespace(RUNS, make), "o.__class__\n1 / 0", foreseen=False).rollback(0).exact
