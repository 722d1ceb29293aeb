"""Objects that are referred to and not kept alive."""

from __future__ import annotations

import weakref
from itertools import compress
from typing import Any

from reflex_ipython.base.classes import class_vars, classes
from reflex_ipython.state.kinds.layout import identity

has_references = type.__dict__["__weakrefoffset__"].__get__
"""Not 0 for a type that allows weak references; asked past its metaclass."""


class Gone:
    """In the place of an object that has come to an end, since nobody but the journal held it."""


GONE = Gone()


class Weak:
    """An object that is held by a weak reference.

    Parameters
    ----------
    o : object
        Of a type that allows it (`weakly`).
    """

    __slots__ = ("_reference",)

    def __init__(self, o: Any) -> None:
        self._reference = weakref.ref(o)

    def get(self) -> Any:
        """The object, or `GONE`."""
        o = self._reference()
        return GONE if o is None else o


def weakly(o: Any) -> Weak | None:
    """The object by a weak reference; None if its type has none. No code of the user's runs."""
    return Weak(o) if has_references(type(o)) else None


def found(held: Any) -> Any:
    """What is held, weakly or not; `GONE` if it has come to an end."""
    return held.get() if type(held) is Weak else held


def mortal(o: Any) -> Any:
    """The object, held weakly if somebody sees its end: by `__del__`, a weak reference or a finalizer."""
    cls = type(o)
    if not has_references(cls):
        return o
    return Weak(o) if weakref.getweakrefcount(o) or any("__del__" in class_vars(base) for base in classes(cls)) else o


def all_mortal(names: dict[str, Any]) -> dict[str, Any]:
    """Every name with its object, those held weakly whose end somebody sees; a class is asked once."""
    names = dict(names)  # threads bind some meanwhile
    objects = names.values()
    types = tuple(map(identity, map(type, objects)))
    seen = {key for key, o in dict(zip(types, objects)).items() if has_references(type(o))}
    names.update([(name, mortal(o)) for name, o in compress(names.items(), map(seen.__contains__, types))])
    return names
