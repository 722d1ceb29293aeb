"""What a generator has set before it paused: the folder, decimal's context, a seed.

That is put back, but the generator itself can't be: it goes on behind the place where it would be set again.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from types import AsyncGeneratorType, CoroutineType, GeneratorType
from typing import Any

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.state.bounds import Bounds, Budget
from reflex_ipython.state.checkpoint import Checkpoint
from reflex_ipython.state.collector import without_collector
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.restoration import listed
from reflex_ipython.state.settings_reached import settings_within_reach
from reflex_ipython.state.snapshots import is_same
from reflex_ipython.state.walk import Walk
from reflex_ipython.state.walk_memory import WalkMemory
from reflex_ipython.state.weak import found

_PAUSING = (GeneratorType, CoroutineType, AsyncGeneratorType)
_BOUNDS = Bounds(nodes=2_000, bytes=0, milliseconds=10.0)


def set_by_paused(
    checkpoints: Iterable[Checkpoint], namespace: dict[str, Any], ignored: Container[str]
) -> dict[int, str]:
    """What generators may have set that is put back though they stay; to be asked before it is.

    Parameters
    ----------
    checkpoints : iterable of Checkpoint
    namespace : dict
    ignored : container of str
        Names that are never looked at.

    Returns
    -------
    dict of int to str
        By the generator's identity, in words to be put behind what it is.
    """
    words: dict[int, str] = {}
    for checkpoint in checkpoints:
        paused = list(_paused(checkpoint)) if checkpoint.global_state else []
        changed = {label for label, snapshot in checkpoint.global_state if not is_same(snapshot)} if paused else set()
        for o in paused if changed else ():
            settings = _within_reach(o, namespace, ignored)
            if not changed.isdisjoint(settings):
                words[identity(o)] = f", which uses {listed(settings)}"
    return words


def _within_reach(o: Any, namespace: dict[str, Any], ignored: Container[str]) -> list[str]:
    budget = Budget(_BOUNDS)
    budget.start()
    walk = Walk(namespace, ignored, WalkMemory(budget))
    with without_collector():  # which may take longer than all that is allowed
        walk.from_these({"": o})
    return settings_within_reach(walk.libraries(), walk.words())


def _paused(checkpoint: Checkpoint) -> Iterator[Any]:
    """The generators that the statement has moved."""
    for named in checkpoint.named:
        o = named.o.get() if named.o is not None else None
        if is_exactly(o, _PAUSING):
            yield o
    for kind, held, saved in checkpoint.snapshots.entries:
        o = found(held)
        if is_exactly(o, _PAUSING) and not is_same((kind, o, saved)):
            yield o
