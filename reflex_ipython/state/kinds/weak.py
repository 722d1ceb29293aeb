"""Weak references: what they refer to is followed as long as it lives, and what is in weak containers is put back.

The containers' own references are noted, never the objects that they refer to: what is gone by the time of a rollback
stays gone.
"""

from __future__ import annotations

import gc
import sys
import weakref
from typing import Any

from reflex_ipython.base.classes import inherits
from reflex_ipython.state.kinds.containers import identical
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.kind import NOTHING, CannotRestore, Kind, ObjectWalk

_referent = weakref.ReferenceType.__call__


# ------------------------------------------------------------------------------------------ references


def _snapshot_reference(o: Any, walk: ObjectWalk) -> Any:
    walk.follow((_referent(o), *gc.get_referents(o)))  # the latter has its callback
    return NOTHING


def _snapshot_proxy(o: Any, walk: ObjectWalk) -> Any:
    walk.follow((behind(o), *gc.get_referents(o)))
    return NOTHING


def behind(proxy: Any) -> Any:
    """What a proxy stands for; None if it is gone.

    Python itself has no way to ask that does not run the object's own code: all that a proxy is asked, the object is.
    """
    import ctypes  # costs a millisecond, and proxies are rare

    held = ctypes.py_object(proxy)  # what is given as it is would be asked for `_as_parameter_`
    found = ctypes.py_object()
    if sys.version_info >= (3, 13):
        if ctypes.pythonapi.PyWeakref_GetRef(held, ctypes.byref(found)) != 1:
            return None
        o = found.value
        ctypes.pythonapi.Py_DecRef(found)  # the reference that the call has made
        return o
    get = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object)(("PyWeakref_GetObject", ctypes.pythonapi))
    return ctypes.cast(get(held), ctypes.py_object).value


_REFERENCE = Kind("weak reference, proxy", "exact", _snapshot_reference)
_PROXY = Kind(_REFERENCE.name, "exact", _snapshot_proxy, instance=False)

# ------------------------------------------------------------------------------------------ containers


def _data(o: Any) -> Any:
    """The set or dict inside; None for one that is not made yet."""
    return object.__getattribute__(o, "__dict__").get("data")


def _snapshot_set(o: Any, walk: ObjectWalk) -> Any:
    data = _data(o)
    walk.elsewhere(data)
    saved = set(data)  # takes the hashes over: no object is asked for its own
    walk.follow([_referent(reference) for reference in saved])
    return data, saved


def _same_set(o: Any, saved: Any) -> bool:
    data, then = saved
    return _data(o) is data and set(map(id, _alive(data))) == set(map(id, _alive(then)))


def _restore_set(o: Any, saved: Any) -> None:
    data, then = saved
    object.__getattribute__(o, "__dict__")["data"] = data
    set.clear(data)
    set.update(data, then)
    for dead in [reference for reference in then if _referent(reference) is None]:
        set.discard(data, dead)  # it has told so already


def _alive(references: Any) -> list[Any]:
    return [reference for reference in references if _referent(reference) is not None]


def _snapshot_dict(o: Any, walk: ObjectWalk) -> Any:
    data = _data(o)
    walk.elsewhere(data)
    saved = dict.copy(data)
    pairs = [*dict.items(saved)]
    walk.follow([_strong(thing) for pair in pairs for thing in pair])
    return data, saved


def _strong(thing: Any) -> Any:
    return _referent(thing) if inherits(type(thing), weakref.ReferenceType) else thing


def _gone(pair: tuple[Any, Any], place: int) -> bool:
    return _referent(pair[place]) is None


def _dict_kind(place: int) -> Kind:
    """For dicts whose keys (0) or values (1) are references."""

    def living(data: dict[Any, Any]) -> list[Any]:
        return [thing for pair in dict.items(data) if not _gone(pair, place) for thing in pair]

    def same(o: Any, saved: Any) -> bool:
        data, then = saved
        now = living(data)
        return _data(o) is data and identical(now, living(then), len(now))

    def restore(o: Any, saved: Any) -> None:
        data, then = saved
        object.__getattribute__(o, "__dict__")["data"] = data
        dict.clear(data)
        dead = any(_gone(pair, place) for pair in dict.items(then))
        dict.update(data, {pair[0]: pair[1] for pair in dict.items(then) if not _gone(pair, place)} if dead else then)

    return Kind(_CONTAINER, "exact", _snapshot_dict, same, restore)


_CONTAINER = "WeakSet, WeakKeyDictionary, WeakValueDictionary"

# ------------------------------------------------------------------------------------------ finalizers

_FIELDS = ("weakref", "func", "args", "kwargs", "atexit", "index")


def _registered(o: Any) -> tuple[Any, tuple[Any, ...]]:
    info = weakref.finalize._registry.get(o)  # type: ignore[attr-defined]  # where Python keeps them
    return info, tuple(getattr(info, name, MISSING) for name in _FIELDS)


def _snapshot_finalizer(o: Any, walk: ObjectWalk) -> Any:
    info, values = _registered(o)
    if info is not None:
        walk.follow((values[0], *values[1:4]))
    return info, values


def _same_finalizer(o: Any, saved: Any) -> bool:
    info, values = _registered(o)
    return info is saved[0] and identical(values, saved[1], len(values))


def _restore_finalizer(o: Any, saved: Any) -> None:
    info, values = saved
    registry = weakref.finalize._registry  # type: ignore[attr-defined]  # as above
    if info is None:
        registry.pop(o, None)
        return
    if _referent(values[0]) is None:
        raise CannotRestore("it was called")
    for name, value in zip(_FIELDS, values):
        setattr(info, name, value)
    registry[o] = info


KINDS: dict[type, Kind] = {
    weakref.ReferenceType: _REFERENCE,
    weakref.ProxyType: _PROXY,
    weakref.CallableProxyType: _PROXY,
    weakref.WeakSet: Kind(_CONTAINER, "exact", _snapshot_set, _same_set, _restore_set),
    weakref.WeakKeyDictionary: _dict_kind(0),
    weakref.WeakValueDictionary: _dict_kind(1),
    weakref.finalize: Kind("weakref.finalize", "exact", _snapshot_finalizer, _same_finalizer, _restore_finalizer),
}
