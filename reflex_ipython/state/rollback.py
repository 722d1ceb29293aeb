"""The way back: contents and bindings are put back as they were before a statement, in place."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any

from reflex_ipython.state.kinds.layout import identity, inherits, type_name
from reflex_ipython.state.left import SINCE, Left, of_references
from reflex_ipython.state.mark import ENDED, Mark, bindings_before
from reflex_ipython.state.noted import Note, is_same
from reflex_ipython.state.putting_back import Labelled, Outcome, put_back, still_there
from reflex_ipython.state.resizing import put_back_detached
from reflex_ipython.state.restoration import Restoration
from reflex_ipython.state.weak import GONE, found


class Rollback:
    """One rollback.

    Parameters
    ----------
    namespace : dict
    ignored : container of str
        Names that are not put back.
    left : Left or None
        What the cell left behind when it ended: what others have changed since is theirs.
    """

    def __init__(self, namespace: dict[str, Any], ignored: Container[str], left: Left | None) -> None:
        self._namespace = namespace
        self._ignored = ignored
        self._left = left

    def run(self, marks: list[Mark], let_go: Callable[[], None]) -> Restoration:
        """Put everything back to the state before the first of these statements.

        Parameters
        ----------
        marks : list of Mark
            Of the statements from that one on; emptied.
        let_go : callable
            Lets go of what else is held for them.

        Returns
        -------
        Restoration
            Whether all is as it was, else what is not.
        """
        every = list(first_notes(marks))
        opaque = list(opaque_outcomes(marks, every))
        then, unknown = bindings_before(marks, self._namespace)
        since = [*self._changed_since(every), *self._rebound_since(then)]
        notes = [(label, note) for label, note in every if self._may_restore(note)]
        first = len(notes) if len(marks) == 1 else self._restorable(marks[:1])
        again = list(self._reached_by_ends(notes, marks))
        restorable = list(put_back(notes, first))
        names = [*self._beyond_bounds(marks, then), *since]
        names += [f"{name} ({ENDED})" for name in sorted(unknown) if name not in self._ignored]
        effects = [effect.text for mark in marks for effect in mark.effects if not effect.harmless]
        del marks[:], notes, every  # who holds an array to the end may not get its length back
        let_go()
        names += self._rebound_since(then)
        self._remove_others(then)
        names += put_back_detached(then, self._namespace)
        self._bind(then)
        self._left = None
        restorable += put_back(again, len(again))  # what came to an end by now may have changed it: `__del__`
        del again
        names = still_there(restorable, then) + names
        trouble = still_there(opaque, then) + effects
        return Restoration(tuple(dict.fromkeys(names)), tuple(dict.fromkeys(trouble)))

    def _reached_by_ends(self, notes: list[Labelled], marks: list[Mark]) -> Iterator[Labelled]:
        """What `__del__` and finalizers of objects that come to an end in a rollback may change: counters, registries.

        Of what was noted later than the state that is gone back to, only classes.
        """
        begun = next((place for place, mark in enumerate(marks) if mark.ambient), 0)  # names at most were bound before
        known = len(notes) if len(marks) == begun + 1 else self._restorable(marks[: begun + 1])
        for place, (label, (kind, o, saved)) in enumerate(notes):
            if of_references(kind) and (place < known or inherits(type(o), type)):
                yield label, (kind, o, saved)

    def _may_restore(self, note: Note) -> bool:
        return note[0].restore is not None and not (self._left is not None and self._left.changed_since(note[1]))

    def _restorable(self, marks: list[Mark]) -> int:
        return sum(self._may_restore(note) for _, note in first_notes(marks))

    def _changed_since(self, notes: list[Labelled]) -> Iterator[str]:
        """What was noted and has changed since the cell ended."""
        for label, note in notes if self._left is not None else ():
            if note[0].restore is not None and not self._may_restore(note):
                yield f"{label} ({SINCE})"

    def _rebound_since(self, bindings: dict[str, Any]) -> list[str]:
        """The names that somebody has bound or deleted since the cell ended."""
        left, now = self._left, self._namespace
        names = {*bindings, *now} if left is not None else set()
        rebound = [name for name in names if left is not None and left.rebound_since(name, now)]
        return [f"{name} ({SINCE})" for name in sorted(rebound, key=str) if name not in self._ignored]

    def _beyond_bounds(self, marks: list[Mark], then: dict[str, Any]) -> Iterator[str]:
        covered: set[str] = set()
        for mark in marks:
            for name, reason in mark.uncovered(then).items():
                # A name that was covered before is put back from there; a name that came later is removed.
                if name not in covered and (name in then or not name.isidentifier()):
                    yield f"{name} ({reason})"
            covered |= mark.noted.covered

    def _remove_others(self, bindings: dict[str, Any]) -> None:
        for name in self._namespace.keys() - bindings.keys():
            if name not in self._ignored and not self._is_others(name):
                self._namespace.pop(name, None)

    def _bind(self, bindings: dict[str, Any]) -> None:
        now = self._namespace
        for name, value in bindings.items():
            changed = name not in now or now[name] is not value
            if changed and name not in self._ignored and not self._is_others(name):
                self._namespace[name] = value

    def _is_others(self, name: str) -> bool:
        return self._left is not None and self._left.rebound_since(name, self._namespace)


def first_notes(marks: list[Mark]) -> Iterator[Labelled]:
    """The earliest note of each object, what it was before the first of the statements that could reach it; and every
    note of an operation. What has come to an end needs none.
    """
    seen: set[tuple[int, int]] = set()
    for mark in marks:
        every = [(mark.noted.label(place), note) for place, note in enumerate(mark.noted.notes)]
        for label, (kind, held, saved) in mark.ambient + every:
            o = found(held)
            key = (identity(o), identity(kind))
            if o is not GONE and (kind.operation or key not in seen):
                seen.add(key)
                yield label, (kind, o, saved)


def opaque_outcomes(marks: list[Mark], notes: Iterable[Labelled] | None = None) -> Iterator[Outcome]:
    """What may have changed and can't be put back."""
    for mark in marks:
        for named in mark.named:
            if not named.ended:
                yield Outcome(named.label, named.why, named.o.get() if named.o is not None else None)
    for label, note in first_notes(marks) if notes is None else notes:
        if note[0].restore is None and not is_same(note):
            yield Outcome(label, type_name(type(note[1])), note[1])
