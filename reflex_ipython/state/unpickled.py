"""A class or function of the user's that data names, as it is unpickled: what it may change is noted before it runs.

No name of the code need lead to it: `pickle.load(file)` runs its `__setstate__`, `__new__` or whatever `__reduce__` has
named, be it by `pd.read_pickle`, a shelf, or what another process has sent.
"""

from __future__ import annotations

import sys
from collections.abc import Container, Iterator
from typing import Any

from reflex_ipython.state.audit_events import CLOUDPICKLE, DILL
from reflex_ipython.state.bindings import all_bindings, bindings
from reflex_ipython.state.bounds import Bounds, Budget
from reflex_ipython.state.bytecode_names import RESIZE
from reflex_ipython.state.checkpoint import NOTHING_NOTED, Checkpoint
from reflex_ipython.state.effect import OutsideEffect
from reflex_ipython.state.introspection import NOTICING, REASON_TO_LOOK, may_use
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.snapshots import Snapshots, all_loosened
from reflex_ipython.state.user_code import contents
from reflex_ipython.state.walk import Walk
from reflex_ipython.state.walk_memory import WalkMemory

_BOUNDS = Bounds(bytes=64_000_000, milliseconds=10.0)


def note_unpickled(
    checkpoint: Checkpoint, found: OutsideEffect, namespace: dict[str, Any], ignored: Container[str]
) -> list[OutsideEffect]:
    """Note what it may change, as if the statement had named it.

    Parameters
    ----------
    checkpoint : Checkpoint
        Of the statement that unpickles. What that has noted itself counts: it came earlier.
    found : OutsideEffect
        As `audit_events` gives it.
    namespace : dict
        Where the statement runs.
    ignored : container of str
        Names that are never looked at.

    Returns
    -------
    list of OutsideEffect
        What is to be said instead where nothing may be noted.
    """
    module, _, name = found.text.removeprefix("unpickled ").partition(":")
    source = "\n".join(_naming(module, name, namespace))
    if not source:
        return []  # there is no such thing: to unpickle it will fail
    if checkpoint.skipped:
        return [OutsideEffect("other", f"unpickled {name} ({checkpoint.skipped})")]
    budget = Budget(_BOUNDS)
    budget.start()
    walk = Walk(namespace, ignored, WalkMemory(budget))
    more = walk.statement(compile(source, "<unpickled>", "exec"))
    if not NOTICING.isdisjoint(walk.attributes) or _may_resize(checkpoint, namespace):
        return [OutsideEffect("other", f"unpickled {name} ({REASON_TO_LOOK})")]
    _add(checkpoint, more)
    if not checkpoint.any_bound:
        every = all_bindings(namespace, resizes=False) if walk.any_bound else bindings(namespace, walk.bound, None)
        checkpoint.bindings = {**every, **checkpoint.bindings}
        checkpoint.any_bound = walk.any_bound
    return []


def _naming(module: str, name: str, namespace: dict[str, Any]) -> Iterator[str]:
    """Statements that name what the data names."""
    if module == CLOUDPICKLE:
        tracked = contents(sys.modules.get(module)).get("_DYNAMIC_CLASS_TRACKER_BY_ID", {})
        known = set(map(identity, tracked.values()))
        yield from (here for here, o in list(namespace.items()) if identity(o) in known)
    elif module == DILL:
        yield "globals()"  # its code is in the data
    elif contents(sys.modules.get(module)) is not namespace:
        yield f"import {module}"
    elif (root := name.partition(".")[0]) in namespace:
        yield root


def _may_resize(checkpoint: Checkpoint, namespace: dict[str, Any]) -> bool:
    return checkpoint.code is not None and may_use(checkpoint.code, namespace, {RESIZE})


def _add(checkpoint: Checkpoint, more: Snapshots) -> None:
    if checkpoint.snapshots is NOTHING_NOTED:
        checkpoint.snapshots = Snapshots()
    noted = checkpoint.snapshots
    first = len(noted.entries)
    noted.entries += all_loosened(more.entries)
    noted.labels += [(first + place, label) for place, label in more.labels]
    noted.uncovered.update((label, why) for label, why in more.uncovered.items() if label not in noted.covered)
    noted.covered |= more.covered - noted.uncovered.keys()
