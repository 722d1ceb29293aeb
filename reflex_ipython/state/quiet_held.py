"""What is held that nobody would see end: it is watched, for its lists and dicts may be others' as well.

`x = [1]; y = x`, then `x = None`: the list that `x` was bound to is kept, since it is plain. With `y.append(open(p))`
it is plain no more, and `y = None` has to end it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.quiet import is_quiet, lists_in

_MANY = 10_000
"""Lists and dicts that are watched, which takes some 0.3 ms each time that something ends; beyond, nothing is kept."""


class _Watched:
    __slots__ = ("let_go", "o")

    def __init__(self, o: object) -> None:
        self.o = o
        self.let_go: list[Callable[[], None]] = []
        """What refers to it, each."""


class QuietHeld:
    """What one journal holds of that."""

    def __init__(self) -> None:
        self._all: dict[int, _Watched] = {}
        """By identity."""
        self._parts: list[object] = []
        self._owners: list[_Watched] = []
        """In which each of the lists and dicts is."""
        self._counts: list[int] = []
        """How often each was referred to when it was last asked about."""

    def __bool__(self) -> bool:
        return bool(self._all)

    def add(self, o: object, let_go: Callable[[], None]) -> None:
        """Something refers to it, until `let_go` is called."""
        watched = self._all.get(identity(o))
        if watched is None:
            parts = lists_in(o)
            if not parts:
                return
            if len(self._parts) + len(parts) > _MANY:
                let_go()
                return
            watched = self._all[identity(o)] = _Watched(o)
            self._watch(watched, parts)
        watched.let_go.append(let_go)

    def _watch(self, watched: _Watched, parts: list[object]) -> None:
        self._parts += parts
        self._owners += [watched] * len(parts)

    def around(self, objects: Iterable[object]) -> list[object]:
        """What is watched and has one of these lists and dicts in it."""
        asked = set(map(identity, objects))
        found = {id(owner): owner.o for part, owner in zip(self._parts, self._owners) if identity(part) in asked}
        return [*found.values()]

    def turned(self) -> list[object]:
        """Of what others have let go or taken a part since this was asked: what would be seen to end by now."""
        now = list(map(sys.getrefcount, self._parts))
        if now == self._counts:
            return []
        before = self._counts + [0] * (len(now) - len(self._counts))
        changed = {id(owner): owner for owner, count, was in zip(self._owners, now, before) if count != was}
        turned = {key: owner.o for key, owner in changed.items() if not is_quiet(owner.o)}
        self._look_again([owner for key, owner in changed.items() if key not in turned])
        return [*turned.values()]

    def _look_again(self, some: list[_Watched]) -> None:
        """What was a part of a part may be another's by now."""
        self._drop(some)
        for watched in some:
            self._watch(watched, lists_in(watched.o))
        self._counts = list(map(sys.getrefcount, self._parts))

    def _drop(self, some: list[_Watched]) -> None:
        gone = set(map(id, some))
        left = [(part, owner) for part, owner in zip(self._parts, self._owners) if id(owner) not in gone]
        self._parts, self._owners = [part for part, _ in left], [owner for _, owner in left]
        self._counts = []

    def take_out(self, objects: list[object]) -> list[tuple[object, Callable[[], None]]]:
        """Watch these no more; gives each with what lets go of it."""
        some = [self._all.pop(identity(o)) for o in objects]
        self._drop(some)
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
        self._parts, self._owners, self._counts = [], [], []
