"""What a cell left behind when it ended: what is otherwise by the time of a rollback was changed by somebody else.

Threads, tasks and callbacks of widgets go on after a cell has failed, and a module that was edited may be loaded again.
What they bind and put into containers, modules, classes and functions meanwhile is theirs, and is not put back.
"""

from __future__ import annotations

import dataclasses
import sys
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from reflex_ipython.state.brief import Brief, Rebinding, written
from reflex_ipython.state.checkpoint import Checkpoint
from reflex_ipython.state.global_state import Shallow
from reflex_ipython.state.kinds import containers, functions, instances
from reflex_ipython.state.kinds.kind import Kind
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.kinds.locks import is_alone
from reflex_ipython.state.kinds.modules import OWN_MODULE
from reflex_ipython.state.kinds.table import current_table
from reflex_ipython.state.snapshots import all_same, is_same
from reflex_ipython.state.weak import GONE, found

SINCE = "changed since the cell ended"
_TABLES = (containers.KINDS, functions.KINDS, instances.KINDS)
OF_REFERENCES = frozenset({OWN_MODULE, functions.GLOBALS, *(kind for table in _TABLES for kind in table.values())})
"""The kinds of objects that only refer to others: they are compared in no time, whatever they refer to."""


@dataclasses.dataclass(frozen=True)
class EndState:
    """The state at a cell's end.

    Parameters
    ----------
    bindings : dict
        All names and what they were bound to.
    contents : dict of Kind to (list, list)
        Containers, modules, classes and functions, and what was noted of each. Only these: the data of arrays would
        have to be copied.
    alone : bool
        Whether no other thread of the user's ran.
    """

    bindings: dict[str, Any]
    contents: dict[Kind, tuple[list[Any], list[Any]]]
    alone: bool

    def rebound_since(self, name: str, now: dict[str, Any]) -> bool:
        """Whether a name is bound to something else, or not any more, or newly."""
        missing = object()
        return self.bindings.get(name, missing) is not now.get(name, missing) and (name in self.bindings or name in now)

    def note_rebound(self, before: dict[str, Any], now: dict[str, Any]) -> None:
        """What is bound to something else than before was bound by the cell: as objects of it came to an end."""
        missing = object()
        for name in before.keys() | now.keys():
            if before.get(name, missing) is not now.get(name, missing):
                self.bindings.pop(name, None)
                if name in now:
                    self.bindings[name] = now[name]

    def changed_since(self) -> set[int]:
        """The objects that hold something else now, by identity."""
        changed: set[int] = set()
        for kind, (objects, contents) in self.contents.items():
            if not all_same(kind, objects, contents):
                changed.update(identity(o) for o, saved in zip(objects, contents) if not is_same((kind, o, saved)))
        changed.discard(identity(sys.modules))  # what follows a failure imports modules, and takes none away
        return changed


def end_state(namespace: dict[str, Any], checkpoints: list[Checkpoint | Brief | Rebinding]) -> EndState:
    """Note how things stand.

    Parameters
    ----------
    namespace : dict
    checkpoints : list of Checkpoint, Brief and Rebinding
        What they have snapshots of may be put back later. They stay as they are.
    """
    walk = Shallow()
    noted: defaultdict[Kind, dict[int, Any]] = defaultdict(dict)
    whole: dict[int, list[Kind]] = {}
    """By its type's identity, the kinds of an object of which one operation was noted: it is compared as a whole."""
    for kind, held in _noted(checkpoints, namespace):
        if not kind.operation and kind not in OF_REFERENCES:
            continue
        o = found(held)
        if o is GONE:
            continue
        if kind.operation and identity(type(o)) not in whole:
            whole[identity(type(o))] = [each for each in current_table().kinds(type(o)) if each in OF_REFERENCES]
        for each in whole[identity(type(o))] if kind.operation else (kind,):
            noted[each][identity(o)] = o
    contents = {}
    for kind, some in noted.items():
        objects = list(some.values())
        contents[kind] = objects, [kind.snapshot(o, walk) for o in objects]
    return EndState(dict(namespace), contents, is_alone())


def _noted(checkpoints: list[Checkpoint | Brief | Rebinding], namespace: dict[str, Any]) -> Iterator[tuple[Kind, Any]]:
    for checkpoint in checkpoints:
        if type(checkpoint) is Checkpoint:
            for _, snapshot in checkpoint.global_state:
                yield snapshot[:2]
            for snapshot in checkpoint.snapshots.entries:
                yield snapshot[:2]
    yield from written(checkpoints, namespace)
