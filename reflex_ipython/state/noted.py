"""What one walk noted: contents of objects, and which name they belong to."""

from __future__ import annotations

import bisect
import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any

from reflex_ipython.state.kinds.kind import NOTHING, Kind
from reflex_ipython.state.kinds.layout import identity, type_name
from reflex_ipython.state.weak import found

Note = tuple[Kind, Any, Any]
"""What was noted of one object: its kind, itself, its contents. A plain tuple: there are thousands."""
REMOVED: Note = (Kind("nothing", "exact", lambda o, walk: NOTHING), None, None)
"""In the place of a note that was removed."""
_LAST = "\U0010ffff"
"""Sorts after every name."""


@dataclasses.dataclass
class Noted:
    """All that one walk noted.

    Parameters
    ----------
    notes : list of Note
    labels : list of (int, str)
        From which place in `notes` on they belong to which name.
    covered : set of str
        The names that are in the notes with everything that hangs on them.
    uncovered : dict of str to str
        The others, and why.
    """

    notes: list[Note] = dataclasses.field(default_factory=list)
    labels: list[tuple[int, str]] = dataclasses.field(default_factory=list)
    covered: set[str] = dataclasses.field(default_factory=set)
    uncovered: dict[str, str] = dataclasses.field(default_factory=dict)

    def label(self, place: int) -> str:
        """The name that the note at that place belongs to."""
        return self.labels[bisect.bisect_right(self.labels, (place, _LAST)) - 1][1]

    def labelled(self) -> Iterator[tuple[str, Note]]:
        """All of them, each with the name that it belongs to."""
        ends = [*(start for start, _ in self.labels[1:]), len(self.notes)]
        for (start, label), end in zip(self.labels, ends):
            yield from zip(repeat(label), self.notes[start:end])

    def forget(self, place: int, label: str, reason: str) -> None:
        """Remove a note: what it was of can't be put back."""
        self.notes[place] = REMOVED
        self.covered.discard(label)
        self.uncovered[label] = reason

    def take(self, array: Any) -> Any:
        """Remove the notes of an array; returns a copy of the data that they had, None if there is none."""
        data = None
        for place, (_, o, saved) in enumerate(self.notes):
            if o is array:
                data = saved.data if data is None else data
                self.notes[place] = REMOVED
        return data

    def leave_out(self, objects: list[Any], reason: str) -> None:
        """Forget everything that hangs on the names through which these objects were reached."""
        ids = set(map(id, objects))
        names = {self.label(place) for place, (_, o, _) in enumerate(self.notes) if id(o) in ids}
        for place in range(len(self.notes)):
            if self.label(place) in names:
                self.notes[place] = REMOVED
        self.covered -= names
        self.uncovered.update(dict.fromkeys(names, reason))


_MANY = 5_000
"""Names beyond which none is looked for: a statement that succeeds would wait for it."""


class Known(Noted):
    """The notes of a statement that was foreseen: which name an object belongs to is looked up when it is asked.

    Parameters
    ----------
    notes : list of Note
    names : tuple of str
        Those that the statement uses.
    namespace : dict
        Where it runs.
    """

    def __init__(self, notes: list[Note], names: tuple[str, ...], namespace: dict[str, Any]) -> None:
        super().__init__(notes)
        self._names = names
        self._namespace = namespace

    def labelled(self) -> Iterator[tuple[str, Note]]:
        """All of them, each with the name that it belongs to."""
        names = {identity(self._namespace.get(name)): name for name in reversed(self._names)}
        for note in self.notes:
            o = found(note[1])
            yield names.get(identity(o)) or self._called(o), note

    def label(self, place: int) -> str:
        """The name that the object is bound to; else what it is."""
        o = found(self.notes[place][1])
        return next((name for name in self._names if self._namespace.get(name) is o), "") or self._called(o)

    def _called(self, o: Any) -> str:
        """The same of what a function that the statement calls has got at."""
        names = tuple(self._namespace.items()) if len(self._namespace) <= _MANY else ()  # threads bind names as well
        return next((name for name, value in names if value is o and name.isidentifier()), f"a {type_name(type(o))}")


def is_same(note: Note) -> bool:
    """Whether an object surely is as it was noted."""
    try:
        kind, o, saved = note
        return kind.same(o, saved)
    except Exception:  # noqa: BLE001 - an object of an extension module; whatever it raises, nobody is sure
        return False


def are_same(notes: Iterable[Note]) -> bool:
    """Whether all of these objects surely are as they were noted."""
    by_kind: defaultdict[Kind, list[Note]] = defaultdict(list)
    for note in notes:
        by_kind[note[0]].append(note)
    return all(all_same(kind, *list(zip(*some))[1:]) for kind, some in by_kind.items())


def all_same(kind: Kind, objects: Sequence[Any], saved: Sequence[Any]) -> bool:
    """The same of objects of one kind, and what was noted of each.

    Thousands of lists or dicts are compared in one go: one by one, most of the time would go into calls.
    """
    if kind.all_same is None:
        return all(is_same((kind, o, some)) for o, some in zip(objects, saved))
    try:
        return kind.all_same(objects, saved)
    except Exception:  # noqa: BLE001 - as for one of them
        return False
