"""What is known of a value before the statement that computes it runs: the abstract values of the analysis.

A value is *fresh* if it comes into being in the statement itself, so that nobody who was there before sees what is
written to it. It is *plain* if operators, iteration, printing and hashing run no code of the user's on it, nor on
anything that comes out of it: numbers, strings, arrays and frames of those, containers of those.
"""

from __future__ import annotations

from typing import Any

from reflex_ipython.state.kinds.instances import MISSING


class Unknown(Exception):
    """Nobody knows what the statement does, for the reason in the text: a full note is due."""


# What a value is. `MISSING` as the object of a value: any of that form.
ATOM = 0
"""Immutable and plain: a number, a string, a date."""
DATA = 1
"""Plain: an array, a frame, something that comes out of those, or an atom. Nobody knows which."""
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

    __slots__ = ("cls", "form", "fresh", "inner", "o", "owner", "parts", "shared")

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
        self.shared = False
        """Whether it stands for one of several containers, of which each has its own `inner`."""


SOME_ATOM = Value(ATOM, fresh=True)
NONE = Value(ATOM, None, fresh=True)
TEXT = Value(ATOM, fresh=True, cls=str)
FRESH_DATA = Value(DATA, fresh=True)
SOME_DATA = Value(DATA)
SOMETHING = Value(ANY)


def constant(o: Any) -> Value:
    """That very constant."""
    return Value(ATOM, o, True)


def box(cls: type, inner: Value | None = None) -> Value:
    """A fresh container."""
    return Value(BOX, MISSING, True, inner, cls)


def iterator(inner: Value | None) -> Value:
    """A fresh iterator."""
    return Value(ITERATOR, MISSING, True, inner)


def join(some: Value, other: Value) -> Value:
    """What is known of a value that is one of two."""
    if some is other or (some.form == ATOM == other.form and some.o is other.o is MISSING):
        return some
    if some.o is not MISSING and some.o is other.o and some.form == other.form:
        return some
    if some.form == ATOM and other.form == ATOM:
        return TEXT if some.cls is other.cls is str else SOME_ATOM
    if some.form <= DATA and other.form <= DATA:
        return FRESH_DATA if some.fresh and other.fresh else _data_of(some, other)
    if some.form == other.form == BOX and some.fresh and other.fresh and some.cls is other.cls:
        joined = box(some.cls or list, _join_inner(some.inner, other.inner))
        joined.shared = some.shared = other.shared = True
        return joined
    return SOMETHING


def _data_of(some: Value, other: Value) -> Value:
    """One of two, of which each may be a window: on the same object, or on who knows what."""
    mutable = [value for value in (some, other) if not value.fresh and value.form == DATA]
    owners = {id(root.o) for value in mutable if (root := value.owner or value).o is not MISSING}
    if len(owners) == 1 and all((value.owner or value).o is not MISSING for value in mutable):
        return Value(DATA, owner=mutable[0].owner or mutable[0])
    return SOME_DATA


def _join_inner(some: Value | None, other: Value | None) -> Value | None:
    if some is None or other is None:
        return some or other
    return join(some, other)


def same_knowledge(some: Value, other: Value) -> bool:
    """Whether two values say the same, so that a loop need not be looked at again."""
    if some is other:
        return True
    return (
        some.form == other.form
        and some.o is other.o
        and some.fresh == other.fresh
        and some.cls is other.cls
        and some.inner is other.inner
        and some.owner is other.owner
    )
