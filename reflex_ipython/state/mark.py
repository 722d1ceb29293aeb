"""The state before one statement, as far as the statement may change it."""

from __future__ import annotations

import ast
import dataclasses
from types import CodeType
from typing import Any, NamedTuple

from reflex_ipython.state.effects import Effect
from reflex_ipython.state.noted import Note, Noted
from reflex_ipython.state.running import Running
from reflex_ipython.state.weak import GONE, Weak, found

MISSING: Any = object()
"""In the place of what a name was bound to: nothing."""
ENDED = "its old value has come to an end"


class Named(NamedTuple):
    """Something that the statement may have changed and nobody can put back.

    Parameters
    ----------
    label : str
        The name that it hangs on.
    why : str
        What it is.
    o : Weak or None
        It; None if its type knows no weak references.
    """

    label: str
    why: str
    o: Weak | None

    @property
    def ended(self) -> bool:
        """Whether it is surely not there any more."""
        return self.o is not None and self.o.get() is GONE


@dataclasses.dataclass
class Mark:
    """The state before one statement.

    Parameters
    ----------
    bindings : dict
        Names that the statement may bind or delete, and what they were bound to: an object, a `Weak`, `MISSING` or
        `GONE`. Once it is over: those that it has bound or deleted.
    noted : Noted
        The contents of what the statement can reach; once it is over, of what it has changed.
    ambient : list of (str, Note)
        The same of what any statement can reach.
    effects : list of Effect
        What happened outside from here to the next mark.
    running : Running or None
        The threads and tasks that there were; None for a statement that can't start any.
    any_bound : bool
        Whether `bindings` has all names of the namespace.
    code : code object or None
        The statement, until it was asked what no event tells of; None for one that is known to do nothing outside.
    node : ast.stmt or None
        Its tree.
    named : list of Named
        What the statement may have changed and can't be put back, once it is over.
    """

    bindings: dict[str, Any]
    noted: Noted
    ambient: list[tuple[str, Note]] = dataclasses.field(default_factory=list)
    effects: list[Effect] = dataclasses.field(default_factory=list)
    running: Running | None = None
    any_bound: bool = False
    code: CodeType | None = None
    node: ast.stmt | None = None
    named: list[Named] = dataclasses.field(default_factory=list)

    def rebound(self, namespace: dict[str, Any]) -> dict[str, Any]:
        """Of the bindings, those that are not so any more."""
        old, now = self.bindings, namespace.get
        changed = {name: old[name] for name in old if found(old[name]) is not now(name, MISSING)}
        if self.any_bound:
            changed.update((name, MISSING) for name in namespace.keys() - old.keys())
        return changed


def bindings_before(marks: list[Mark], namespace: dict[str, Any]) -> tuple[dict[str, Any], set[str]]:
    """What all names were bound to before the first of these statements, and the names of which that is not known."""
    then = dict(namespace)
    unknown: set[str] = set()
    for mark in reversed(marks):
        if mark.any_bound:
            then, unknown = {}, set()
        for name, held in mark.bindings.items():
            value = found(held)
            unknown.discard(name)
            if value is GONE:
                unknown.add(name)
            elif value is MISSING:
                then.pop(name, None)
            else:
                then[name] = value
    return then, unknown
