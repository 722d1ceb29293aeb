"""Objects of classes: their `__dict__` and slots; and the classes themselves."""

from __future__ import annotations

from operator import is_
from typing import Any

from reflex_ipython.state.kinds.kind import NOTHING, Kind, Walk
from reflex_ipython.state.kinds.layout import Layout, class_vars, identity
from reflex_ipython.state.owned import owned_class

MISSING: Any = object()
_bases = type.__dict__["__bases__"]


def instance_kind(layout: Layout, owned: bool, busy: frozenset[int], live: Kind) -> Kind:
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
    """
    dictionary, slots = layout.dictionary, layout.slots

    def note(o: Any, walk: Walk) -> Any:
        fields = dictionary.__get__(o) if dictionary is not None else None
        if not owned and fields and not _disjoint(busy, fields):
            walk.note(live, o)
            return NOTHING
        values = tuple(_slot(slot, o) for slot in slots)
        walk.follow((fields, *values))
        if owned:
            walk.follow((type(o),))
        return fields, values

    def same(o: Any, saved: Any) -> bool:
        fields, values = saved
        now = dictionary.__get__(o) if dictionary is not None else None
        return now is fields and all(map(is_, values, (_slot(slot, o) for slot in slots)))

    def restore(o: Any, saved: Any) -> None:
        fields, values = saved
        if dictionary is not None and dictionary.__get__(o) is not fields:
            dictionary.__set__(o, fields)
        for slot, value in zip(slots, values):
            now = _slot(slot, o)
            if value is MISSING and now is not MISSING:
                slot.__delete__(o)
            elif now is not value:
                slot.__set__(o, value)

    return Kind("object of a class: attributes and slots", "exact", note, same, restore)


def _disjoint(busy: frozenset[int], fields: Any) -> bool:
    return busy.isdisjoint(map(identity, map(type, dict.values(fields))))


def _slot(slot: Any, o: Any) -> Any:
    try:
        return slot.__get__(o)
    except AttributeError:
        return MISSING


# ------------------------------------------------------------------------------------------ classes


def _note_class(o: Any, walk: Walk) -> Any:
    if not owned_class(o):
        walk.library_class(o)
        return NOTHING
    own = dict(class_vars(o))
    walk.follow(own.values())
    walk.follow(_bases.__get__(o))
    if type(o) is not type:  # a metaclass, with attributes of its own
        walk.follow((type(o),))
    return own, _bases.__get__(o)


def _same_class(o: Any, saved: Any) -> bool:
    own, bases = saved
    now = class_vars(o)
    return _bases.__get__(o) == bases and len(now) == len(own) and all(now.get(k, MISSING) is own[k] for k in own)


def _restore_class(o: Any, saved: Any) -> None:
    own, bases = saved
    if _bases.__get__(o) != bases:
        _bases.__set__(o, bases)
    now = dict(class_vars(o))
    for name in now.keys() - own.keys():
        type.__delattr__(o, name)
    for name, value in own.items():
        if now.get(name, MISSING) is not value:
            type.__setattr__(o, name, value)


KINDS: dict[type, Kind] = {
    type: Kind(
        "class: attributes, methods and bases", "exact", _note_class, _same_class, _restore_class, instance=False
    )
}
