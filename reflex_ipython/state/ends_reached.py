"""What `__del__` of the user's classes can change: what a failed run has made comes to an end on the way back."""

from __future__ import annotations

from collections.abc import Container, Iterator
from types import FunctionType
from typing import Any

from reflex_ipython.base.classes import class_vars, classes, inherits
from reflex_ipython.state.bounds import Bounds, Budget
from reflex_ipython.state.kinds.layout import identity, layout
from reflex_ipython.state.putting_back import Labelled
from reflex_ipython.state.snapshots import Snapshot
from reflex_ipython.state.user_code import owned_class
from reflex_ipython.state.walk import Walk
from reflex_ipython.state.walk_memory import WalkMemory
from reflex_ipython.state.weak import GONE, found, mortal

_BOUNDS = Bounds(nodes=2_000, bytes=16_000_000, milliseconds=10.0)


class EndsReached:
    """What the objects that end on a way back may change and nobody has noted: the failed run has not changed it.

    Parameters
    ----------
    namespace : dict
        Where the cell ran, before anything is put back.
    ignored : container of str
        Names that are never looked at.
    known : list of Labelled
        What was noted while the cell ran: that is put back anyhow.
    """

    def __init__(self, namespace: dict[str, Any], ignored: Container[str], known: list[Labelled]) -> None:
        self._entries: list[Labelled] = []
        ends = dict(_ends(namespace))
        if not ends:
            return
        budget = Budget(_BOUNDS)
        budget.start()
        snapshots = Walk(namespace, ignored, WalkMemory(budget)).from_these(ends)
        by_the_cell = {identity(snapshot[1]) for _, snapshot in known}
        for label, (kind, o, saved) in snapshots.labelled():
            if kind.restore is not None and identity(o) not in by_the_cell:
                self._entries.append((label, (kind, mortal(o), saved)))  # it must be able to end

    def there(self) -> list[Labelled]:
        """The snapshots of what is still there."""
        return [
            (label, _with(snapshot, o)) for label, snapshot in self._entries if (o := found(snapshot[1])) is not GONE
        ]


def _with(snapshot: Snapshot, o: Any) -> Snapshot:
    return snapshot[0], o, snapshot[2]


def _ends(namespace: dict[str, Any]) -> Iterator[tuple[str, object]]:
    """The methods of classes of the user's by which objects come to an end, and the attributes of one that ends so."""
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
        dictionary = None if is_class else layout(cls).dictionary
        functions = tuple(end for end in ends if type(end) is FunctionType)
        yield f"{name}.__del__", (functions, None if dictionary is None else dictionary.__get__(o))
