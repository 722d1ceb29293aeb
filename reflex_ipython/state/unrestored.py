"""What can't be put back, by how far is gone back: known before anything is."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

from reflex_ipython.state.checkpoint import Checkpoint
from reflex_ipython.state.weak import ENDED, GONE, found


class Unrestored(NamedTuple):
    """A name whose object stays as a statement has left it.

    Parameters
    ----------
    name : str
        Or words for what has none.
    why : str
    first, last : int
        The statements: who goes back to one of these, or to one between, finds it so.
    """

    name: str
    why: str
    first: int
    last: int


def unrestored(checkpoints: Iterable[Checkpoint], ignored: Container[str] = ()) -> Iterator[Unrestored]:
    """What of the statements' checkpoints a rollback will not find.

    What an earlier one has noted is put back from there: it matters only to who goes back less far.

    Parameters
    ----------
    checkpoints : iterable of Checkpoint
        Of all statements that have started, once the skipped ones were looked at (`missed.look_for_missed`).
    ignored : container of str
        Names that are not put back.
    """
    contents: dict[str, int] = {}
    bound: dict[str, int] = {}
    all_bound = 0
    for index, checkpoint in enumerate(checkpoints):
        for name, why in checkpoint.uncovered.items():
            if name not in ignored and contents.get(name, 0) <= index:
                yield Unrestored(name, why, contents.get(name, 0), index)
        for name, held in checkpoint.bindings.items():
            if found(held) is GONE and name not in ignored:
                yield Unrestored(name, ENDED, max(all_bound, bound.get(name, 0)), index)
            bound[name] = index + 1
        if checkpoint.any_bound:
            all_bound = index + 1
        contents.update(dict.fromkeys(checkpoint.snapshots.covered, index + 1))
