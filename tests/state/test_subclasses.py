"""Subclasses that no name of the code leads to, as it looks for them: `Base.__subclasses__()`."""

from __future__ import annotations

import gc

import pytest

from tests.state.cells import namespace, run
from tests.state.halves.half import Half, check, check_read, halves

OWN = "class Base: pass\nclass A(Base):\n    n = 0\n    items = []\n"
COUNTS = "for cls in Base.__subclasses__(): cls.n += 1; cls.items.append(1)"
TELL = "tell = lambda A=A: (A.n, A.items)\ndel A\n"
CALLS = """
xs = []
def note(x): xs.append(x)
class Base:
    @classmethod
    def create(cls, name):
        return next(each for each in cls.__subclasses__() if each.__name__ == name)()
class A(Base):
    def run(self): note(1)
"""
ADD = "for cls in Base.__subclasses__(): cls().run()"


@halves(
    Half("an attribute and a list", OWN, COUNTS, "A.n, A.items"),
    Half("no name has it", OWN + TELL, COUNTS, "tell()"),
    Half(
        "one of a subclass",
        OWN + "class B(A): m = 0\n" + TELL,
        "for cls in Base.__subclasses__():\n    for each in cls.__subclasses__(): each.m += 1",
        "B.m",
    ),
    Half("in a function", f"{OWN}def run_all():\n    {COUNTS}", "run_all()", "A.n, A.items"),
    Half("a list that its methods use", CALLS, ADD, "xs"),
    Half("a list that its methods use, no name has it", CALLS + "del A", ADD, "xs"),
    Half("in a class method", CALLS, "Base.create('A').run()", "xs"),
    Half("of an object's class", OWN + "base = Base()", "type(base).__subclasses__()[0].n += 1", "A.n"),
    Half("by type's own method", OWN, "for cls in type.__subclasses__(Base): cls.n += 1", "A.n"),
    Half("in a text", OWN, f"exec({COUNTS!r})", "A.n, A.items"),
    Half(
        "of an abstract class",
        "from abc import ABC\n" + OWN.replace("class Base", "class Base(ABC)"),
        COUNTS,
        "A.n, A.items",
    ),
    Half(
        "of a library's abstract class",
        "from abc import ABC\nclass A(ABC): n = 0",
        "for cls in ABC.__subclasses__():\n    if hasattr(cls, 'n'): cls.n += 1",
        "A.n",
    ),
    Half(
        "of a library's class in its module",
        "import collections\nclass A(collections.UserDict): n = 0",
        "for cls in collections.UserDict.__subclasses__():\n    if hasattr(cls, 'n'): cls.n += 1",
        "A.n",
    ),
    Half(
        "of a built-in class",
        "class A(Exception): n = 0",
        "for cls in Exception.__subclasses__():\n    if hasattr(cls, 'n'): cls.n += 1",
        "A.n",
    ),
)
def test_what_a_statement_does_to_subclasses_that_it_looks_for_is_put_back(half: Half) -> None:
    check(half)


EACH = "for cls in {}: cls.n += 1"
OPERATOR = f"{OWN}import operator\n"
WAYS = {
    "a text": (OWN, "getattr(Base, '__subclasses__')()"),
    "a text in a function": (f"{OWN}def those(cls): return getattr(cls, '__subclasses__')()", "those(Base)"),
    "a name of a text": (f"{OWN}name = '__subclasses__'", "getattr(Base, name)()"),
    "a text in a list": (f"{OWN}names = ['__subclasses__']", "getattr(Base, names[0])()"),
    "a text that a class is asked": (OWN, "type.__getattribute__(Base, '__subclasses__')()"),
    "a text in the class's dict": (OWN, "type.__dict__['__subclasses__'](Base)"),
    "a method's caller": (OPERATOR, "operator.methodcaller('__subclasses__')(Base)"),
    "one that is there": (f"{OPERATOR}those = operator.methodcaller('__subclasses__')", "those(Base)"),
    "an attribute's getter": (OPERATOR, "operator.attrgetter('__subclasses__')(Base)()"),
    "one of a path that is there": (
        f"{OPERATOR}base, those = Base(), operator.attrgetter('__class__.__subclasses__')",
        "those(base)()",
    ),
    "a bound method": (f"{OWN}those = Base.__subclasses__", "those()"),
    "one that alone leads there": (f"{OWN}those = Base.__subclasses__\ndel Base", "those()"),
    "a method of `type`": (f"{OWN}those = type.__subclasses__", "those(Base)"),
    "a partial": (f"{OWN}from functools import partial\nthose = partial(type.__subclasses__, Base)", "those()"),
}


@pytest.mark.parametrize(("setup", "those"), WAYS.values(), ids=WAYS)
def test_they_are_looked_for_by_whatever_leads_to_the_method(setup: str, those: str) -> None:
    check(Half("", setup + "\n" + TELL, EACH.format(those), "tell()"))


@pytest.mark.parametrize(("setup", "those"), WAYS.values(), ids=WAYS)
def test_a_statement_that_leads_there_so_is_not_foreseen(setup: str, those: str) -> None:
    names = namespace(f"{setup}\n{TELL}")
    cell = f"done = [cls.items.append(1) or 1 / (2 - len(cls.items)) for cls in {those} * 2]"
    assert run(names, cell).rollback(0).exact
    assert names["tell"]() == (0, [])


@pytest.mark.parametrize("read", ["[cls.__name__ for cls in Base.__subclasses__()]", "run_all()"])
def test_subclasses_that_are_only_read_are_not_named(read: str) -> None:
    check_read(f"{OWN}def run_all(): return [cls.n for cls in Base.__subclasses__()]", read)


@pytest.mark.parametrize(
    "statement", [f"{COUNTS}; 1 / 0", "[cls.items.append(1 / len(cls.items)) for cls in Base.__subclasses__() * 2]"]
)
def test_a_statement_that_might_be_foreseen_is_none(statement: str) -> None:
    names = namespace(OWN.replace("[]", "[1]"))
    assert run(names, statement + " + 1").rollback(0).exact
    assert (names["A"].n, names["A"].items) == (0, [1])


def test_a_metaclass_is_not_asked_for_them() -> None:
    asks = "asked = []\nclass M(type):\n    def __subclasses__(cls): asked.append(cls); return []\n"
    names = namespace(asks + "class Base(metaclass=M): pass\nclass A(Base): n = 0")
    assert run(names, "if not asked:\n    type.__subclasses__(Base)[0].n += 1\n    1 / 0").rollback(0).exact
    assert (names["asked"], names["A"].n) == ([], 0)


def test_code_that_does_not_look_for_them_does_not_lead_to_them() -> None:
    names = namespace(CALLS)
    journal = run(names, "if True:\n    Base.n = 1\n    1 / 0", foreseen=False)
    assert names["A"] not in [o for _, o, _ in journal.aftermath.checkpoints[0].snapshots.entries]


def test_a_subclass_ends_behind_a_statement_that_has_looked_for_it() -> None:
    names = namespace(OWN)
    journal = run(names, f"if True:\n    {COUNTS}\ndel A, cls", foreseen=False)
    journal.ended_well()
    gc.collect()
    journal.let_go()
    gc.collect()
    assert names["Base"].__subclasses__() == []
