"""The containers of Python: noted as a shallow copy, put back in place, compared by identity alone.

All goes through the built-in type's own methods, so that a subclass's `__iter__`, `__len__` or `__eq__` never runs.
"""

from __future__ import annotations

import builtins
from collections import OrderedDict, defaultdict, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain, repeat
from operator import is_
from typing import Any
from weakref import ref

from reflex_ipython.base.classes import class_vars, classes
from reflex_ipython.state.bounds import OverBound
from reflex_ipython.state.kinds.kind import NOTHING, CannotRestore, Kind, ObjectWalk
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.weak import ENDED, GONE, Loose, Within, any_end_seen

_POINTER = 8
_ALL = slice(None)
_NONE: dict[int, Any] = {}
_BUILTINS = vars(builtins)
_MANY = 1_000
"""Items from which on a container counts in bytes, and not only as a node."""


def identical(some: Iterable[object], others: Collection[object], count: int) -> bool:
    """Whether `some`, of that length, holds the very same objects in the same order."""
    return count == len(others) and all(map(is_, some, others))


def _all_are(some: Iterable[object], cls: type) -> bool:
    return all(map(is_, map(type, some), repeat(cls)))


def _all_identical(some: Iterable[Iterable[object]], others: Iterable[Iterable[object]]) -> bool:
    """The same of many, of which each is as long as the other."""
    return all(map(is_, chain.from_iterable(some), chain.from_iterable(others)))


_MOST = 1_000_000
"""Items of a list up to which it is copied: of a larger one, the copy would be seen in the peak of memory."""


def _snapshot_list(o: Any, walk: ObjectWalk) -> list[object]:
    count = list.__len__(o)
    if count > _MOST:
        raise OverBound(f"more than {_MOST:,} items")
    if count > _MANY:
        walk.expect(list.__iter__(o), count)
        walk.hold(_POINTER * count)
    saved = list.copy(o)
    walk.follow(saved)
    return saved


def _same_list(o: Any, saved: list[object]) -> bool:
    return list.__len__(o) == len(saved) and all(map(is_, list.__iter__(o), saved))


def _all_same_lists(some: Sequence[Any], saved: Sequence[list[object]]) -> bool:
    if not _all_are(some, list):
        return all(map(_same_list, some, saved))
    return list(map(len, some)) == list(map(len, saved)) and _all_identical(some, saved)


def _restore_list(o: Any, saved: Collection[object]) -> None:
    list.__setitem__(o, _ALL, all_there(saved))


def _snapshot_deque(o: Any, walk: ObjectWalk) -> list[object]:
    saved = list(deque.__iter__(o))
    walk.follow(saved)
    return saved


def _restore_deque(o: Any, saved: Collection[object]) -> None:
    items = all_there(saved)
    deque.clear(o)
    deque.extend(o, items)


def _snapshot_set(o: Any, walk: ObjectWalk) -> set[object]:
    walk.expect(set.__iter__(o), set.__len__(o))
    saved = set(o)  # merges the tables in C: no hash is asked for, and no `__iter__`
    walk.follow(saved)
    return saved


def _same_set(o: Any, saved: Collection[object]) -> bool:
    return set.__len__(o) == len(saved) and set(map(identity, set.__iter__(o))) == set(map(identity, saved))


def _restore_set(o: Any, saved: Collection[object]) -> None:
    items = all_there(saved)
    set.clear(o)
    set.update(o, items)


def _set_loosely(saved: Any, within: Mapping[int, Within]) -> Any:
    """Only where it can be filled again: the set itself has the hashes, its items alone would be asked for theirs."""
    return items_loosely(saved, within) if all(map(_hashes_in_c, saved)) else saved


def _snapshot_tuple(o: Any, walk: ObjectWalk) -> Any:
    walk.follow(o if type(o) is tuple else tuple.__getitem__(o, _ALL))
    return NOTHING


def _snapshot_frozenset(o: Any, walk: ObjectWalk) -> Any:
    walk.follow(frozenset(o))
    return NOTHING


# ------------------------------------------------------------------------------------------ dictionaries


class _Pairs:
    """The keys and values of a dict that `dict.copy` would ask by its own `__iter__`, or whose values may end."""

    __slots__ = ("keys", "values")

    def __init__(self, o: Any) -> None:
        self.keys = list(dict.keys(o))
        self.values: Collection[Any] = list(dict.values(o))

    def loosely(self, within: Mapping[int, Within]) -> _Pairs:
        """The same with values that may end."""
        self.values = Loose(self.values, within)
        return self


