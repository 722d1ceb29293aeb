"""Iterators. Where Python can set their position they are put back; where it can't, they are named if they moved.

`__reduce__` of the built-in iterators says where they stand, and `__setstate__` moves them. `zip`, `map` and `filter`
have no position: what they draw from has.
"""

from __future__ import annotations

import array
import gc
import itertools
import struct
from collections import deque
from operator import length_hint
from typing import Any

from reflex_ipython.base.classes import inherits, is_exactly
from reflex_ipython.state.kinds.functions import through
from reflex_ipython.state.kinds.kind import CannotRestore, Kind, ObjectWalk

_PLAIN = (int, str, bytes, range, type(None))
_EMPTIED = (list, tuple, str, bytes, bytearray)
_MEASURED = (tuple, str, bytes, bytearray, array.array)
"""What `reversed` may ask for its length when it is put back: elsewhere that is code of the user's."""
_EXHAUSTED = "exhausted"


def _own_type(o: Any) -> Any:
    """Its type of Python's own: only `reversed` can be derived from, and the user's class may say otherwise."""
    return reversed if inherits(type(o), reversed) else type(o)


def _position(o: Any) -> tuple[Any, ...]:
    """What it runs over and where it stands; empty when exhausted."""
    cls = _own_type(o)
    _, arguments, *state = cls.__reduce__(o)
    whole = arguments[0] if arguments else None
    if not state and is_exactly(whole, _EMPTIED) and not whole:
        return ()
    return (whole, *state)


def _snapshot(o: Any, walk: ObjectWalk) -> tuple[Any, ...]:
    walk.follow(gc.get_referents(o))
    return _position(o)


def _same(o: Any, saved: tuple[Any, ...]) -> bool:
    now = _position(o)
    return len(now) == len(saved) and all(map(_equal, now, saved))


def _equal(some: Any, other: Any) -> bool:
    return some is other or (type(some) is type(other) and is_exactly(some, _PLAIN) and bool(some == other))


def _stays(o: Any, saved: tuple[Any, ...]) -> bool:
    if not _position(o) or len(saved) < 2 or type(saved[1]) is not int:
        return True
    return inherits(type(o), reversed) and not is_exactly(saved[0], _MEASURED)


def _restore(o: Any, saved: tuple[Any, ...]) -> None:
    if _stays(o, saved):
        raise CannotRestore(_EXHAUSTED if not _position(o) else "it can't go back")
    _own_type(o).__setstate__(o, saved[1])


_SETTABLE = Kind(
    "iterator over a list, tuple, str, bytes or range",
    "partial",
    _snapshot,
    _same,
    _restore,
    unrestorable=_stays,
    limit="one that was exhausted since then stays exhausted; from Python 3.12 on, one over a range does not go back",
)


# ------------------------------------------------------------------------------------------ those that can't go back


def _snapshot_hint(o: Any, walk: ObjectWalk) -> int:
    walk.follow(gc.get_referents(o))
    return length_hint(o)


_COUNTED = Kind("iterator over a dict, set or deque", "named", _snapshot_hint, lambda o, saved: length_hint(o) == saved)


def _count(o: Any) -> tuple[Any, ...]:
    """Where a `count` stands: as text if it is a plain number, else the very objects, which may be the user's."""
    parts = [part for part in gc.get_referents(o) if part is not type(o) and type(part) is not dict]
    if all(is_exactly(part, (int, float)) for part in parts):
        return (itertools.count.__repr__(o),)
    if type(o) is not itertools.count:  # which of them is the number, and which in a slot, nobody knows
        return (object(),)
    return tuple(parts) if len(parts) > 1 else (itertools.count.__repr__(o),)  # one: the step, which is not shown


def _same_count(o: Any, saved: tuple[Any, ...]) -> bool:
    now = _count(o)
    return len(now) == len(saved) and all(map(_equal, now, saved))


