"""What one walk noted: contents of objects, and which name they belong to."""

from __future__ import annotations

import bisect
import dataclasses
from typing import Any

from reflex_ipython.state.kinds.kind import NOTHING, Kind

Note = tuple[Kind, Any, Any]
"""What was noted of one object: its kind, itself, its contents. A plain tuple: there are thousands."""
_REMOVED: Note = (Kind("nothing", "exact", lambda o, walk: NOTHING), None, None)
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

    def take(self, array: Any) -> Any:
        """Remove the notes of an array; returns a copy of the data that they had, None if there is none."""
        data = None
        for place, (_, o, saved) in enumerate(self.notes):
            if o is array:
                data = saved.data if data is None else data
                self.notes[place] = _REMOVED
        return data

    def leave_out(self, objects: list[Any], reason: str) -> None:
        """Forget everything that hangs on the names through which these objects were reached."""
        ids = set(map(id, objects))
        names = {self.label(place) for place, (_, o, _) in enumerate(self.notes) if id(o) in ids}
        for place in range(len(self.notes)):
            if self.label(place) in names:
                self.notes[place] = _REMOVED
        self.covered -= names
        self.uncovered.update(dict.fromkeys(names, reason))