def _snapshot_dict(o: Any, walk: ObjectWalk) -> Any:
    if o is _BUILTINS:  # no code could run while it is emptied, not even the code that fills it again
        return NOTHING
    count = dict.__len__(o)
    if count > _MANY:
        walk.expect(iter(dict.values(o)), count)
        walk.hold(2 * _POINTER * count)
    if type(o) is dict or _plain_iteration(type(o)):
        saved = _others(o) if _has_registrations(o) else dict.copy(o)
        walk.follow(saved)  # its keys
        walk.follow(saved.values())
        return saved
    pairs = _Pairs(o)
    walk.follow(pairs.keys)
    walk.follow(pairs.values)
    return pairs


def _plain_iteration(cls: type) -> bool:
    return not any("__iter__" in class_vars(base) for base in classes(cls) if base is not dict and base is not object)


def _same_dict(o: Any, saved: Any) -> bool:
    if type(o) is type(saved) is dict:
        if len(o) == len(saved) and all(map(is_, o, saved)) and all(map(is_, o.values(), saved.values())):
            return True
        if not _has_registrations(o):
            return False
    keys, values = (saved.keys, saved.values) if type(saved) is _Pairs else (saved, saved.values())
    if type(saved) is dict and _has_registrations(o):
        o = _others(o)
    count = dict.__len__(o)
    return identical(iter(dict.keys(o)), keys, count) and identical(iter(dict.values(o)), values, count)


def _all_same_dicts(some: Sequence[Any], saved: Sequence[Any]) -> bool:
    if not (_all_are(some, dict) and _all_are(saved, dict) and list(map(len, some)) == list(map(len, saved))):
        return all(map(_same_dict, some, saved))
    if _all_identical(some, saved) and _all_identical(map(dict.values, some), map(dict.values, saved)):
        return True
    return all(map(_same_dict, some, saved))


def _has_registrations(o: Any) -> bool:
    return type(next(iter(dict.values(o)), None)) is ref


def _registration(key: object, value: object) -> bool:
    """Whether it is an entry that a weak reference added for itself, by a number, and will remove in the end.

    Such entries (matplotlib's transforms have them) are left alone: the reference would complain if it found its entry
    gone, or if a copy kept it alive when another had taken its place.
    """
    return type(value) is ref and type(key) is int and value.__callback__ is not None


def _others(o: Any) -> dict[Any, Any]:
    return {key: value for key, value in dict.items(o) if not _registration(key, value)}


def _restore_dict(o: Any, saved: Any) -> None:
    if type(saved) is not _Pairs:
        ended = [key for key, value in saved.items() if value is GONE]
        if ended:  # all attributes but these
            now = {key: value for key, value in dict.items(o) if type(key) is str}
            then = {key: now.get(key, GONE) if value is GONE else value for key, value in saved.items()}
            _restore_dict(o, {key: value for key, value in then.items() if value is not GONE})
            raise CannotRestore(ENDED)
        first = next(iter(dict.values(o)), None)
        kept = [pair for pair in dict.items(o) if _registration(*pair)] if type(first) is ref else ()
        dict.clear(o)
        dict.update(o, saved)  # takes the hashes over from the copy
        if kept:
            dict.update(o, kept)
        return
    _restore_pairs(o, saved, dict)


def _restore_pairs(o: Any, saved: _Pairs, cls: Any) -> None:
    if not all(map(_hashes_in_c, saved.keys)):
        raise CannotRestore("its keys have a hash of their own")
    values, ended = list(saved.values), False
    if any(value is GONE for value in values):  # all but these
        now, ended = dict(zip(map(identity, dict.keys(o)), dict.values(o))), True
        values = [now.get(identity(key), GONE) if value is GONE else value for key, value in zip(saved.keys, values)]
    cls.clear(o)
    for key, value in zip(saved.keys, values):
        if value is not GONE:
            cls.__setitem__(o, key, value)
    if ended:
        raise CannotRestore(ENDED)


def all_there(items: Collection[Any]) -> Collection[Any]:
    """What a container held, if none of it has come to an end."""
    if type(items) is not Loose:
        return items
    found = list(items)
    if any(o is GONE for o in found):
        raise CannotRestore(ENDED)
    return found


