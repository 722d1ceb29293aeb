"""Lists, dicts … that held plain data when they were noted: nobody sees them end, unless something else comes in."""

from __future__ import annotations

import sys
from collections.abc import Callable

from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.quiet import is_plain

_MANY = 1_000
"""Up to so many are watched, which takes some 30 µs each time that something ends."""


class PlainHeld:
    """Those that one journal holds."""

    def __init__(self) -> None:
        self._objects: list[object] = []
        self._let_go: dict[int, list[Callable[[], None]]] = {}
        """By identity: what refers to one."""
        self._counts: list[int] = []
        """How often each was referred to when it was last asked about."""

    def __contains__(self, o: object) -> bool:
        return identity(o) in self._let_go

    def add(self, o: object, let_go: Callable[[], None]) -> bool:
        """Something refers to it, until `let_go` is called; gives whether it is watched."""
        if identity(o) in self._let_go:
            self._let_go[identity(o)].append(let_go)
        elif len(self._objects) < _MANY:
            self._objects.append(o)
            self._let_go[identity(o)] = [let_go]
        return bool(self._objects)

    def pop(self, o: object) -> list[Callable[[], None]]:
        """Watch it no more; gives what lets go of it."""
        place = next(place for place, each in enumerate(self._objects) if each is o)
        del self._objects[place], self._counts[place : place + 1]
        return self._let_go.pop(identity(o))

    def turned(self) -> list[object]:
        """Those that others have let go of, or taken, since this was last asked, and that are plain no more."""
        now = list(map(sys.getrefcount, self._objects))
        before, self._counts = self._counts, now
        if now == before:
            return []
        before += [0] * (len(now) - len(before))
        return [o for o, count, was in zip(self._objects, now, before) if count != was and not is_plain(o)]

    def let_go(self) -> None:
        """Let go of all of them."""
        for all_of_one in self._let_go.values():
            for let_go in all_of_one:
                let_go()
        self.clear()

    def clear(self) -> None:
        """Watch none of them any more."""
        self._objects.clear()
        self._let_go.clear()
        self._counts = []
