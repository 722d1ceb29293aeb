"""What `__del__` of the user's classes can change: what a failed run has made comes to an end on the way back."""

from __future__ import annotations

import gc
from collections.abc import Container, Iterator
from types import FunctionType
from typing import Any

from reflex_ipython.base.classes import class_vars, classes, inherits
from reflex_ipython.state.bounds import Bounds, Budget
from reflex_ipython.state.global_state import global_state
from reflex_ipython.state.kinds.layout import identity, public_name
from reflex_ipython.state.putting_back import Labelled, PuttingBack, loosely, put_back
from reflex_ipython.state.references import others
from reflex_ipython.state.resizing import DetachedArray, resizable
from reflex_ipython.state.snapshots import is_same
from reflex_ipython.state.user_code import owned_class
from reflex_ipython.state.walk import Walk
from reflex_ipython.state.walk_memory import WalkMemory
from reflex_ipython.state.weak import GONE, ends_seen, found, weakly

_FEW = 300
"""Objects that are gone through for one that ends."""
_BOUNDS = Bounds(nodes=2_000, bytes=16_000_000, milliseconds=10.0)


class EndsReached:
    """What the objects that end on a way back may change and nobody has noted: the failed run has not changed it.

    Parameters
    ----------
    namespace : dict
        Where the cell ran, before anything is put back.
    ignored : container of str
        Names that are never looked at.
    then : dict
        What the names will be bound to.
    known : list of Labelled
        What was noted while the cell ran: that is put back anyhow.

    Attributes
    ----------
    any : bool
        Whether any object may run code at its end, as far as that is known.
    """

    def __init__(
        self, namespace: dict[str, Any], ignored: Container[str], then: dict[str, Any], known: list[Labelled]
    ) -> None:
        self._entries: list[Labelled] = []
        """They are held weakly: they must be able to end."""
        self._stay: list[Labelled] = []
        """What can't be put back."""
        ends = dict(_ends(namespace))
        self.any = bool(ends)
        if not ends:
            return
        budget = Budget(_BOUNDS)
        budget.start()
        goes = {name for name, o in namespace.items() if name in ignored or then.get(name, GONE) is not o}
        walk = Walk(namespace, goes, WalkMemory(budget))
        snapshots = walk.from_these(ends, libraries=True)
        by_the_cell = {identity(o) for _, (_, o, _) in known}
        new = [labelled for labelled in snapshots.labelled() if identity(labelled[1][1]) not in by_the_cell]
        as_kinds = {(kind, identity(o)) for _, (kind, o, _) in known}
        around = global_state(namespace, walk.at_hand)
        new += [labelled for labelled in around if (labelled[1][0], identity(labelled[1][1])) not in as_kinds]
        if any(type(o) is DetachedArray for o in then.values()):  # no array is resized that has a weak reference
            new = [labelled for labelled in new if not resizable(labelled[1][1])]
        self._entries = [_held_weakly(labelled) for labelled in new if labelled[1][0].restore is not None]
        self._stay = [_held_weakly(labelled) for labelled in new if labelled[1][0].restore is None]

    def put_back(self) -> list[PuttingBack]:
        """Put back what is still there; gives what is not as it was."""
        there = _there(self._entries)
        return loosely(put_back(there, len(there)))

    def watch(self, entries: list[Labelled]) -> None:
        """What was noted while the cell ran and can't be put back: what of it the cell has not changed may change now.

        Parameters
        ----------
        entries : list of Labelled
        """
        self._stay += [_held_weakly(labelled) for labelled in entries if is_same(labelled[1])]

    def changed(self) -> list[PuttingBack]:
        """What can't be put back and has changed since."""
        return [
            PuttingBack(label, public_name(type(snapshot[1])), weakly(snapshot[1]) or snapshot[1])
            for label, snapshot in _there(self._stay)
            if not is_same(snapshot)
        ]


def _held_weakly(labelled: Labelled) -> Labelled:
    label, (kind, o, saved) = labelled
    return label, (kind, weakly(o) or o, saved)


def _there(entries: list[Labelled]) -> list[Labelled]:
    return [(label, (kind, o, saved)) for label, (kind, held, saved) in entries if (o := found(held)) is not GONE]


def _ends(namespace: dict[str, Any]) -> Iterator[tuple[str, object]]:
    """The methods of classes of the user's by which objects come to an end, and what one that ends so shares."""
    without: set[int] = set()
    for name, o in list(namespace.items()):
        is_class = inherits(type(o), type)
        cls = o if is_class else type(o)
        if identity(cls) in without:  # most names are bound to objects of a few types
            continue
        ends = [
            class_vars(base)["__del__"] for base in classes(cls) if owned_class(base) and "__del__" in class_vars(base)
        ]
        if not ends:
            without.add(identity(cls))
            continue
        functions = tuple(end for end in ends if type(end) is FunctionType)
        yield f"{name}.__del__", functions if is_class else (*functions, *_shared(o))


def _shared(o: Any) -> list[object]:
    """What hangs on an object and on others as well: what is its own, and what ends as it does, must not be held."""
    found: list[object] = []
    seen = {identity(o)}
    todo = [o]
    while todo and len(seen) < _FEW:
        parts = gc.get_referents(todo.pop())
        for place in range(min(len(parts), _FEW)):
            if identity(parts[place]) in seen or inherits(type(parts[place]), type):
                continue
            seen.add(identity(parts[place]))
            if others(parts, place) <= 1 and gc.is_tracked(parts[place]):
                todo.append(parts[place])
            elif not ends_seen(parts[place]):
                found.append(parts[place])
    return found