def loose_items(saved: Any) -> Iterable[object]:
    """What of what was noted of a container is held weakly in it."""
    if _is_default(saved):
        saved = saved[1]
    items = saved.values if type(saved) is _Pairs else saved
    return items if type(items) is Loose else ()


def _is_default(saved: Any) -> bool:
    """Whether it is what was noted of a `defaultdict`."""
    return type(saved) is tuple and len(saved) == 2 and type(saved[1]) is _Pairs


def items_loosely(saved: Any, within: Mapping[int, Within]) -> Any:
    """Items with those held weakly of which somebody would see the end (`Kind.loosely`)."""
    return Loose(saved, within) if _is_loose(saved, within) else saved


def _pairs_loosely(saved: Any, within: Mapping[int, Within]) -> Any:
    if type(saved) is _Pairs:
        return saved.loosely(within) if _is_loose(saved.values, within) else saved
    if type(saved) is not dict or not _is_loose(saved.values(), within):
        return saved
    return _Pairs(saved).loosely(within)


def _default_loosely(saved: Any, within: Mapping[int, Within]) -> Any:
    return saved[0], _pairs_loosely(saved[1], within)


def _is_loose(items: Collection[Any], within: Mapping[int, Within]) -> bool:
    if type(items) is Loose or len(items) > _MANY:
        return False
    return any_end_seen(items) or (bool(within) and not within.keys().isdisjoint(map(identity, items)))


def _hashes_in_c(key: object) -> bool:
    """Whether hashing the key runs no code of the user's."""
    if type(key) is tuple:
        return all(map(_hashes_in_c, key))
    for base in classes(type(key)):
        found = class_vars(base).get("__hash__")
        if found is not None:
            return type(found) is type(object.__hash__)
    return False


def _snapshot_ordered(o: Any, walk: ObjectWalk) -> _Pairs:
    pairs = _Pairs(o)
    values = dict(zip(map(identity, pairs.keys), pairs.values))
    pairs.keys = list(OrderedDict.__iter__(o))  # in the order that `move_to_end` made
    pairs.values = [values[identity(key)] for key in pairs.keys]
    walk.follow(pairs.keys)
    walk.follow(pairs.values)
    return pairs


def _same_ordered(o: Any, saved: _Pairs) -> bool:
    if not identical(OrderedDict.__iter__(o), saved.keys, dict.__len__(o)):
        return False
    values = dict(zip(map(identity, dict.keys(o)), dict.values(o)))
    return all(values[identity(key)] is value for key, value in zip(saved.keys, saved.values))


def _restore_ordered(o: Any, saved: _Pairs) -> None:
    _restore_pairs(o, saved, OrderedDict)


_factory = defaultdict.__dict__["default_factory"]


def _snapshot_default(o: Any, walk: ObjectWalk) -> Any:
    factory = _factory.__get__(o)
    walk.follow((factory,))
    return factory, _snapshot_dict(o, walk)


def _same_default(o: Any, saved: Any) -> bool:
    return _factory.__get__(o) is saved[0] and _same_dict(o, saved[1])


def _restore_default(o: Any, saved: Any) -> None:
    _factory.__set__(o, saved[0])
    _restore_dict(o, saved[1])


LIST = Kind("list", "exact", _snapshot_list, _same_list, _restore_list, all_same=_all_same_lists, loosely=items_loosely)
DICT = Kind(
    "dict", "exact", _snapshot_dict, _same_dict, _restore_dict, all_same=_all_same_dicts, loosely=_pairs_loosely
)
DEQUE = Kind(
    "deque",
    "exact",
    _snapshot_deque,
    lambda o, saved: identical(deque.__iter__(o), saved, deque.__len__(o)),
    _restore_deque,
    loosely=items_loosely,
)

KINDS: dict[type, Kind] = {
    list: LIST,
    dict: DICT,
    set: Kind("set", "exact", _snapshot_set, _same_set, _restore_set, loosely=_set_loosely),
    deque: DEQUE,
    OrderedDict: Kind(
        "OrderedDict", "exact", _snapshot_ordered, _same_ordered, _restore_ordered, loosely=_pairs_loosely
    ),
    defaultdict: Kind(
        "defaultdict", "exact", _snapshot_default, _same_default, _restore_default, loosely=_default_loosely
    ),
    tuple: Kind("tuple", "exact", _snapshot_tuple),
    frozenset: Kind("frozenset", "exact", _snapshot_frozenset),
}
