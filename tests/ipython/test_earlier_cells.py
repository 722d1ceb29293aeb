"""A new text of a cell that has run is put into effect, and what came of it is told."""

from __future__ import annotations

import enum
from typing import Any

import pytest

from reflex_ipython.ipython.earlier_cells import EarlierCells
from reflex_ipython.models import CellRef, Edit
from reflex_ipython.state.new_text import Rewritten

CASES = {
    "functions": ("def f(): return 1\ndef g(): return 1", "`f`, `g` run their new code"),
    "an inner function": ("def f():\n    def g(): return 1\n    return g", "`f` runs its new code"),
    "a class": ("class C:\n    a = 1", "`C` has its new definition, also for existing objects"),
    "an import": ("import math as one1", "`one2` was redefined"),
    "a value": ("a = 1", "`a` was redefined"),
    "an annotated value": ("a: int = 1", "`a` was redefined"),
    "a function that is called later": ("h = lambda: int(1)", "`h` runs its new code"),
    "a call": ("a = int(1)", "line 1 of {cell} was not run again"),
    "an annotated call": ("a: int = int(1)", "line 1 of {cell} was not run again"),
    "an attribute": ("a = (1).real", "line 1 of {cell} was not run again"),
    "a subscript": ("a = [1][0]", "line 1 of {cell} was not run again"),
    "statements": ("int(1)\nint(1)", "lines 1, 2 of {cell} were not run again"),
}


def apply(shell: Any, old: str, new: str) -> tuple[Rewritten, int]:
    shell.run_cell(old, store_history=True)
    cells = shell.reflex_extension.cells
    (*_, cell) = cells.all()
    edit = Edit(CellRef(cell.id, cell.number), old, new)
    return EarlierCells(shell, cells).apply(edit), cell.number


@pytest.mark.parametrize(("old", "words"), CASES.values(), ids=CASES.keys())
def test_what_came_of_it_is_said(shell: Any, old: str, words: str) -> None:
    rewritten, number = apply(shell, old, old.replace("1", "2"))
    assert rewritten.words == words.format(cell=f"In [{number}]")
    assert (rewritten.error, rewritten.took_effect) == (None, True)


def test_what_a_definition_raises_is_told(shell: Any) -> None:
    rewritten, number = apply(shell, "def f(): return 1", "def f(x=1 / 0): return 1")
    assert isinstance(rewritten.error, ZeroDivisionError)
    assert "defined anew" not in rewritten.words
    assert rewritten.words.endswith(f"the new In [{number}] raised ZeroDivisionError")


def test_a_decorator_that_awaits_is_not_run_again(shell: Any) -> None:
    shell.run_cell("async def one(): return lambda f: f", store_history=True)
    rewritten, number = apply(shell, "@(await one())\ndef g(x=1): yield 1", "@(await one())\ndef g(x=2): return 2")
    assert rewritten.words == f"line 2 of In [{number}] was not run again"


@pytest.mark.parametrize("new", ["def f(): yield 1", "def f(): return 2"], ids=["its old code lives", "none does"])
def test_the_old_text_is_known_for_as_long_as_something_has_its_code(shell: Any, new: str) -> None:
    apply(shell, "def f(): return 1", new)
    texts = [cell.source for cell in shell.reflex_extension.cells.all()]
    assert texts[-1] == new
    assert ("def f(): return 1" in texts) == ("yield" in new)


def test_what_a_rollback_took_away_is_put_into_effect_again_until_the_cell_has_run_well(shell: Any) -> None:
    old, new = "class C: value = 1\ndef f(): return 1", "class C: value = 2\ndef f(): return 2"
    shell.run_cell(old, store_history=True)
    before, cells = dict(shell.user_ns), shell.reflex_extension.cells
    (cell,) = cells.all()
    earlier = EarlierCells(shell, cells)
    earlier.apply(Edit(CellRef(cell.id, cell.number), old, new))
    shell.user_ns["C"] = before["C"]
    earlier.apply_again()
    assert (shell.user_ns["C"].value, shell.user_ns["f"]()) == (2, 2)
    earlier.settle()
    shell.user_ns["C"].value = 1
    earlier.apply_again()
    assert shell.user_ns["C"].value == 1


CLASSES = {
    "a constant": ("class C:\n    a = 1\n    def m(self): return self.a", "c.a, c.m(), S.a, Alias.a"),
    "a method and a constant": ("class C:\n    a = 1\n    def m(self): return self.a + 1", "c.m(), S().m()"),
    "a class variable in a dict": ("class C:\n    a = {'k': 1}", "c.a, Alias.a"),
    "a property": ("class C:\n    a = property(lambda self: 1)", "c.a"),
    "a method that can't be changed in place": ("class C:\n    def m(self, x=len('1' * 1)): return x", "c.m()"),
    "a base": ("class A1:\n    a = 1\nclass A2(A1):\n    a = 2\nclass C(A1): pass", "c.a, S.a, isinstance(c, Alias)"),
    "a default of a field": (
        "import dataclasses\n@dataclasses.dataclass\nclass C:\n    a: int = 1\n    def m(self): return self.a",
        "C().a, Alias().m(), S().a, C.a, isinstance(c, C), C() == C(1)",
    ),
    "a use of super": (
        "class C:\n    a = 1\n    def __str__(self, x=int('1')): return super().__str__()[:1]",
        "str(c)",
    ),
}


@pytest.mark.parametrize(("old", "asked"), CLASSES.values(), ids=CLASSES.keys())
def test_what_a_class_has_anew_reaches_objects_and_classes_that_exist(shell: Any, old: str, asked: str) -> None:
    new = old.replace("1", "2").replace("A2:", "A1:") if "A1" not in old else old.replace("class C(A1)", "class C(A2)")
    shell.run_cell(old, store_history=True)
    shell.run_cell("Alias = C\nclass S(C): pass\nc = C()")
    alias, cells = shell.user_ns["Alias"], shell.reflex_extension.cells
    cell = next(cell for cell in cells.all() if cell.source == old)
    EarlierCells(shell, cells).apply(Edit(CellRef(cell.id, cell.number), old, new))
    assert shell.user_ns["C"] is alias
    fresh: dict[str, Any] = {"__name__": "__main__"}
    exec(f"{new}\nAlias = C\nclass S(C): pass\nc = C()", fresh)
    assert eval(asked, shell.user_ns) == eval(asked, fresh)


REFUSED = {
    "slots": ("class C:\n    __slots__ = ('a1',)", "its objects have different slots"),
    "an enumeration": ("import enum\nclass C(enum.Enum):\n    A = 1", f"it is made by {type(enum.Enum).__name__}"),
    "a decorator": ("def keep(cls): return cls\n@keep\nclass C:\n    a = 1", "its decorator may have kept the old one"),
    "a base that keeps": (
        "class B:\n    def __init_subclass__(cls): pass\nclass C(B):\n    a = 1",
        "a class that it inherits from has registered the old one",
    ),
}


@pytest.mark.parametrize(("old", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_a_class_that_can_not_be_changed_is_another_one_and_that_is_said(shell: Any, old: str, reason: str) -> None:
    rewritten, _ = apply(shell, old, old.replace("1", "2"))
    assert rewritten.words == f"`C` was redefined: {reason}: existing objects keep the old class"
