"""Whether a statement did what was foreseen, and not more: held to a walk over everything with wide bounds."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
from typing import Any

from reflex_ipython.state.analysis import Foreseen, Functions, foresee
from reflex_ipython.state.bounds import Bounds, Budget
from reflex_ipython.state.global_state import global_state
from reflex_ipython.state.kinds.frames import Fields
from reflex_ipython.state.walk import Walk
from reflex_ipython.state.walk_memory import WalkMemory

_WIDE = Bounds(nodes=300_000, bytes=2_000_000_000, milliseconds=60_000)
_EVERYTHING = compile("globals()", "<everything>", "exec")
MISSING: Any = object()


@dataclasses.dataclass
class Everything:
    """All that hangs on the names of a namespace, at one moment."""

    namespace: dict[str, Any]
    ignored: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        memory = WalkMemory(Budget(_WIDE))
        memory.budget.start()
        self.snapshots = Walk(self.namespace, self.ignored, memory).statement(_EVERYTHING)
        self.around = global_state(self.namespace)
        self.bindings = dict(self.namespace)

    def differences(self, draws: bool) -> list[str]:
        """What is not as it was, in words."""
        found = []
        for place, (kind, o, saved) in enumerate(self.snapshots.entries):
            if isinstance(saved, Fields):
                forget_columns(o, saved)
            if kind.restore is not None and not kind.same(o, saved):
                found.append(f"{self.snapshots.label(place)}: {kind.name}")
        for label, (kind, o, saved) in self.around:
            if not kind.same(o, saved) and not (draws and "random" in label):
                found.append(label)
        names = {*self.bindings, *self.namespace} - self.ignored
        then, now = self.bindings, self.namespace
        return found + [f"the name {name}" for name in names if then.get(name, MISSING) is not now.get(name, MISSING)]


def forget_columns(frame: Any, saved: Fields) -> None:
    """Drop the columns that pandas before 3 has kept since, of those that were asked for: windows on the same memory.

    To keep them is nothing that a statement writes: whoever asks for the column gets the same by a new window.
    """
    import numpy as np

    columns = vars(frame).get("_item_cache", {})
    for name in columns.keys() - {name for name, _ in saved.cached}:
        kept = columns.pop(name)
        new = frame[name]
        assert kept.equals(new), name
        assert np.shares_memory(kept.array, new.array), name
        columns.pop(name)


def undo(foreseen: Foreseen, namespace: dict[str, Any], bindings: dict[str, Any]) -> None:
    """Back to the state before the statement, by what was foreseen."""
    for kind, o, saved in reversed(foreseen.entries):
        if not kind.same(o, saved):
            assert kind.restore is not None
            kind.restore(o, saved)
        assert kind.same(o, saved), kind.name
    for name in foreseen.binds:
        if name in bindings:
            namespace[name] = bindings[name]
        else:
            namespace.pop(name, None)


def hold(node: ast.stmt, namespace: dict[str, Any], functions: Functions) -> list[str] | None:
    """Run the statement and undo it; what is not as it was. None if it was not foreseen, and did not run."""
    foreseen = foresee(node, namespace, functions)
    if foreseen is None:
        return None
    before = Everything(namespace)
    code = compile(ast.Module([node], []), "<statement>", "exec")
    with contextlib.suppress(Exception):  # it may fail, like any statement
        exec(code, namespace)
    undo(foreseen, namespace, before.bindings)
    return before.differences(foreseen.draws)
