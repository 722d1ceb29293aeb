"""Which of the objects that we hold are held by nobody else but themselves, in a cycle."""

from __future__ import annotations

import gc
import types
from collections import Counter, defaultdict
from itertools import compress
from operator import not_
from typing import Any

from reflex_ipython.state.collector import without_collector
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.references import others

_FEW = 300
"""Objects that are gone through for one."""
_MOST = 20_000
"""Objects that are gone through for one cell: some 50 ms."""
_LEAVES = frozenset(map(identity, (type, types.ModuleType, types.FunctionType, types.FrameType, types.CodeType)))


class Cycles:
    """Finds them for one cell at a time.

    It takes the collector's own way: what is referred to more often than from inside is held from outside, and so is
    all that hangs on that. Where that would take too long, an object counts as held: nobody can tell when garbage is
    collected, and who collects it himself (`introspection`) finds nothing held.

    Parameters
    ----------
    own : Counter
        How often we refer to each object, by its identity.
    """

    def __init__(self, own: Counter[int]) -> None:
        self._own = own
        self._left = _MOST
        self._found: dict[int, bool] = {}
        """Of objects that were seen: whether they are garbage."""
        self._large: set[int] = set()
        """Of what we hold, all from which too much can be reached: that is not tried again as long as we do."""

    def are_garbage(self, objects: list[Any], place: int) -> bool:
        """Whether nobody but us holds `objects[place]`, and it itself by a cycle."""
        start = identity(objects[place])
        if start not in self._found:
            self._found[start] = False
            if self._left > 0 and start not in self._large:
                with without_collector():  # it would be the many references here that bring a collection forward
                    self._look(start, objects, place)
        return self._found[start]

    def outdate(self) -> None:
        """Something was let go of: what was found out may be another's now, by its identity."""
        self._found.clear()
        self._large.intersection_update(self._own)

    def clear(self) -> None:
        """Another cell begins."""
        self.outdate()
        self._left = _MOST

    def _look(self, start: int, objects: list[Any], place: int) -> None:
        seen = {start: objects[place]}  # not passed itself: before Python 3.11 what calls holds what it passes
        inside = self._inside(seen, start)
        self._left -= len(seen)
        if inside is None:
            self._large.add(start)
        elif inside or len(seen) > 1:  # else nothing in it could lead back
            held = self._held(seen, inside)
            self._found.update((key, key not in held) for key in seen)

    def _inside(self, seen: dict[int, Any], start: int) -> dict[int, int] | None:
        """How often each object that can be reached is referred to from these; None if there are too many."""
        inside = defaultdict[int, int](int)
        new = {start}
        while new:
            found = _tracked(gc.get_referents(*map(seen.__getitem__, new)))
            if len(found) > _MOST:
                return None
            keys = list(map(identity, found))
            for key in keys:
                inside[key] += 1
            there = dict(zip(keys, found))
            new = there.keys() - seen.keys()
            if len(seen) + len(new) > _FEW or not self._large.isdisjoint(new):
                return None
            seen.update((key, there[key]) for key in new)
        return inside

    def _held(self, seen: dict[int, Any], inside: dict[int, int]) -> set[int]:
        """Which of these are held from outside."""
        new = {key for key in seen if others(seen, key) > inside[key] + self._own.get(key, 0)}
        held = set(new)
        while new:
            new = set(map(identity, _tracked(gc.get_referents(*map(seen.__getitem__, new))))) - held
            held |= new
        return held


def leads_on(o: object) -> bool:
    """Whether it refers to anything that might refer to others."""
    return any(map(gc.is_tracked, gc.get_referents(o)))


def _tracked(objects: list[Any]) -> list[Any]:
    """Those that may refer to others; thousands are asked, so that all of it goes on in C."""
    found = list(filter(gc.is_tracked, objects))
    return list(compress(found, map(not_, map(_LEAVES.__contains__, map(identity, map(type, found))))))
