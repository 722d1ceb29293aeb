"""Which kind an object of a type is."""

from __future__ import annotations

import datetime
import decimal
import functools
import re
import sys
import types
import typing
import weakref
from collections.abc import Callable, Iterator

from reflex_ipython.base.classes import classes, inherits, module_name, qualname
from reflex_ipython.state.kinds import (
    abstract_classes,
    buffers,
    derived,
    functions,
    instances,
    modules,
    opaque,
    registries,
    switches,
    zones,
)
from reflex_ipython.state.kinds.families import FAMILIES
from reflex_ipython.state.kinds.instances import instance_kind
from reflex_ipython.state.kinds.kind import Kind
from reflex_ipython.state.kinds.layout import identity, layout
from reflex_ipython.state.kinds.live import asked_kind
from reflex_ipython.state.kinds.queues import kind_of_queue
from reflex_ipython.state.kinds.still import is_still
from reflex_ipython.state.user_code import owned_class

IMMUTABLE: tuple[type, ...] = (
    int,
    float,
    complex,
    str,
    bytes,
    bool,
    range,
    type(None),
    type(...),
    type(NotImplemented),
    object,
    types.CodeType,
    types.GetSetDescriptorType,
    types.WrapperDescriptorType,
    types.ClassMethodDescriptorType,
    datetime.date,
    datetime.timedelta,
    datetime.tzinfo,
    decimal.Decimal,
)

ATOMS = frozenset(map(identity, IMMUTABLE))
"""Types whose very own objects have no contents at all. By identity, since a metaclass may have a `__hash__`."""

REFERRING: tuple[type, ...] = (
    types.MemberDescriptorType,
    types.UnionType,
    datetime.time,
    re.Pattern,
    re.Match,
    typing.TypeVar,
)
"""Types whose objects don't change either, and refer to others that may."""

_CONDITIONS: dict[Kind | None, Callable[[], bool]] = {
    zones.ZONED: zones.users_zones,
    derived.PATTERN: derived.has_users_texts,
    derived.MATCH: derived.has_users_texts,
    derived.INTERVAL: derived.has_users_numbers,
}
_STATIC: dict[int, Kind | None] = {
    **{id(cls): None for cls in IMMUTABLE if cls is not object},
    **{id(cls): kind for family in FAMILIES for cls, kind in getattr(family, "KINDS", {}).items()},
}
_OF_LIBRARIES = tuple(family for family in FAMILIES if hasattr(family, "kinds"))


class KindTable:
    """The kinds of types, with those of the libraries that are loaded now."""

    def __init__(self) -> None:
        self.complete = True
        self._kinds = dict(_STATIC)
        self._found: dict[int, tuple[weakref.ref[type], tuple[Kind, ...]]] = {}
        """Those of the classes of libraries, by identity."""
        self._types: list[type] = []  # kept, so that no id is given out twice
        for family in _OF_LIBRARIES:
            try:
                found = family.kinds()
            except AttributeError:  # another thread is in the middle of importing it
                self.complete = False
                continue
            self._types += found
            self._kinds.update((id(cls), kind) for cls, kind in found.items())

    def kinds(self, cls: type) -> tuple[Kind, ...]:
        """The kinds that objects of the class are noted as, one after the other; none for what has no contents."""
        key = identity(cls)
        known = self._found.get(key)
        if known is not None and known[0]() is cls:  # else it has come to an end, and another class has its id
            return known[1]
        found = self._find(cls)
        # The user's may change, and somebody may look for weak references to it.
        if not owned_class(cls) and self._condition(cls) is None:
            self._found[key] = weakref.ref(cls), found
        return found

    def _find(self, cls: type) -> tuple[Kind, ...]:
        form = layout(cls)
        owned = owned_class(cls)
        if not owned and not inherits(cls, type) and _is_immutable(cls):
            return ()
        kind = self._kind(cls, form.solid)
        condition = self._condition(cls)
        if condition is not None and not condition():
            kind = None
        if kind is opaque.UNKNOWN and form.dictionary is not None and not owned:
            return (opaque.MACHINERY,)
        found = () if kind is None else (kind,)
        if owned and kind is not None and not kind.instance:
            found = (*found, instances.CLASS)
        if (kind is None or kind.instance) and (form.dictionary is not None or form.slots or owned):
            local = not owned and "<locals>" in qualname(cls)
            return (*found, instance_kind(form, owned, opaque.BUSY, opaque.LIVE, local))
        return found

    def _condition(self, cls: type) -> Callable[[], bool] | None:
        """What says whether objects of the class have anything to be noted; None: they always have, or never."""
        kinds = (self._kinds.get(id(base)) for base in classes(cls))
        return next((_CONDITIONS[kind] for kind in kinds if kind in _CONDITIONS), None)

    def _kind(self, cls: type, solid: type) -> Kind | None:
        """The kind by the nearest base that is known; None: all it has are attributes and slots."""
        for base in classes(cls):
            if id(base) in self._kinds:
                return self._kinds[id(base)]
            if base is solid:
                break  # beyond, nobody knows the fields that this one adds
        if qualname(cls) == functions.CYTHON:
            return functions.OF_CYTHON
        asked = kind_of_queue(cls) or asked_kind(cls)
        if asked is not None:
            return asked
        if any(_is_live(base) for base in classes(cls)):
            return opaque.LIVE
        if solid is object or is_still(cls, solid):
            return None
        return buffers.of_cython(solid) or opaque.UNKNOWN


def _root(cls: type) -> str:
    return module_name(cls).partition(".")[0]


def _is_immutable(cls: type) -> bool:
    return _root(cls) in opaque.IMMUTABLE_PACKAGES or module_name(cls).startswith(opaque.IMMUTABLE_MODULES)


def _is_live(cls: type) -> bool:
    if (module_name(cls), qualname(cls)) in opaque.PLAIN_CLASSES:
        return False
    return _root(cls) in opaque.LIVE_PACKAGES and not module_name(cls).startswith(opaque.PLAIN_MODULES)


_LIBRARIES = tuple({name for family in _OF_LIBRARIES for name in family.LIBRARIES})
"""Modules that bring kinds of their own with them."""


def current_table() -> KindTable:
    """The table for now; made anew when a library has come in."""
    table = _made(tuple(id(sys.modules.get(name)) for name in _LIBRARIES))
    if not table.complete:
        _made.cache_clear()
    return table


@functools.lru_cache(maxsize=1)
def _made(libraries: tuple[int, ...]) -> KindTable:
    return KindTable()


def all_kinds() -> Iterator[Kind]:
    """Every kind there is now, each once: the documented table."""
    seen: set[int] = set()
    table = KindTable()
    made_on_demand = (
        instance_kind(layout(types.SimpleNamespace), False, opaque.BUSY, opaque.LIVE),
        modules.chosen_attributes(frozenset()),
        modules.OWN_MODULE,
        functions.GLOBALS,
        abstract_classes.REGISTERED,
        abstract_classes.ANSWERS,
        buffers.MEMORY,
        registries.registry(()),
        *switches.KINDS,
    )
    for kind in (*table._kinds.values(), *made_on_demand, opaque.LIVE, opaque.UNKNOWN):
        if kind is not None and id(kind) not in seen:
            seen.add(id(kind))
            yield kind
