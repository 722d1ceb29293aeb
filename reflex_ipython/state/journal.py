"""The undo journal: before each top-level statement, the contents of what it can reach; afterwards, the way back.

    journal = Journal(namespace)
    for code in statements:      # of one cell
        journal.before(code)
        exec(code, namespace)    # ... raises in the statement with the index k
    journal.rollback(k)          # the state before that statement, in place; says what is not as it was
    journal.clear()              # lets go of everything

Nothing of the user's runs meanwhile: no `__eq__`, `__len__`, `__iter__`, property or `__reduce__` of a class of theirs.
What is not within the bounds, and what can't be put back, is named in the `Restoration`.
"""

from __future__ import annotations

import dataclasses
import gc
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

from reflex_ipython.state.ambient import ambient
from reflex_ipython.state.bounds import Bounds, Budget
from reflex_ipython.state.effects import Effect, Folders, Watch, watch
from reflex_ipython.state.kinds.kind import Kind
from reflex_ipython.state.kinds.layout import inherits, type_name
from reflex_ipython.state.left import SINCE, Left, leave, of_references
from reflex_ipython.state.memory import CellMemory
from reflex_ipython.state.noted import Note, Noted
from reflex_ipython.state.reach import RESIZE, is_inert
from reflex_ipython.state.resizing import about_to_resize, let_go, put_back_detached
from reflex_ipython.state.restoration import Restoration
from reflex_ipython.state.rollback import Outcome, put_back, still_there
from reflex_ipython.state.running import Running, settle
from reflex_ipython.state.unseen import Unseen
from reflex_ipython.state.walk import Walk


@dataclasses.dataclass
class Mark:
    """The state before one statement.

    Parameters
    ----------
    bindings : dict
        All names of the namespace and what they were bound to.
    noted : Noted
        The contents of what the statement can reach.
    ambient : list of (str, Note)
        What any statement can reach.
    effects : list of Effect
        What happened outside from here to the next mark.
    running : Running or None
        The threads and tasks that there were; None for a statement that can't start any.
    code : code object or None
        The statement, until it was asked what no event tells of; None for one that runs nothing.
    """

    bindings: dict[str, Any]
    noted: Noted
    ambient: list[tuple[str, Note]]
    effects: list[Effect] = dataclasses.field(default_factory=list)
    running: Running | None = None
    code: CodeType | None = None


