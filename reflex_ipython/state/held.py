"""What the journal holds of the user's objects, and when it lets go: nothing lives a statement longer than without us.

At each statement's end the journal asks whether it has become the only one to hold something, and lets go of it unless
nobody can see that it lives (`quiet`). What holds itself by a cycle ends when the collector comes by, so the journals
of older cells ask for that when it has, and before code that could tell: to go through all they hold takes its time.
"""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import filterfalse
from typing import Any

from reflex_ipython.base.classes import is_exactly, module_name
from reflex_ipython.state.cycles import Cycles, leads_on
from reflex_ipython.state.kinds.kind import Kind
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.quiet import is_atom, is_quiet, lasts
from reflex_ipython.state.quiet_held import QuietHeld
from reflex_ipython.state.references import others
from reflex_ipython.state.weak import Weak

_MANY = 10_000
"""Objects that are asked about at a statement's end; a statement whose checkpoint holds more is not undone."""
_MOST = 16_000_000
"""Bytes that are kept of one cell in objects that have ended, at most."""


def objects_of(kind: Kind, saved: Any) -> list[object]:
    """The objects of the user's that a snapshot refers to, each as often as it does, without numbers and the like.

    A container that nobody else holds is a part of the snapshot.
    """
    found: list[object] = []
    todo = list(filterfalse(is_atom, [kind.holds(saved)]))
    del saved
    begun = False
    while todo:
        ours = not begun or others(todo, -1) == 1  # by what it stands in
        some = todo.pop()
        inside = _parts(some) if ours else None
        if inside is None:
            found.append(some)
        else:
            todo += filterfalse(is_atom, inside)
            del inside
        begun = True
    return found


def _parts(o: Any) -> list[object] | None:
    """What the containers refer to of which snapshots are taken; None for everything else."""
    if type(o) is Weak:
        return []
    if type(o) is dict:
        return [*o, *o.values()]
    if is_exactly(o, (list, tuple, set, frozenset)):
        return list(o)
    if not module_name(type(o)).startswith("reflex_ipython.state"):
        return None
    if isinstance(o, tuple):  # one of named fields, of our own making
        return list(o)
    slots = getattr(type(o), "__slots__", ())
    return [*(getattr(o, name) for name in slots), *getattr(o, "__dict__", {}).values()]


_Partly = Callable[[list[object]], list[object] | None]
"""Lets go of some objects; gives what is still referred to, None if it can't be told apart."""


class _Holding:
    __slots__ = ("counts", "let_go", "let_go_of", "name", "objects")

    def __init__(self, objects: list[object], let_go: Callable[[], None], name: str, let_go_of: _Partly | None) -> None:
        self.objects = objects
        self.let_go = let_go
        self.let_go_of = let_go_of
        self.name = name
        self.counts: list[int] = []
        """How often each was referred to when it was last asked about, and how often by us."""


class Ledger:
    """What the journals of several cells hold: an object that only they hold is held by nobody."""

    def __init__(self) -> None:
        self.own = Counter[int]()
        """How often each object is referred to by what the holdings are about, and by the holdings."""
        self.cycles = Cycles(self.own)
        self.all: list[Holdings] = []
        """Those that are about anything."""
        self._collections = 0
        """How many collections there had been when those of older cells were last asked about cycles."""

    def has_collected(self) -> bool:
        """Whether the collector has run since this was last asked, over more than what is new."""
        before, self._collections = self._collections, sum(each["collections"] for each in gc.get_stats()[1:])
        return self._collections != before


