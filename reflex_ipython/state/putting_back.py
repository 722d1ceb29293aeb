"""Putting snapshots back, the last one first, and making sure of it."""

from __future__ import annotations

import gc
import sys
from collections.abc import Container, Iterable, Iterator
from typing import Any, NamedTuple

from reflex_ipython.state.kinds.kind import CannotRestore, Kind
from reflex_ipython.state.snapshots import Snapshot, are_same, is_same
from reflex_ipython.state.weak import GONE, Weak, weakly

Labelled = tuple[str, Snapshot]
"""A snapshot and the name that it belongs to."""


class PuttingBack(NamedTuple):
    """An object that is not as it was: the name that it belongs to, and why."""

    label: str
    why: str
    o: Any


def put_back(entries: list[Labelled], first: int) -> Iterator[PuttingBack]:
    """Put every object back that has changed, and say which are not as they were.

    Each is looked at when all that was noted later has been put back: only then a snapshot of an operation is right.
    Two snapshots may be of the same data, as `os.environ` and the dict inside it: the one that was made first is right.

    Parameters
    ----------
    entries : list of (str, Snapshot)
        With the name that each belongs to, in the order in which they were made.
    first : int
        How many of them were made at the time that is gone back to. What came later counts only where these say
        nothing.

    Yields
    ------
    PuttingBack
    """
    changed, as_noted = [], set()
    unchanged = _unchanged(entries)
    for place in range(len(entries) - 1, -1, -1):
        label, snapshot = entries[place]
        kind = snapshot[0]
        if kind in unchanged or (not kind.certain and is_same(snapshot)):
            continue
        trouble = _restore(snapshot)
        if kind.certain or is_same(snapshot):
            as_noted.add(place)
        elif kind.operation and trouble is None:
            trouble = _not_so(snapshot)
        if trouble is not None or not (kind.operation or kind.certain):
            changed.append((place, trouble))
    for place, trouble in reversed(changed):
        label, snapshot = entries[place]
        overruled = place >= first and place in as_noted
        if (
            trouble is None and not overruled and not is_same(snapshot)
        ):  # trust nothing that was not looked at afterwards
            trouble = _not_so(snapshot)
        if trouble is not None:
            yield PuttingBack(label, trouble, snapshot[1])


def _unchanged(entries: list[Labelled]) -> set[Kind]:
    """The kinds of which nothing has changed, of those where that is quickly seen of thousands.

    None where an operation was noted: what was done to the object later is to be put back before it is looked at.
    """
    by_kind: dict[Kind, list[Snapshot]] = {}
    for _, snapshot in entries:
        if snapshot[0].operation:
            return set()
        if snapshot[0].all_same is not None:
            by_kind.setdefault(snapshot[0], []).append(snapshot)
    return {kind for kind, some in by_kind.items() if are_same(some)}


def _not_so(snapshot: Snapshot) -> str:
    return f"its {snapshot[0].name} could not be put back"


def still_there(outcomes: list[PuttingBack], bindings: Container[str]) -> list[str]:
    """Those that matter, in words: an object that came after the checkpoint, and that nobody holds any more, does not.

    Parameters
    ----------
    outcomes : list of PuttingBack
        The only ones to hold those objects, besides the namespace; weakly, or not at all. None in the place of one that
        can't be held weakly: it is taken for gone with its name.
    bindings : container of str
        The names that there are again.
    """
    certain = [outcome for outcome in outcomes if outcome.label in bindings]
    later = [outcome for outcome in outcomes if outcome.label not in bindings and outcome.o is not None]
    held = _held(later)
    if held:
        gc.collect()  # it may be that only garbage holds it
        held = _held(later)
    return [f"{outcome.label} ({outcome.why})" for outcome in certain + held]


def loosely(outcomes: Iterable[PuttingBack]) -> list[PuttingBack]:
    """The same, holding weakly what can be: it must be able to end."""
    return [PuttingBack(label, why, weakly(o) or o) for label, why, o in outcomes]


def _held(outcomes: list[PuttingBack]) -> list[PuttingBack]:
    alone = _references(PuttingBack("", "", object()))
    return [
        outcome
        for outcome in outcomes
        if (outcome.o.get() is not GONE if type(outcome.o) is Weak else _references(outcome) > alone)
    ]


def _references(outcome: PuttingBack) -> int:
    return sys.getrefcount(outcome.o)


def _restore(snapshot: Snapshot) -> str | None:
    """None if it worked, as far as one knows; else why not."""
    try:
        kind, o, saved = snapshot
        assert kind.restore is not None, kind.name
        kind.restore(o, saved)
    except CannotRestore as reason:
        return str(reason)
    except Exception as problem:  # noqa: BLE001 - an object of an extension module; the others are still put back
        return f"{type(problem).__name__} while putting it back"
    return None