def _snapshot_count(o: Any, walk: ObjectWalk) -> tuple[Any, ...]:
    walk.follow(gc.get_referents(o))
    return _count(o)


_NAME_OF_COUNTS = "itertools.count, itertools.repeat"
_COUNT = Kind(_NAME_OF_COUNTS, "named", _snapshot_count, _same_count)


def _left(o: Any) -> int | None:
    """How often a `repeat` gives its object yet; None: for ever."""
    try:
        return itertools.repeat.__length_hint__(o)
    except TypeError:
        return None


def _snapshot_repeat(o: Any, walk: ObjectWalk) -> int | None:
    walk.follow(gc.get_referents(o))
    return _left(o)


_REPEAT = Kind(_NAME_OF_COUNTS, "named", _snapshot_repeat, lambda o, saved: _left(o) == saved)


def _numbered(o: Any) -> Any:
    return enumerate.__reduce__(o)[1][1]  # (enumerate, (iterator, next number))


def _snapshot_numbered(o: Any, walk: ObjectWalk) -> Any:
    walk.follow(gc.get_referents(o))
    return _numbered(o)


_NUMBERED = Kind("enumerate", "named", _snapshot_numbered, lambda o, saved: _equal(_numbered(o), saved))


def _snapshot_moving(o: Any, walk: ObjectWalk) -> None:
    walk.follow(gc.get_referents(o))


_MOVING = Kind("other iterators of itertools", "named", _snapshot_moving, lambda o, saved: False)
_THROUGH = through("zip, map, filter, starmap, compress")

_MOVING_TYPES: tuple[type[Any], ...] = (
    itertools.accumulate,
    itertools.chain,
    itertools.combinations,
    itertools.combinations_with_replacement,
    itertools.cycle,
    itertools.dropwhile,
    itertools.filterfalse,
    itertools.groupby,
    itertools.islice,
    itertools.pairwise,
    itertools.permutations,
    itertools.product,
    itertools.takewhile,
    itertools.zip_longest,
    type(itertools.tee(())[0]),
)


class _Sequence:
    """Has no iterator of its own."""

    def __getitem__(self, place: int) -> int:
        raise IndexError


def _ended(o: Any) -> bool:
    cls: Any = type(o)
    return len(cls.__reduce__(o)[1]) == 1  # (iter, ((),)), else (iter, (function, sentinel))


def _snapshot_calling(o: Any, walk: ObjectWalk) -> bool:
    walk.follow(gc.get_referents(o))
    return _ended(o)


_CALLING = Kind("iter(function, sentinel)", "named", _snapshot_calling, lambda o, saved: _ended(o) == saved)

_ITERABLES_WITH_A_PLACE: tuple[Any, ...] = (
    [],
    (),
    "",
    "é",  # has an iterator of its own
    b"",
    bytearray(),
    range(0),
    range(1 << 100),  # as above
    array.array("b"),
    _Sequence(),
)
_ITERABLES_WITHOUT: tuple[Any, ...] = ({}, {}.values(), {}.items(), set())

KINDS: dict[type, Kind] = {
    **{type(iter(some)): _SETTABLE for some in _ITERABLES_WITH_A_PLACE},
    type(reversed([])): _SETTABLE,
    type(reversed(())): _SETTABLE,
    **{type(iter(some)): _COUNTED for some in _ITERABLES_WITHOUT},
    **{type(reversed(some)): _COUNTED for some in _ITERABLES_WITHOUT[:-1]},
    **dict.fromkeys((type(iter(deque())), type(reversed(deque()))), _COUNTED),
    type(struct.iter_unpack("b", b"")): _COUNTED,
    type(iter(int, 0)): _CALLING,
    itertools.count: _COUNT,
    itertools.repeat: _REPEAT,
    enumerate: _NUMBERED,
    **dict.fromkeys((zip, map, filter, itertools.starmap, itertools.compress), _THROUGH),
    **dict.fromkeys(_MOVING_TYPES, _MOVING),
}
