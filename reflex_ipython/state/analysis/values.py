"""What is known of a value before the statement that computes it runs: the abstract values of the analysis.

A value is *fresh* if it comes into being in the statement itself, so that nobody who was there before sees what is
written to it. It is *plain* if operators, iteration, printing and hashing run no code of the user's on it, nor on
anything that comes out of it: numbers, strings, arrays and frames of those, containers of those.
"""

from __future__ import annotations

import itertools
from typing import Any

from reflex_ipython.state.kinds.instances import MISSING


class Unknown(Exception):
    """Nobody knows what the statement does, for the reason in the text: a full checkpoint is due."""


# What a value is. `MISSING` as the object of a value: any of that form.
ATOM = 0
"""Immutable and plain: a number, a string, a date."""
DATA = 1
"""Plain: an array, a frame, something that comes out of those, a container, an atom. Nobody knows which."""
BOX = 2
"""A built-in container. Live ones are looked into; of fresh ones `inner` is what may be in them."""
ITERATOR = 3
"""A fresh `zip`, `map`, generator … of `inner`, which is read once and at once."""
OWN = 4
"""An object of a class of the user's, or of one that nobody vouches for."""
NEW = 5
"""A fresh one; `inner` is a dict of its attributes."""
FUNCTION = 6
"""A Python function that exists."""
LAMBDA = 7
"""A function that the statement itself makes; `inner` is its node and the scope that it closes over."""
BOUND = 8
"""A method of the user's and its object: `inner`."""
METHOD = 9
"""A method of a library's or built-in object that was looked up and not called: receiver and name in `inner`."""
BUILTIN = 10
"""A function or method of C."""
LIBRARY = 11
"""A ufunc, or another callable object of numpy's."""
CLASS = 12
MODULE = 13
ESTIMATOR = 14
RANDOM = 15
"""A generator of random numbers."""
FIGURE = 16
"""An object of matplotlib."""
ANY = 17
"""Nothing is known but that it may be passed on."""


class Value:
    """What is known of a value.

    Parameters
    ----------
    form : int
        One of those above.
    o : object
        The very object if it exists already, or a constant; `MISSING` otherwise.
    fresh : bool
        Whether nobody who was there before can see what is written to it.
    inner : object
        More, by form.
    cls : type or None
        The type of a container or an object, where it is known though the object is not.
    owner : Value or None
        For data that may be a window on the memory of something that exists: that.
    """

    __slots__ = ("born", "cls", "form", "fresh", "inner", "o", "owner", "parts", "shared")

    def __init__(
        self,
        form: int,
        o: Any = MISSING,
        fresh: bool = False,
        inner: Any = None,
        cls: type | None = None,
        owner: Value | None = None,
    ) -> None:
        self.form = form
        self.o = o
        self.fresh = fresh
        self.inner = inner
        self.cls = cls
        self.owner = owner
        self.parts: tuple[Value, ...] | None = None
        """Of a tuple: its items, one by one."""
        self.born = 0
        """Of a container or object that the statement makes: when, among those."""
        self.shared = False
        """Whether it stands for one of several containers, of which each has its own `inner`."""


SOME_ATOM = Value(ATOM, fresh=True)
NONE = Value(ATOM, None, fresh=True)
TEXT = Value(ATOM, fresh=True, cls=str)
FRESH_DATA = Value(DATA, fresh=True)
NUMBERS = Value(DATA, fresh=True, cls=float)
"""A fresh array of which no cell can be anything but a number."""
SOME_DATA = Value(DATA)
SOMETHING = Value(ANY)


def constant(o: Any) -> Value:
    """That very constant."""
    return Value(ATOM, o, True)


clock = itertools.count(1)
"""Tells what was made earlier from what was made later."""


def box(cls: type, inner: Value | None = None) -> Value:
    """A fresh container."""
    made = Value(BOX, MISSING, True, inner, cls)
    made.born = next(clock)
    return made


def iterator(inner: Value | None) -> Value:
    """A fresh iterator."""
    return Value(ITERATOR, MISSING, True, inner)


def same_knowledge(some: Value, other: Value, depth: int = 4) -> bool:
    """Whether two values say the same, so that a loop need not be looked at again."""
    if some is other:
        return True
    if (
        some.form != other.form
        or some.o is not other.o
        or some.fresh != other.fresh
        or some.cls is not other.cls
        or some.owner is not other.owner
    ):
        return False
    if some.inner is other.inner:
        return True
    both = type(some.inner) is type(other.inner) is Value
    return both and depth > 0 and same_knowledge(some.inner, other.inner, depth - 1)
