"""The snapshots that one walk took: contents of objects, and which name they belong to."""

from __future__ import annotations

import bisect
import dataclasses
import gc
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from types import FunctionType, ModuleType
from typing import Any

from reflex_ipython.base.article import a
from reflex_ipython.base.classes import inherits, is_exactly
from reflex_ipython.base.own_dict import has_dict
from reflex_ipython.state.kinds.kind import NOTHING, Kind
from reflex_ipython.state.kinds.layout import identity, layout, public_name
from reflex_ipython.state.references import others
from reflex_ipython.state.weak import ENDED, GONE, Unheld, Weak, Within, containers_in, ends_seen, found, mortal

Snapshot = tuple[Kind, Any, Any]
"""What was noted of one object: its kind, itself, its contents. A plain tuple: there are thousands."""
REMOVED: Snapshot = (Kind("nothing", "exact", lambda o, walk: NOTHING), None, None)
"""In the place of a snapshot that was removed."""
_LAST = "\U0010ffff"
"""Sorts after every name."""


@dataclasses.dataclass
class Snapshots:
    """All snapshots that one walk took.

    Parameters
    ----------
    entries : list of Snapshot
    labels : list of (int, str)
        From which place in `entries` on they belong to which name.
    covered : set of str
        The names that are in the snapshots with everything that hangs on them.
    uncovered : dict of str to str
        The others, and why.
    """

    entries: list[Snapshot] = dataclasses.field(default_factory=list)
    labels: list[tuple[int, str]] = dataclasses.field(default_factory=list)
    covered: set[str] = dataclasses.field(default_factory=set)
    uncovered: dict[str, str] = dataclasses.field(default_factory=dict)

    def label(self, place: int) -> str:
        """The name that the snapshot at that place belongs to."""
        return self.labels[bisect.bisect_right(self.labels, (place, _LAST)) - 1][1]

    def labelled(self) -> Iterator[tuple[str, Snapshot]]:
        """All of them, each with the name that it belongs to."""
        ends = [*(start for start, _ in self.labels[1:]), len(self.entries)]
        for (start, label), end in zip(self.labels, ends):
            yield from zip(repeat(label), self.entries[start:end])

    def forget(self, place: int, label: str, reason: str) -> None:
        """Remove a snapshot: what it was of can't be put back."""
        self.entries[place] = REMOVED
        self.covered.discard(label)
        self.uncovered[label] = reason

    def forget_values(self, place: int, label: str, objects: list[Any]) -> bool:
        """Let go of the attributes with these values; False if they are not known by names, and nothing was done."""
        saved = self.entries[place][2]
        if type(saved) is not dict or any(type(name) is not str for name in saved):
            return False
        names = [name for name, value in saved.items() if any(value is o for o in objects)]
        if not all(any(saved[name] is o for name in names) for o in objects):
            return False
        saved.update(dict.fromkeys(names, GONE))
        self.covered.discard(label)
        self.uncovered[label] = ENDED
        return True

    def take(self, array: Any) -> Any:
        """Remove the snapshots of an array; returns a copy of the data that they had, None if there is none."""
        data = None
        for place, (_, o, saved) in enumerate(self.entries):
            if o is array:
                data = saved.data if data is None else data
                self.entries[place] = REMOVED
        return data

    def leave_out(self, objects: list[Any], reason: str) -> None:
        """Forget everything that hangs on the names through which these objects were reached."""
        ids = set(map(id, objects))
        names = {self.label(place) for place, (_, o, _) in enumerate(self.entries) if id(o) in ids}
        for place in range(len(self.entries)):
            if self.label(place) in names:
                self.entries[place] = REMOVED
        self.covered -= names
        self.uncovered.update(dict.fromkeys(names, reason))


_OF_ITS_OWN = 3
"""References to what only one container holds: from there, from what was noted of that, and of itself."""
_NEAR = 100
"""Objects that are looked at for the way to one."""
_LEADS_ANYWHERE = (ModuleType, FunctionType, type)
_MANY = 5_000
"""Names beyond which none is looked for: a statement that succeeds would wait for it."""


