"""What was put back, looked at once more when everything has come to an end that the failed run had made.

Until then it is held no more than others hold it: what ended later would do so in the midst of the next cell.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator

from reflex_ipython.base.classes import inherits
from reflex_ipython.state.end_state import OF_REFERENCES
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.putting_back import Labelled, PuttingBack, loosely, put_back
from reflex_ipython.state.snapshots import REMOVED, Snapshot, are_same
from reflex_ipython.state.weak import GONE, Weak, found, has_references, weakly

DROPPED: Labelled = ("", REMOVED)
"""In the place of one that is not looked at once more."""


class OnceMore:
    """What was put back.

    Parameters
    ----------
    entries : list of (str, Snapshot)
    first : int
        How many of them were noted at the time that is gone back to.
    known : int
        How many of them are of objects that were there before the cell.
    """

    def __init__(self, entries: list[Labelled], first: int, known: int) -> None:
        self._first = first
        self._known = known
        self._places: list[tuple[int, Labelled]] = []
        _drop_unheld(entries, known)
        operated: set[int] = set()
        add = self._places.append
        for place, labelled in enumerate(entries):
            label, (kind, o, saved) = labelled
            if kind is REMOVED[0] or (operated and identity(o) in operated):
                continue  # of what was noted once more later it is not known what it was at first
            if kind.operation:
                operated.add(identity(o))
            add((place, labelled if not has_references(type(o)) else (label, (kind, weakly(o), saved))))

    def seem_same(self) -> bool:
        """Whether what only refers to others is as it was put back: that is seen at a glance."""
        known = self._known
        return are_same(
            (kind, o, saved)
            for place, (_, (kind, held, saved)) in self._places
            if kind in OF_REFERENCES
            and (o := held.get() if type(held) is Weak else held) is not GONE
            and (place < known or inherits(type(o), type))
        )

    def put_back(self, outcomes: list[PuttingBack]) -> list[PuttingBack]:
        """Put it back once more; gives what came of that in the place of what came of it before.

        Parameters
        ----------
        outcomes : list of PuttingBack
        """
        there = list(self._there())
        anew = {identity(snapshot[1]) for _, (_, snapshot) in there}
        stay = [outcome for outcome in outcomes if identity(found(outcome.o)) not in anew]
        count = sum(place < self._first for place, _ in there)
        return stay + loosely(put_back([labelled for _, labelled in there], count))

    def snapshots(self) -> Iterator[Snapshot]:
        """Those of what is still there."""
        return (snapshot for _, (_, snapshot) in self._there())

    def _there(self) -> Iterator[tuple[int, Labelled]]:
        for place, (label, (kind, held, saved)) in self._places:
            o = found(held)
            if o is not GONE:
                yield place, (label, (kind, o, saved))


def _drop_unheld(entries: list[Labelled], known: int) -> None:
    """Drop lists, dicts … that only these entries hold: they would keep what is in them from ending."""
    places = [place for place in range(known, len(entries)) if not has_references(type(entries[place][1][1]))]
    counts = Counter(identity(entries[place][1][1]) for place in places)
    alone = _references([("", (REMOVED[0], object(), None))], 0) - 1
    dropped = True
    while dropped:
        dropped = False
        for place in places:
            if entries[place] is DROPPED:
                continue
            key = identity(entries[place][1][1])
            if _references(entries, place) <= alone + counts[key]:
                entries[place], dropped = DROPPED, True
                counts[key] -= 1


def _references(entries: list[Labelled], place: int) -> int:
    return sys.getrefcount(entries[place][1][1])
