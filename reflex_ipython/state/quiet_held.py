"""What is held that nobody would see end: it is watched, for its lists and dicts may be others' as well.

`x = [1]; y = x`, then `x = None`: the list that `x` was bound to is kept, since it is plain. With `y.append(open(p))`
it is plain no more, and `y = None` has to end it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from itertools import islice

from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.quiet import is_quiet, lists_in

_MANY = 10_000
"""Lists and dicts that are watched, which takes some 0.3 ms each time that something ends; beyond, nothing is kept."""
_FEW = 100
"""Empty places that are left as they are."""
_EMPTY = object()


class _Watched:
    __slots__ = ("let_go", "o", "parts")

    def __init__(self, o: object, parts: list[object]) -> None:
        self.o = o
        self.parts = parts
        """The lists and dicts in it."""
        self.let_go: list[Callable[[], None]] = []
        """What refers to it, each."""


class QuietHeld:
    """What one journal holds of that."""

    def __init__(self) -> None:
        self._all: dict[int, _Watched] = {}
        """By identity."""
        self._places: dict[int, int] = {}
        """Of each list and dict, by identity, where it stands in the three lists below."""
        self._parts: list[object] = []
        self._owners: list[dict[int, _Watched]] = []
        """In which of them it is."""
        self._counts: list[int] = []
        """How often it was referred to when it was last asked about; as long as that was not, it is missing."""

    def __bool__(self) -> bool:
        return bool(self._all)

    def add(self, o: object, let_go: Callable[[], None]) -> None:
        """Something refers to it, until `let_go` is called."""
        watched = self._all.get(identity(o))
        if watched is None:
            parts = lists_in(o)
            if not parts:
                return
            if len(self._places) + len(parts) > _MANY:
                let_go()
                return
            watched = self._all[identity(o)] = _Watched(o, parts)
            self._watch(watched)
        watched.let_go.append(let_go)

    def settled(self) -> None:
        """What was added is as it was when it was: nobody has done anything since."""
        self._counts += map(sys.getrefcount, islice(self._parts, len(self._counts), None))

    def around(self, objects: Iterable[object]) -> list[object]:
        """What is watched and has one of these lists and dicts in it."""
        places = [self._places[key] for key in map(identity, objects) if key in self._places]
        found = {key: watched.o for place in places for key, watched in self._owners[place].items()}
        return [*found.values()]

    def turned(self) -> list[object]:
        """Of what others have let go or taken a part since this was asked: what would be seen to end by now."""
        now = list(map(sys.getrefcount, self._parts))
        if now == self._counts:
            return []
        before = self._counts + [0] * (len(now) - len(self._counts))
        places = [place for place, (count, was) in enumerate(zip(now, before)) if count != was]
        changed = {key: watched for place in places for key, watched in self._owners[place].items()}
        turned = {key: watched.o for key, watched in changed.items() if not is_quiet(watched.o)}
        for watched in [watched for key, watched in changed.items() if key not in turned]:
            self._unwatch(watched)  # what was a part of a part may be another's by now
            watched.parts = lists_in(watched.o)
            self._watch(watched)
        self._close_up()
        self._counts = list(map(sys.getrefcount, self._parts))
        return [*turned.values()]

    def _watch(self, watched: _Watched) -> None:
        for part in watched.parts:
            place = self._places.setdefault(identity(part), len(self._parts))
            if place == len(self._parts):
                self._parts.append(part)
                self._owners.append({})
            self._owners[place][id(watched)] = watched

    def _unwatch(self, watched: _Watched) -> None:
        for part in watched.parts:
            place = self._places[identity(part)]
            del self._owners[place][id(watched)]
            if not self._owners[place]:
                del self._places[identity(part)]
                self._parts[place] = _EMPTY
        watched.parts = []

    def _close_up(self) -> None:
        if len(self._parts) > 2 * len(self._places) + _FEW:
            all_watched = [*self._all.values()]
            self._places, self._parts, self._owners = {}, [], []
            for watched in all_watched:
                self._watch(watched)

    def take_out(self, objects: list[object]) -> list[tuple[object, Callable[[], None]]]:
        """Watch these no more; gives each with what lets go of it."""
        some = [self._all.pop(identity(o)) for o in objects]
        for watched in some:
            self._unwatch(watched)
        return [(watched.o, let_go) for watched in some for let_go in watched.let_go]

    def let_go(self) -> None:
        """Let go of all of it."""
        for watched in self._all.values():
            for let_go in watched.let_go:
                let_go()
        self.clear()

    def clear(self) -> None:
        """Watch nothing any more."""
        self._all.clear()
        self._places.clear()
        self._parts, self._owners, self._counts = [], [], []
