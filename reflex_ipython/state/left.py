"""What a cell left behind when it ended: what is otherwise by the time of a rollback was changed by somebody else.

Threads, tasks and callbacks of widgets go on after a cell has failed, and a module that was edited may be loaded again.
What they bind and put into containers, modules, classes and functions meanwhile is theirs, and is not put back.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any

from reflex_ipython.state.ambient import Shallow
from reflex_ipython.state.kinds import containers, functions, instances
from reflex_ipython.state.kinds.kind import Kind
from reflex_ipython.state.kinds.modules import OWN_MODULE
from reflex_ipython.state.kinds.table import current_table
from reflex_ipython.state.mark import Mark
from reflex_ipython.state.noted import Note
from reflex_ipython.state.weak import GONE, found

SINCE = "changed since the cell ended"
_TABLES = (containers.KINDS, functions.KINDS, instances.KINDS)
_OF_REFERENCES = {
    id(kind) for kind in (OWN_MODULE, functions.GLOBALS, *(kind for table in _TABLES for kind in table.values()))
}


def of_references(kind: Kind) -> bool:
    """Whether objects of the kind only refer to others: then they are compared in no time, whatever they refer to."""
    return id(kind) in _OF_REFERENCES


@dataclasses.dataclass(frozen=True)
class Left:
    """The state at a cell's end.

    Parameters
    ----------
    bindings : dict
        All names and what they were bound to.
    notes : dict of int to list of Note
        The contents of containers, modules, classes and functions, by their ids. Only these: the data of arrays would
        have to be copied.
    """

    bindings: dict[str, Any]
    notes: dict[int, list[Note]]

    def rebound_since(self, name: str, now: dict[str, Any]) -> bool:
        """Whether a name is bound to something else, or not any more, or newly."""
        missing = object()
        return self.bindings.get(name, missing) is not now.get(name, missing) and (name in self.bindings or name in now)

    def changed_since(self, o: object) -> bool:
        """Whether one of those holds something else."""
        notes = self.notes.get(id(o))
        if notes is None:
            return False
        kind, _, saved = notes[0]  # most have one: thousands of them are asked
        return not kind.same(o, saved) or (len(notes) > 1 and self._has_changed(notes[1:]))

    def _has_changed(self, notes: list[Note]) -> bool:
        return any(not kind.same(o, saved) for kind, o, saved in notes)


def leave(namespace: dict[str, Any], marks: Iterable[Mark]) -> Left:
    """Note how things stand.

    Parameters
    ----------
    namespace : dict
    marks : iterable of Mark
        What they have notes of may be put back later.
    """
    walk = Shallow()
    left: dict[int, list[Note]] = {}
    seen: set[tuple[int, int]] = set()
    whole: dict[type, list[Kind]] = {}
    """The kinds of an object of which one operation was noted: it is compared as a whole."""
    for kind, held, _ in _notes(marks):
        if not kind.operation and not of_references(kind):
            continue
        o = found(held)
        if kind.operation and type(o) not in whole:
            whole[type(o)] = list(filter(of_references, current_table().kinds(type(o))))
        for each in whole[type(o)] if kind.operation else (kind,):
            key = (id(o), id(each))
            if key not in seen and o is not GONE:
                seen.add(key)
                left.setdefault(id(o), []).append((each, o, each.note(o, walk)))
    return Left(dict(namespace), left)


def _notes(marks: Iterable[Mark]) -> Iterator[Note]:
    for mark in marks:
        for _, note in mark.ambient:
            yield note
        yield from mark.noted.notes