class Journal:
    """The journal of one cell at a time.

    Parameters
    ----------
    namespace : dict
        Where the statements run.
    bounds : Bounds
        How much it may look at and hold for one cell.
    ignored : container of str
        Names that are neither looked at nor put back: the shell's own, `In`, `Out`, `get_ipython`.
    results : callable
        Given an ignored name that code reads, gives the objects of the user's that it gets at by it, by their labels:
        `_` and `Out[3]` may be what a name of theirs is bound to.
    own_folders : callable
        Gives folders; files below these are the shell's own business, no effects of the cell.
    """

    def __init__(
        self,
        namespace: dict[str, Any],
        bounds: Bounds | None = None,
        ignored: Container[str] = frozenset(),
        results: Callable[[str], dict[str, Any]] = lambda name: {},
        own_folders: Folders = tuple,
    ) -> None:
        self._own_folders = own_folders
        self._namespace = namespace
        self._bounds = bounds or Bounds()
        self._ignored = ignored
        self._results = results
        self._marks: list[Mark] = []
        self._memory = CellMemory(Budget(self._bounds))
        self._stop_watching: Watch | None = None
        self._left: Left | None = None

    def __len__(self) -> int:
        """How many statements have started."""
        return len(self._marks)

    def before(self, code: CodeType) -> int:
        """A statement is about to run; call it on the thread that runs it.

        Parameters
        ----------
        code : code object
            The statement, compiled.

        Returns
        -------
        int
            Its index, for `rollback`.
        """
        self._see_what_runs()
        self._left = None
        if is_inert(code):
            self._marks.append(Mark(dict(self._namespace), Noted(), []))
        else:
            self._note(code)
        self._watch()
        return len(self._marks) - 1

    @property
    def held(self) -> int:
        """Bytes held in copies for this cell."""
        return self._memory.budget.held

    @property
    def copying(self) -> float:
        """Seconds that copying the data of arrays took in this cell."""
        return self._memory.budget.copying

    def finished(self) -> None:
        """The cell has ended, well or not: effects are no longer watched."""
        if self._stop_watching is not None:
            self._see_what_runs()
            self._stop_watching()
            self._stop_watching = None
            settle(effect for mark in self._marks if mark.running is not None for effect in mark.effects)

    def left(self) -> None:
        """The same; and what threads, callbacks and others change from now on is theirs: it is not put back."""
        self.finished()
        with _without_collector():
            self._left = leave(self._namespace, [note for _, note in _first_notes(self._marks)])

    def effects(self, index: int) -> tuple[Effect, ...]:
        """What the statement of that index did outside the namespace."""
        return tuple(self._marks[index].effects)

    def also(self, index: int, effects: Iterable[Effect]) -> None:
        """The statement of that index did this as well, as somebody else has seen: in the page, for one."""
        self._marks[index].effects += effects

    def uncertain(self, index: int) -> tuple[str, ...]:
        """What the statement of that index could reach and nobody can put back, if it has changed since.

        Cheap to ask, and right only until something else runs.
        """
        marks = self._marks[index : index + 1]
        named = [f"{label} ({why})" for label, why, _ in self._opaque(marks)]
        lost = [f"{label} ({note[0].name})" for label, note in _first_notes(marks) if _lost(*note)]
        return (*named, *lost)

    def repeats(self) -> list[tuple[str, ...]]:
        """For each statement that started, what running it again would do a second time: for `plan`."""
        self._add_unseen()
        return [
            (*(effect.text for effect in self.effects(index) if not effect.harmless), *self.uncertain(index))
            for index in range(len(self))
        ]

    def uncovered(self, index: int) -> tuple[str, ...]:
        """The names that the statement of that index reads and that are beyond the bounds."""
        return tuple(self._marks[index].noted.uncovered)

    def rollback(self, index: int) -> Restoration:
        """Put everything back to the state before the statement of that index; forget the marks from there on.

        Parameters
        ----------
        index : int
            As `before` returned it.

        Returns
        -------
        Restoration
            Whether all is as it was, else what is not.
        """
        self.finished()
        self._add_unseen()
        marks = self._marks[index:]
        with _without_collector():
            opaque = list(self._opaque(marks))
            since = [*self._changed_since(marks), *self._rebound_since(marks[0].bindings)]
            notes = [(label, note) for label, note in _first_notes(marks) if self._may_restore(note)]
            first = sum(self._may_restore(note) for _, note in _first_notes(marks[:1]))
            again = list(self._reached_by_ends(notes, marks))
            restorable = list(put_back(notes, first))
            names = [*self._beyond_bounds(marks), *since]
            effects = [effect.text for mark in marks for effect in mark.effects if not effect.harmless]
            bindings = marks[0].bindings
            del marks[:], notes, self._marks[index:]  # who holds an array to the end may not get its length back
            self._memory.saved.clear()
            names += self._rebound_since(bindings)
            self._remove_others(bindings)
            names += put_back_detached(bindings, self._namespace)
            self._bind(bindings)
            self._left = None
            restorable += put_back(again, len(again))  # what came to an end by now may have changed it: `__del__`
            del again
            names = still_there(restorable, bindings) + names
            trouble = still_there(opaque, bindings) + effects
        return Restoration(tuple(dict.fromkeys(names)), tuple(dict.fromkeys(trouble)))

    def clear(self) -> None:
        """Let go of every object; the next `before` begins a new cell."""
        self.finished()
        self._marks.clear()
        self._left = None
        self._memory = CellMemory(Budget(self._bounds))

    # -------------------------------------------------------------------------------------- the way back

    def _note(self, code: CodeType) -> None:
        with _without_collector():
            self._memory.budget.start()
            walk = Walk(self._namespace, self._ignored, self._memory, self._results)
            noted, around = walk.statement(code), ambient(self._namespace)
            self._marks.append(Mark(dict(self._namespace), noted, around, running=Running.now(), code=code))
            if RESIZE in walk.attributes:
                arrays, others = about_to_resize(walk.met, self._namespace)
                let_go(self._marks, arrays, others)
                self._memory.saved.clear()
            self._memory.budget.stop()

    def _watch(self) -> None:
        sink = self._marks[-1].effects.append
        if self._stop_watching is None:
            self._stop_watching = watch(sink, self._own_folders)
        else:
            self._stop_watching.to(sink)

    def _see_what_runs(self) -> None:
        last = self._marks[-1] if self._marks and self._stop_watching is not None else None
        if last is not None and last.running is not None:
            last.effects += [effect for effect in last.running.effects_since() if effect not in last.effects]

    def _add_unseen(self) -> None:
        """What no event tells of is asked once, and late: a cell that succeeds never pays for it."""
        marks = [mark for mark in self._marks if mark.code is not None]
        unseen = Unseen(self._namespace) if marks else None
        for mark in marks:
            if unseen is not None and mark.code is not None:
                mark.effects += [effect for effect in unseen.of(mark.code) if effect not in mark.effects]
            mark.code = None

    def _opaque(self, marks: list[Mark]) -> Iterator[Outcome]:
        for label, note in _first_notes(marks):
            if note[0].restore is None and not _surely_same(note):
                yield Outcome(label, type_name(type(note[1])), note[1])

    def _reached_by_ends(self, notes: list[tuple[str, Note]], marks: list[Mark]) -> Iterator[tuple[str, Note]]:
        """What `__del__` and finalizers of objects that come to an end in a rollback may change: counters, registries.

        Of what was noted later than the state that is gone back to, only classes.
        """
        begun = next((place for place, mark in enumerate(marks) if mark.ambient), 0)  # names at most were bound before
        known = sum(self._may_restore(note) for _, note in _first_notes(marks[: begun + 1]))
        for place, (label, (kind, o, saved)) in enumerate(notes):
            if of_references(kind) and (place < known or inherits(type(o), type)):
                yield label, (kind, o, saved)

    def _may_restore(self, note: Note) -> bool:
        return note[0].restore is not None and not (self._left is not None and self._left.changed_since(note[1]))

    def _changed_since(self, marks: list[Mark]) -> Iterator[str]:
        """What was noted and has changed since the cell ended."""
        for label, note in _first_notes(marks):
            if note[0].restore is not None and not self._may_restore(note):
                yield f"{label} ({SINCE})"

    def _rebound_since(self, bindings: dict[str, Any]) -> list[str]:
        """The names that somebody has bound or deleted since the cell ended."""
        left, now = self._left, self._namespace
        names = {*bindings, *now} if left is not None else set()
        rebound = [name for name in names if left is not None and left.rebound_since(name, now)]
        return [f"{name} ({SINCE})" for name in sorted(rebound, key=str) if name not in self._ignored]

    def _beyond_bounds(self, marks: list[Mark]) -> Iterator[str]:
        covered: set[str] = set()
        for mark in marks:
            for name, reason in mark.noted.uncovered.items():
                # A name that was covered before is put back from there; a name that came later is removed.
                if name not in covered and (name in marks[0].bindings or not name.isidentifier()):
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


def _first_notes(marks: list[Mark]) -> Iterator[tuple[str, Note]]:
    """The earliest note of each object: what it was before the first of the statements that could reach it."""
    seen: set[tuple[int, int]] = set()
    for mark in marks:
        every = [(mark.noted.label(place), note) for place, note in enumerate(mark.noted.notes)]
        for label, note in mark.ambient + every:
            key = (id(note[1]), id(note[0]))
            if key not in seen:
                seen.add(key)
                yield label, note


def _lost(kind: Kind, o: Any, saved: Any) -> bool:
    """Whether an object of a kind that can be put back can't be."""
    return kind.restore is not None and kind.hopeless(o, saved) and not _surely_same((kind, o, saved))


def _surely_same(note: Note) -> bool:
    try:
        kind, o, saved = note
        return kind.same(o, saved)
    except Exception:  # noqa: BLE001 - an object of an extension module; whatever it raises, nobody is sure
        return False


@contextmanager
def _without_collector() -> Iterator[None]:
    """No collection while thousands of small copies are made: it would find nothing, and take longer than they do."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
