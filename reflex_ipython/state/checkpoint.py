"""The state before one statement, as far as the statement may change it."""

from __future__ import annotations

import ast
from types import CodeType
from typing import Any, NamedTuple

from reflex_ipython.state.effect import OutsideEffect
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.running import Running
from reflex_ipython.state.snapshots import REMOVED, Snapshot, Snapshots
from reflex_ipython.state.unshared import is_copy, unshared
from reflex_ipython.state.weak import GONE, Weak, found

MISSING: Any = object()
"""In the place of what a name was bound to: nothing."""


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


class Checkpoint:
    """The state before one statement.

    Parameters
    ----------
    bindings : dict
        Names that the statement may bind or delete, and what they were bound to: an object, a `Weak`, `MISSING` or
        `GONE`. Once it is over: those that it has bound or deleted.
    snapshots : Snapshots
        The contents of what the statement can reach; once it is over, of what it has changed.
    code : code object or None
        The statement, until it was asked what no event tells of; None for one that is known to do nothing outside.
    skipped : str
        Why no more is noted of it than plain data that its names were bound to; empty if that is not so.

    Attributes
    ----------
    global_state : list of (str, Snapshot)
        The same of what any statement can reach.
    effects : list of OutsideEffect
        What happened outside from here to the next checkpoint.
    running : Running or None
        The threads and tasks that there were; None for a statement that can't start any.
    any_bound : bool
        Whether `bindings` has all names of the namespace.
    copied : bool
        Whether the numbers and texts in `bindings` are copies.
    missed : dict of str to str
        Of a skipped statement: what it can reach and nobody noted, with the reason.
    skipped_code : code object or None
        That statement, until this was looked for.
    named : sequence of Named
        What the statement may have changed and can't be put back, once it is over.
    node : ast.stmt or None
        The statement's tree.
    beside : str or None
        Who else was at work as it began, in words; empty: nobody. None: nobody has looked.
    importing : came_in.Importing or None
        What it takes to know which libraries it has imported for the first time; None if it can't have done so.
    """

    __slots__ = (
        "any_bound",
        "beside",
        "bindings",
        "code",
        "copied",
        "effects",
        "global_state",
        "importing",
        "missed",
        "named",
        "node",
        "running",
        "skipped",
        "skipped_code",
        "snapshots",
    )  # fmt: skip

    def __init__(
        self, bindings: dict[str, Any], snapshots: Snapshots, code: CodeType | None = None, skipped: str = ""
    ) -> None:
        self.bindings = bindings
        self.snapshots = snapshots
        self.code = code
        self.skipped = skipped
        self.skipped_code = code if skipped else None
        self.copied = bool(skipped)
        self.missed: dict[str, str] = {}
        self.global_state: list[tuple[str, Snapshot]] = []
        self.effects: list[OutsideEffect] = []
        self.running: Running | None = None
        self.any_bound = False
        self.named: list[Named] = []
        self.node: ast.stmt | None = None
        self.importing: Any = None
        self.beside: str | None = None

    @classmethod
    def skip(cls, code: CodeType, namespace: dict[str, Any], reason: str) -> Checkpoint:
        """The checkpoint of a statement for which there is no time, or that must not find anything held."""
        bindings = {}
        for name in code.co_names:
            o = namespace.get(name, MISSING)
            if identity(type(o)) in _QUICK:
                bindings[name] = o if o is MISSING else unshared(o)
        return cls(bindings, NOTHING_NOTED, code, reason)

    def forget_global(self, place: int, reason: str) -> None:
        """Remove a snapshot of what any statement can reach: that can't be put back."""
        label, _ = self.global_state[place]
        self.snapshots.uncovered[label if " " in label else f"the {label}"] = reason  # it is no name of the namespace
        self.global_state[place] = label, REMOVED

    @property
    def uncovered(self) -> dict[str, str]:
        """The names that can't be put back, each with the reason; of a skipped statement, once they were looked for."""
        return self.missed if self.skipped else self.snapshots.uncovered

    def rebound(self, namespace: dict[str, Any]) -> dict[str, Any]:
        """Of the bindings, those that are not so any more."""
        old, now = self.bindings, namespace.get
        changed = {name: old[name] for name in old if found(old[name]) is not now(name, MISSING)}
        if self.any_bound:
            changed.update((name, MISSING) for name in namespace.keys() - old.keys())
        return changed


_QUICK = frozenset(map(identity, (int, float, bool, type(None), type(MISSING))))
"""A class may have a metaclass whose `__hash__` or `__eq__` is the user's."""
NOTHING_NOTED = Snapshots()
"""For statements of which no contents are noted; never changed."""


def bindings_before(checkpoints: list[Checkpoint], namespace: dict[str, Any]) -> tuple[dict[str, Any], set[str]]:
    """What all names were bound to before the first of these statements, and the names of which that is not known."""
    then = dict(namespace)
    unknown: set[str] = set()
    for checkpoint in reversed(checkpoints):
        if checkpoint.any_bound:
            then, unknown = {}, set()
        for name, held in checkpoint.bindings.items():
            value = found(held)
            if checkpoint.copied and name not in unknown and is_copy(value, then.get(name, MISSING)):
                continue  # nobody has bound it anew: what is there is the one that was there
            unknown.discard(name)
            if value is GONE:
                unknown.add(name)
            elif value is MISSING:
                then.pop(name, None)
            else:
                then[name] = value
    return then, unknown
