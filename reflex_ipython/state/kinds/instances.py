"""Objects of classes: their `__dict__` and slots; and the classes themselves."""

from __future__ import annotations

import abc
import functools
from collections.abc import Mapping
from operator import is_
from types import BuiltinMethodType, GeneratorType, MethodType, MethodWrapperType
from typing import Any

from reflex_ipython.base.classes import class_vars, is_exactly
from reflex_ipython.base.own_dict import dict_of_partial, parts_of_partial, set_partial
from reflex_ipython.state.kinds.abstract_classes import ANSWERS, REGISTERED
from reflex_ipython.state.kinds.containers import all_there, identical, items_loosely
from reflex_ipython.state.kinds.kind import NOTHING, Kind, ObjectWalk
from reflex_ipython.state.kinds.layout import Layout, identity
from reflex_ipython.state.kinds.subclasses import SUBCLASSES, nearest
from reflex_ipython.state.user_code import owned_class

MISSING: Any = object()
_class: Any = object.__dict__["__class__"]
_bases = type.__dict__["__bases__"]
_BOUND = (BuiltinMethodType, GeneratorType, MethodType, MethodWrapperType)


def instance_kind(layout: Layout, owned: bool, busy: frozenset[int], live: Kind, local: bool = False) -> Kind:
    """The kind of a class's objects, as far as `__dict__` and slots go.

    Parameters
    ----------
    layout : Layout
    owned : bool
        Whether the class is the user's own; then its class attributes are looked at as well.
    busy : frozenset of int
        Types, by identity. An object of a library that holds one of those is shared with other threads or the world
        outside: to put its fields back would tear it.
    live : Kind
        What such an object is noted as.
    local : bool
        Whether a function of a library has made the class: what it has put in there may be the object's own, as the
        generator is that `ElementTree.iterparse` goes on with.
    """
    dictionary, slots = layout.dictionary, layout.slots
    partial = layout.solid is functools.partial
    attributes = dict_of_partial if partial else getattr(dictionary, "__get__", _none)
    same_fields = is_ if partial else _same_fields

    def snapshot(o: Any, walk: ObjectWalk) -> Any:
        fields = attributes(o)
        if not owned and fields and not _disjoint(busy, fields):
            walk.snapshot(live, o)
            return NOTHING
        values = tuple(_slot(slot, o) for slot in slots)
        walk.follow((fields, *values))
        if owned:
            walk.follow((type(o),))
        if local:
            walk.follow([part for part in class_vars(type(o)).values() if is_exactly(part, _BOUND)])
        return fields, values, type(o)

    def same(o: Any, saved: Any) -> bool:
        fields, values, cls = saved
        if type(o) is not cls:
            return False
        return same_fields(attributes(o), fields) and all(map(is_, values, (_slot(slot, o) for slot in slots)))

    def restore(o: Any, saved: Any) -> None:
        fields, values, cls = saved
        if type(o) is not cls:
            _class.__set__(o, cls)
        now = attributes(o)
        if fields is None and partial and now is not None:
            set_partial(o, parts_of_partial(o), None)
        elif fields is None and now:
            dict.clear(now)
        elif fields is not None and now is not fields:
            dictionary.__set__(o, fields)
        for slot, value in zip(slots, all_there(values)):
            now = _slot(slot, o)
            if value is MISSING and now is not MISSING:
                slot.__delete__(o)
            elif now is not value:
                slot.__set__(o, value)

    def loosely(saved: Any, within: Mapping[int, Any]) -> Any:
        fields, values, cls = saved
        return fields, items_loosely(values, within) if values else values, cls

    return Kind("object of a class: attributes and slots", "exact", snapshot, same, restore, loosely=loosely)


def _snapshot_its_class(o: Any, walk: ObjectWalk) -> Any:
    walk.follow((type(o),))
    return NOTHING


CLASS = Kind("object of a class: attributes and slots", "exact", _snapshot_its_class, instance=False)
"""Of a class of the user's whose objects are noted wholly by the kind of a base: its methods run all the same."""


def _none(o: Any) -> None:
    """There are no attributes."""


def _same_fields(now: Any, then: Any) -> bool:
    return now is then or (then is None and not now)


def _disjoint(busy: frozenset[int], fields: Any) -> bool:
    return busy.isdisjoint(map(identity, map(type, dict.values(fields))))


def _slot(slot: Any, o: Any) -> Any:
    try:
        return slot.__get__(o)
    except AttributeError:
        return MISSING


# ------------------------------------------------------------------------------------------ classes


def _snapshot_class(o: Any, walk: ObjectWalk) -> Any:
    if not owned_class(o):
        walk.library_class(o)
        return NOTHING
    walk.snapshot(ANSWERS, o)
    own = dict(class_vars(o))
    walk.follow(own.values())
    walk.follow(_bases.__get__(o))
    if type(o) is not type:  # a metaclass, with attributes of its own
        walk.follow((type(o),))
    if SUBCLASSES in walk.attributes:
        walk.follow(nearest(o))
    return own, _bases.__get__(o)


def _same_bases(o: Any, bases: tuple[type, ...]) -> bool:
    """Told by identity: a metaclass may have an `__eq__`."""
    now = _bases.__get__(o)
    return identical(now, bases, len(now))


def _same_class(o: Any, saved: Any) -> bool:
    own, bases = saved
    now = class_vars(o)
    return _same_bases(o, bases) and len(now) == len(own) and all(now.get(k, MISSING) is own[k] for k in own)


def _restore_class(o: Any, saved: Any) -> None:
    own, bases = saved
    if not _same_bases(o, bases):
        _bases.__set__(o, bases)
    now = dict(class_vars(o))
    for name in now.keys() - own.keys():
        type.__delattr__(o, name)
    for name, value in own.items():
        if now.get(name, MISSING) is not value:
            type.__setattr__(o, name, value)


def _snapshot_abstract(o: Any, walk: ObjectWalk) -> Any:
    if owned_class(o):
        walk.snapshot(REGISTERED, o)
    return _snapshot_class(o, walk)


_NAME = "class: attributes, methods and bases"

KINDS: dict[type, Kind] = {
    type: Kind(_NAME, "exact", _snapshot_class, _same_class, _restore_class, instance=False),
    abc.ABCMeta: Kind(_NAME, "exact", _snapshot_abstract, _same_class, _restore_class, instance=False),
}
