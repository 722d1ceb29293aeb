"""Objects that are referred to and not kept alive."""

from __future__ import annotations

import gc
import io
import weakref
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import compress
from types import AsyncGeneratorType, CoroutineType, GeneratorType
from typing import Any

from reflex_ipython.base.classes import class_vars, classes, inherits, is_exactly
from reflex_ipython.state.kinds.keepsakes import is_small_frame
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.references import others
from reflex_ipython.state.user_code import owned_class

has_references = type.__dict__["__weakrefoffset__"].__get__
"""Not 0 for a type that allows weak references; asked past its metaclass."""


class Gone:
    """In the place of an object that has come to an end, since nobody but the journal held it."""


GONE = Gone()
_NOTHING: dict[int, Any] = {}
ENDED = "its old value no longer exists"


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


class Copied:
    """A small frame that is held weakly, and a copy to stand for it once it has ended.

    While it lives, pandas copies what it shares before the next write: to hold it would change what a cell computes.

    Parameters
    ----------
    o : pandas.DataFrame or pandas.Series
    copy : the same
    """

    __slots__ = ("_copy", "_reference")

    def __init__(self, o: Any, copy: Any) -> None:
        self._reference = weakref.ref(o)
        self._copy = copy

    def get(self) -> Any:
        """The frame, or its copy."""
        o = self._reference()
        return self._copy if o is None else o


class Unheld:
    """A list, dict … that a name is bound to, which can't be held weakly, and which holds objects whose end is seen.

    Parameters
    ----------
    namespace : dict
    name : str
    o : object
        What the name is bound to.
    """

    __slots__ = ("_inside", "_name", "_namespace", "identity")

    def __init__(self, namespace: dict[str, Any], name: str, o: Any) -> None:
        self._namespace = namespace
        self._name = name
        self.identity = identity(o)
        self._inside = [Weak(each) for each in ends_inside(o)]

    def get(self) -> Any:
        """The object, if the name is still bound to it; else `GONE`."""
        o = self._namespace.get(self._name, GONE)
        if identity(o) != self.identity:
            return GONE
        now = set(map(identity, ends_inside(o)))  # another one may be where it was
        return o if all(each.get() is not GONE and identity(each.get()) in now for each in self._inside) else GONE


class Within:
    """A list, dict … in such a one, which is not held either.

    Parameters
    ----------
    whole : Unheld
    o : object
        One of `parts_of`.
    """

    __slots__ = ("_identity", "_whole")

    def __init__(self, whole: Unheld, o: Any) -> None:
        self._whole = whole
        self._identity = identity(o)

    def get(self) -> Any:
        """The object, if it is still there; else `GONE`."""
        whole = self._whole.get()
        return next((part for part in parts_of(whole) if identity(part) == self._identity), GONE)


class Loose(Collection[Any]):
    """The items of a container, of which those are held weakly whose end is seen.

    Parameters
    ----------
    items : iterable of object
    within : dict of int to Within
        What is not to be held besides, by identity.
    """

    __slots__ = ("_items",)

    def __init__(self, items: Iterable[Any], within: Mapping[int, Within] = _NOTHING) -> None:
        self._items = [within.get(identity(o)) or (Weak(o) if ends_seen(o) else o) for o in items]

    def __len__(self) -> int:
        """How many there were."""
        return len(self._items)

    def __iter__(self) -> Iterator[Any]:
        """They themselves; `GONE` where one has come to an end."""
        return map(found, self._items)

    def __contains__(self, o: object) -> bool:
        """Whether it is one of them."""
        return any(each is o for each in self)


def inside(o: Any) -> Collection[Any]:
    """The items of a container of Python's own, the values of a dict; nothing of what has many, or is none."""
    if not _has_few(o):
        return ()
    return dict.values(o) if inherits(type(o), dict) else o  # a list, tuple or set


def ends_inside(o: Any) -> list[Any]:
    """What is in a list, dict … of Python's own, however deep, and whose end is seen: of as much as is looked at."""
    return [part for part in _parts(o) if ends_seen(part)]


def parts_of(o: Any) -> list[Any]:
    """The lists, dicts … in one, however deep: of as much as is looked at."""
    return [part for part in _parts(o) if identity(type(part)) in _CONTAINERS]


def containers_in(o: Any) -> list[Any]:
    """The lists, dicts … that one refers to itself; none of what has many."""
    return [part for part in gc.get_referents(o) if identity(type(part)) in _CONTAINERS] if _has_few(o) else []