class Holdings:
    """What snapshots and bindings of the past hold that is no plain data; to be asked about at each statement's end.

    Parameters
    ----------
    namespace : dict
        What a name in it is bound to is held by others, that is known without a search.
    ledger : Ledger or None
        That of the other journals that are kept; None: there is no other.
    """

    def __init__(self, namespace: dict[str, Any], ledger: Ledger | None = None) -> None:
        self._namespace = namespace
        self._all: list[_Holding] = []
        self._ledger = ledger or Ledger()
        self._own = self._ledger.own
        self._cycles = self._ledger.cycles
        self._quiet = QuietHeld()
        self._count = 0
        self.is_older = False
        """Whether another cell has begun since."""
        self.kept = 0
        """Bytes of objects that have ended and are kept."""

    @property
    def are_any(self) -> bool:
        """Whether anything is held, by this one or by those of other cells."""
        return bool(self._ledger.all)

    def keeps(self, size: int) -> bool:
        """Whether an object of about so many bytes may be kept that would have ended, for nobody sees it."""
        self.kept += size
        return self.kept <= _MOST

    def add(
        self,
        objects: Iterable[object],
        let_go: Callable[[], None],
        name: str = "",
        let_go_of: _Partly | None = None,
    ) -> None:
        """Something refers to these objects, each as often as it stands there, until `let_go` is called.

        `name`: the first of them is bound to it. `let_go_of`: lets go of some of them only.
        """
        held = [o for o in objects if not is_atom(o) and not lasts(o)]
        if not held:
            return
        if self._quiet:
            self._own_up_turned(self._quiet.around(held))
        if self._count + len(held) > _MANY:
            let_go()
            return
        if self not in self._ledger.all:
            self._ledger.all.append(self)
        self._all.append(_Holding([], let_go, name, let_go_of))
        self._own_up(self._all[-1], held)

    def add_quiet(self, o: object, let_go: Callable[[], None]) -> None:
        """Something refers to what nobody would see end, as it is now, until `let_go` is called."""
        self._quiet.add(o, let_go)
        if self._quiet and self not in self._ledger.all:
            self._ledger.all.append(self)

    def settled(self) -> None:
        """All that a statement has left to hold was added."""
        self._quiet.settled()

    def _own_up_turned(self, objects: list[object]) -> None:
        """Of these it would be seen."""
        for o, let_go in self._quiet.take_out(objects) if objects else ():
            self.add([o], let_go)

    def _own_up(self, holding: _Holding, objects: list[object]) -> None:
        self._count += len(objects)
        holding.objects, holding.counts = objects, []
        for o in objects:
            self._own[identity(o)] += 2

    def release(self, *, looks: bool = False) -> None:
        """Let go of what nobody else holds any more, unless nobody sees that it lives; with what other cells hold.

        Parameters
        ----------
        looks : bool
            Whether somebody is about to look at who holds what.
        """
        self._cycles.outdate()
        older = [holdings for holdings in self._ledger.all if holdings.is_older]
        in_cycles = looks or not older or self._ledger.has_collected()
        went = True
        for each in self._ledger.all:
            each._own_up_turned(each._quiet.turned())
        while went:  # what was let go of may have been the last to hold another
            went = sum(each._release(in_cycles or not each.is_older) for each in self._ledger.all) > 0  # each is asked

    def _release(self, in_cycles: bool) -> bool:
        """Let go of what nobody else holds, or only a cycle that it is part of; whether there was anything."""
        kept, went = [], False
        for each in self._all:
            goes = self._must_go(each, in_cycles)
            went = went or goes
            if not goes or self._end(each, in_cycles):
                kept.append(each)
        self._all = kept
        return went

    def give_up(self) -> None:
        """Let go of all that is held, and of what other cells hold."""
        for each in [*self._ledger.all]:
            each._quiet.let_go()
            for holding in each._all:
                holding.let_go()
            each.clear()

    def clear(self) -> None:
        """Forget all of them."""
        if self._ledger.all:  # else nobody holds anything, and there is nothing to forget
            if self in self._ledger.all:
                self._ledger.all.remove(self)
            if self._ledger.all:
                for holding in self._all:
                    self._disown(holding)
            else:
                self._own.clear()
            self._all.clear()
            self._quiet.clear()
            self._cycles.clear()
        self._count = self.kept = 0
        self.is_older = False

    def _disown(self, holding: _Holding) -> None:
        for key in map(identity, holding.objects):
            self._own[key] -= 2
            if not self._own[key]:
                del self._own[key]  # the id may be another's soon

    def _end(self, holding: _Holding, in_cycles: bool) -> bool:
        """Let go of what nobody else holds, with as little else as can be; whether anything of it is left."""
        objects = holding.objects
        places = range(len(objects)) if holding.let_go_of is not None else ()
        ended = list(map(objects.__getitem__, [each for each in places if self._is_ours(holding, each, in_cycles)]))
        self._count -= len(objects)
        self._disown(holding)
        objects.clear()
        self._cycles.outdate()
        left = holding.let_go_of(ended) if holding.let_go_of is not None else None
        ended.clear()
        if left is None:
            holding.let_go()
            return False
        self._own_up(holding, [o for o in left if not is_atom(o) and not lasts(o)])
        return True

    def _must_go(self, holding: _Holding, in_cycles: bool) -> bool:
        objects = holding.objects
        counts = [*map(sys.getrefcount, objects), *map(self._own.__getitem__, map(identity, objects))]
        if counts == holding.counts and not (in_cycles and any(map(leads_on, objects))):
            return False  # as it was when it was last asked about, and no part of a cycle
        holding.counts = counts
        return any(self._is_ours(holding, place, in_cycles) for place in range(len(objects)))

    def _is_ours(self, holding: _Holding, place: int, in_cycles: bool) -> bool:
        """Whether nobody else holds an object, and it would be seen that it lives."""
        objects, own = holding.objects, self._own
        if not place and holding.name and self._namespace.get(holding.name) is objects[0]:
            return False
        in_use = others(objects, place) >= own[identity(objects[place])]
        if in_use and not (in_cycles and self._cycles.are_garbage(objects, place)):
            return False
        return not is_quiet(objects[place])