class Known(Snapshots):
    """The snapshots of a statement that was foreseen: which name an object belongs to is looked up when it is asked.

    Parameters
    ----------
    entries : list of Snapshot
    names : tuple of str
        Those that the statement uses.
    namespace : dict
        Where it runs.
    """

    def __init__(self, entries: list[Snapshot], names: tuple[str, ...], namespace: dict[str, Any]) -> None:
        super().__init__(entries)
        self._names = names
        self._namespace = namespace

    def labelled(self) -> Iterator[tuple[str, Snapshot]]:
        """All of them, each with the name that it belongs to."""
        names = {identity(self._namespace.get(name)): name for name in reversed(self._names)}
        for snapshot in self.entries:
            o = found(snapshot[1])
            yield names.get(identity(o)) or self._called(o), snapshot

    def label(self, place: int) -> str:
        """The name that the object is bound to; else what it is."""
        o = found(self.entries[place][1])
        return next((name for name in self._names if self._namespace.get(name) is o), "") or self._called(o)

    def _called(self, o: Any) -> str:
        """The same of what a function that the statement calls has got at."""
        if len(self._namespace) > _MANY:
            return a(public_name(type(o)))
        names = [(name, value) for name, value in tuple(self._namespace.items()) if name.isidentifier()]
        found = next((name for name, value in names if value is o), "")
        if not found and type(o) is dict:
            found = next((name for name, value in names if has_dict(value) and _fields(value) is o), "")
        return found or self._inside(o)

    def _inside(self, o: Any) -> str:
        """What it is, and in what: with the first of the names that the statement uses from which one comes to it.

        It is no name by itself: the one that is given may have been bound by the cell, to what there was before.
        """
        seen = {identity(o)}
        roots = [(name, self._namespace[name]) for name in self._names if name in self._namespace]
        where = a(public_name(type(o)))
        todo = [(name, value) for name, value in roots if not is_exactly(value, _LEADS_ANYWHERE)]
        while todo and len(seen) < _NEAR:
            name, value = todo.pop(0)
            if identity(value) in seen:
                continue
            seen.add(identity(value))
            parts = gc.get_referents(value)
            if any(part is o for part in parts):
                return f"{where} in `{name}`"
            todo += [
                (name, part)
                for part in parts[:_NEAR]
                if gc.is_tracked(part) and not inherits(type(part), type) and not is_exactly(part, _LEADS_ANYWHERE)
            ]
        return where


def _fields(o: Any) -> Any:
    """The attributes of an object; None if it has none."""
    dictionary = layout(type(o)).dictionary
    return None if dictionary is None else dictionary.__get__(o)


def all_loosened(entries: list[Snapshot]) -> list[Snapshot]:
    """The same, holding nothing strongly of which somebody would see that it lives on: it may end meanwhile."""
    entries = [(kind, mortal(o), saved) for kind, o, saved in entries]
    if not any_end_noted(entries):
        return entries
    return [(kind, held, kind.loosely(saved, {})) for kind, held, saved in entries]


def any_end_noted(entries: list[Snapshot]) -> bool:
    """Whether the end of any of these objects is seen: of such ones (`all_loosened`)."""
    return any(type(held) is Weak and ends_seen(held.get()) for _, held, _ in entries)


def unheld(entries: list[Snapshot], bindings: dict[str, Any]) -> list[Snapshot]:
    """The same, not holding the lists and dicts either that `bindings` does not hold for what is in them."""
    wholes = [held for held in bindings.values() if type(held) is Unheld]
    if not wholes:
        return entries
    within: dict[int, Any] = {}
    for whole in wholes:
        todo = [whole.get()]
        while todo and len(within) < _NEAR:
            parts = containers_in(todo.pop())
            for place in range(len(parts)):
                key = identity(parts[place])
                if key not in within and others(parts, place) <= _OF_ITS_OWN:
                    within[key] = Within(whole, parts[place])
                    todo.append(parts[place])
    held = {**within, **{whole.identity: whole for whole in wholes}}
    return [(kind, held.get(identity(o), o), kind.loosely(saved, within)) for kind, o, saved in entries]


def is_same(snapshot: Snapshot) -> bool:
    """Whether an object surely is as it was noted."""
    try:
        kind, o, saved = snapshot
        return kind.same(o, saved)
    except Exception:  # noqa: BLE001 - an object of an extension module; whatever it raises, nobody is sure
        return False


def are_same(entries: Iterable[Snapshot]) -> bool:
    """Whether all of these objects surely are as they were noted."""
    by_kind: defaultdict[Kind, list[Snapshot]] = defaultdict(list)
    for snapshot in entries:
        by_kind[snapshot[0]].append(snapshot)
    return all(all_same(kind, *list(zip(*some))[1:]) for kind, some in by_kind.items())


def all_same(kind: Kind, objects: Sequence[Any], saved: Sequence[Any]) -> bool:
    """The same of objects of one kind, and what was noted of each.

    Thousands of lists or dicts are compared in one go: one by one, most of the time would go into calls.
    """
    if kind.all_same is None:
        return all(is_same((kind, o, some)) for o, some in zip(objects, saved))
    try:
        return kind.all_same(objects, saved)
    except Exception:  # noqa: BLE001 - as for one of them
        return False