def _has_few(o: Any) -> bool:
    return identity(type(o)) in _CONTAINERS and len(o) <= _MANY


def _parts(o: Any) -> list[Any]:
    found: list[Any] = []
    if not _has_few(o):
        return found
    seen, todo = {identity(o)}, [o]
    while todo and len(seen) < _NEAR:
        parts = gc.get_referents(todo.pop())
        for part in parts:
            key, cls = identity(part), identity(type(part))
            if cls in _PLAIN or key in seen or not gc.is_tracked(part):
                continue
            seen.add(key)
            found.append(part)
            if _has_few(part):  # what else there is may lead anywhere
                todo.append(part)
    return found


_NEAR = 200
"""Objects that are looked at in one that a name is bound to."""
_MANY = 1_000
_CONTAINERS = frozenset(map(identity, (list, dict, tuple, set, defaultdict)))
_PLAIN = frozenset(map(identity, (int, float, str, bool, type(None), bytes, complex)))


def ends_seen(o: Any) -> bool:
    """Whether its end is seen: of one of a class of the user's by `__del__`, a weak reference or a finalizer; of a
    generator by what stands behind its pause, of a file by what is written then.
    """
    cls = type(o)
    if not has_references(cls):
        return False
    if not owned_class(cls):
        key = identity(cls)
        return key in _ENDING and (key not in _GENERATORS or _is_paused(o))
    return weakref.getweakrefcount(o) > 0 or any("__del__" in class_vars(base) for base in classes(cls))


_GENERATORS = {
    identity(cls): prefix for cls, prefix in ((GeneratorType, "gi"), (AsyncGeneratorType, "ag"), (CoroutineType, "cr"))
}
_FILES = map(identity, (io.FileIO, io.BufferedWriter, io.BufferedRandom, io.TextIOWrapper))
_ENDING = frozenset((*_GENERATORS, *_FILES))


def _is_paused(o: Any) -> bool:
    """Whether a generator has begun and has not come to its end."""
    frame = getattr(o, f"{_GENERATORS[identity(type(o))]}_frame")
    return frame is not None and frame.f_lasti >= 0


def any_end_seen(items: Collection[Any]) -> bool:
    """The same of one of these at least."""
    return not _PLAIN.issuperset(map(identity, map(type, items))) and any(map(ends_seen, items))


def weakly(o: Any) -> Weak | None:
    """The object by a weak reference; None if its type has none. No code of the user's runs."""
    return Weak(o) if has_references(type(o)) else None


def found(held: Any) -> Any:
    """What is held, weakly, not at all, or as it is; `GONE` if it has come to an end."""
    return held.get() if is_exactly(held, _HELD) else held


_HELD = (Weak, Copied, Unheld, Within)


def mortal(o: Any) -> Any:
    """The object, held weakly if somebody sees its end: by `__del__`, a weak reference or a finalizer."""
    cls = type(o)
    if not has_references(cls):
        return o
    return Weak(o) if weakref.getweakrefcount(o) or any("__del__" in class_vars(base) for base in classes(cls)) else o


def is_frame_of_its_own(o: Any) -> bool:
    """Whether it is a small frame of pandas to which nobody refers weakly but itself, as each frame does."""
    return is_small_frame(o) and weakref.getweakrefcount(o) == 1 and others(weakref.getweakrefs(o), 0) == 1


def all_mortal(namespace: dict[str, Any]) -> dict[str, Any]:
    """Every name with its object, those held weakly whose end somebody sees; a class is asked once."""
    names = dict(namespace)  # threads bind some meanwhile
    objects = names.values()
    types = tuple(map(identity, map(type, objects)))
    seen = {key for key, o in dict(zip(types, objects)).items() if has_references(type(o))}
    names.update([(name, mortal(o)) for name, o in compress(names.items(), map(seen.__contains__, types))])
    some = [(name, o) for name, o in names.items() if identity(type(o)) in _CONTAINERS and ends_inside(o)]
    names.update((name, Unheld(namespace, name, o)) for name, o in some)
    return names


def any_ends(namespace: dict[str, Any]) -> bool:
    """Whether a name is bound to something whose end is seen, or to a list, dict … with such in it."""
    objects = list(namespace.values())
    return any_end_seen(objects) or any(any_end_seen(inside(o)) for o in objects)
