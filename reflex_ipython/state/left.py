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
from reflex_ipython.state.noted import Note

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
    notes : dict of int to Note
        The contents of containers, modules, classes and functions, by their ids. Only these: the data of arrays would
        have to be copied.
    """

    bindings: dict[str, Any]
    notes: dict[int, Note]

    def rebound_since(self, name: str, now: dict[str, Any]) -> bool:
        """Whether a name is bound to something else, or not any more, or newly."""
        missing = object()
        return self.bindings.get(name, missing) is not now.get(name, missing) and (name in self.bindings or name in now)

    def changed_since(self, o: object) -> bool:
        """Whether one of those holds something else."""
        note = self.notes.get(id(o))
        return note is not None and not note[0].same(note[1], note[2])


def leave(namespace: dict[str, Any], notes: Iterable[Note]) -> Left:
    """Note how things stand.

    Parameters
    ----------
    namespace : dict
    notes : iterable of Note
        Of the objects that may be put back later.
    """
    walk = Shallow()
    contents = {id(o): (kind, o, kind.note(o, walk)) for kind, o in _referring(notes)}
    return Left(dict(namespace), contents)


def _referring(notes: Iterable[Note]) -> Iterator[tuple[Kind, Any]]:
    """The objects that refer to others, with their kinds; an object of which one operation was noted, as a whole."""
    for kind, o, _ in notes:
        kinds = current_table().kinds(type(o)) if kind.operation else (kind,)
        yield from ((each, o) for each in kinds if of_references(each))
