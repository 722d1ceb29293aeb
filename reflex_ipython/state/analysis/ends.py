"""Whether an object may come to an end without anything of the user's running: no `__del__`, no callback."""

from __future__ import annotations

import gc
import sys
import types
from typing import Any
from weakref import getweakrefcount, getweakrefs

from reflex_ipython.base.classes import class_vars, classes
from reflex_ipython.state.analysis.forms import ATOM_IDS, form_of
from reflex_ipython.state.analysis.plain import MOST_ITEMS, plain_data
from reflex_ipython.state.analysis.values import (
    ATOM,
    BOX,
    BUILTIN,
    CLASS,
    DATA,
    ESTIMATOR,
    FIGURE,
    FUNCTION,
    LIBRARY,
    MODULE,
    OWN,
    RANDOM,
)
from reflex_ipython.state.kinds.layout import identity, layout
from reflex_ipython.state.references import callback

_DEPTH = 4
_QUIET = frozenset([ATOM, MODULE, CLASS, RANDOM, LIBRARY, FIGURE])
"""Those that hold nothing of the user's, or that are held in circles anyway: those end when the collector comes."""


def ends_quietly(o: Any, depth: int = _DEPTH) -> bool:
    """Whether nothing of the user's runs if the object comes to an end now, with all that only it holds."""
    form = form_of(type(o))
    if form == ATOM:
        return True
    if getweakrefcount(o) and any(callback(reference) is not None for reference in getweakrefs(o)):
        return False
    if form in _QUIET:
        return True
    look = _LOOKS.get(form)
    return look is not None and depth > 0 and look(o, depth)


def items_end_quietly(items: Any, depth: int = _DEPTH) -> bool:
    """The same of all objects in a collection."""
    if len(items) > MOST_ITEMS:
        return False
    if ATOM_IDS.issuperset(map(identity, map(type, items))):
        return True
    return all(ends_quietly(item, depth - 1) for item in items)


def _box(o: Any, depth: int) -> bool:
    if isinstance(o, dict):
        return items_end_quietly(dict.keys(o), depth) and items_end_quietly(dict.values(o), depth)
    return type(o) is bytearray or items_end_quietly(o, depth)


def _data(o: Any, depth: int) -> bool:
    return plain_data(o)


def _function(o: Any, depth: int) -> bool:
    if o.__closure__ is not None or o.__dict__:
        return False
    return all(ends_quietly(value, depth - 1) for value in (o.__defaults__ or ())) and not o.__kwdefaults__


def _builtin(o: Any, depth: int) -> bool:
    owner = o.__self__
    return owner is None or type(owner) is types.ModuleType or ends_quietly(owner, depth - 1)


def _instance(o: Any, depth: int) -> bool:
    cls = type(o)
    if any("__del__" in class_vars(base) for base in classes(cls)):
        return False
    form = layout(cls)
    if form.solid is not object:
        return False
    inside: list[Any] = []  # asking for `__dict__` would make one, which the collector counts
    for each in gc.get_referents(o):
        if type(each) is dict:
            inside += (*each, *each.values())
        elif each is not cls:
            inside.append(each)
    return items_end_quietly(inside, depth)


_LOOKS = {
    BOX: _box,
    DATA: _data,
    FUNCTION: _function,
    BUILTIN: _builtin,
    OWN: _instance,
    ESTIMATOR: _instance,
}


class _Names:
    """As a namespace is asked, so that the references that asking itself holds are known."""

    @staticmethod
    def references(namespace: dict[str, Any], name: str) -> int:
        return sys.getrefcount(namespace[name])


_ALONE = _Names.references({"it": object()}, "it")


def held_elsewhere(namespace: dict[str, Any], name: str, besides: int = 0) -> bool:
    """Whether the object of that name is held by more than the name, and by `besides` others."""
    return _Names.references(namespace, name) > _ALONE + besides
