"""Abstract classes remember what they answered: an answer of a statement that is undone is forgotten, no other one."""

from __future__ import annotations

import pytest

from tests.state.cells import namespace, run
from tests.state.halves.half import Half, check, failing, halves

ABSTRACT = """
import abc, functools, numbers
from collections.abc import Sized
from typing import Protocol, runtime_checkable
class A: pass
class B(A): pass
@runtime_checkable
class Measured(Protocol):
    def size(self): ...
class Hooked(abc.ABC):
    asked = 0
    @classmethod
    def __subclasshook__(cls, other):
        cls.asked += 1
        return "size" in vars(other) or NotImplemented
@functools.singledispatch
def shown(o): return "object"
shown.register(Sized, lambda o: "sized")
"""
SIZED = "isinstance(A(), Sized)"
LEN = "A.__len__ = lambda self: 1"
SIZE = "A.size = lambda self: 1"


@halves(
    Half("a method", ABSTRACT, f"{LEN}; {SIZED}", SIZED),
    Half("of a base", ABSTRACT, f"{LEN}; isinstance(B(), Sized)", "isinstance(B(), Sized)"),
    Half("a protocol", ABSTRACT, f"{SIZE}; isinstance(A(), Measured)", "isinstance(A(), Measured)"),
    Half("a hook of the user's", ABSTRACT, f"{SIZE}; issubclass(A, Hooked)", "issubclass(A, Hooked)"),
    Half("a function by types", ABSTRACT, f"{LEN}; shown(A())", "shown(A())"),
    Half("registered with a library", ABSTRACT, "numbers.Number.register(A)", "issubclass(A, numbers.Number)"),
    Half("registered with an own one", ABSTRACT, "Hooked.register(A)", "issubclass(A, Hooked)"),
)
def test_what_a_class_was_for_the_failed_statement_it_is_no_more(half: Half) -> None:
    here = namespace(half.setup)
    journal = run(here, failing(half.cell))
    assert journal.rollback(0).exact
    assert eval(half.shows, here) in (False, "object")


@pytest.mark.parametrize(
    ("asks", "method", "is_now"),
    [
        (SIZED, LEN, True),
        ("isinstance(A(), Measured)", SIZE, True),
        ("issubclass(A, Hooked)", SIZE, True),
        ("shown(A())", LEN, "sized"),
    ],
)
def test_the_fix_is_answered_by_what_the_class_has_then(asks: str, method: str, is_now: object) -> None:
    here = namespace(ABSTRACT)
    assert run(here, failing(asks)).rollback(0).exact
    exec(method, here)
    assert eval(asks, here) == is_now


def test_an_answer_that_was_there_before_stays_as_it_does_in_python() -> None:
    here = namespace(ABSTRACT, SIZED, "issubclass(A, Hooked)")
    assert run(here, failing(f"{LEN}; {SIZED}; issubclass(B, Hooked)")).rollback(0).exact
    asked = here["Hooked"].asked
    exec(f"{LEN}; issubclass(A, Hooked)", here)
    assert not eval(SIZED, here)
    assert here["Hooked"].asked == asked


def test_what_was_registered_before_stays_registered() -> None:
    check(Half("", f"{ABSTRACT}\nHooked.register(A)", "Hooked.register(int)", "issubclass(int, Hooked)"))
    here = namespace(ABSTRACT, "Hooked.register(A)")
    assert run(here, failing("Hooked.register(int); issubclass(A, Hooked); issubclass(B, Hooked)")).rollback(0).exact
    assert eval("issubclass(A, Hooked), issubclass(int, Hooked)", here) == (True, False)


def test_a_proxy_of_a_class_is_not_asked_what_the_class_would_answer() -> None:
    names = namespace(
        "import weakref\nasked = []",
        "class Meta(type):\n  def __getattr__(cls, name): asked.append(name); raise AttributeError(name)",
        "class Own(metaclass=Meta): pass",
        "own, proxy = Own(), weakref.proxy(Own)",
    )
    run(names, "if own:\n  own.x = 1\n  1 / 0", foreseen=False).rollback(0)
    assert names["asked"] == []


def test_an_array_of_ctypes_whose_class_ctypes_refers_to_by_a_proxy_is_named_for_what_it_is() -> None:
    names = namespace("import ctypes\nnumbers = (ctypes.c_int * 3)(1, 2, 3)")
    words = run(names, "if numbers:\n  numbers[1] = 7\n  1 / 0", foreseen=False).rollback(0).words
    assert words == "not undone: numbers (c_int_Array_3)"
