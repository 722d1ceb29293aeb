"""The walk from the names that a statement reads to all that can be changed through them, noting their contents."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Collection, Container, Iterable, Iterator
from itertools import islice
from types import CodeType, ModuleType
from typing import Any

from reflex_ipython.state.bounds import OverBound
from reflex_ipython.state.kinds.arrays import UNLOCKING
from reflex_ipython.state.kinds.figures import drawn_upon
from reflex_ipython.state.kinds.frames import BYPASSING
from reflex_ipython.state.kinds.kind import NOTHING, Kind
from reflex_ipython.state.kinds.layout import identity, inherits, is_exactly
from reflex_ipython.state.kinds.modules import OWN_MODULE, chosen_attributes, name_of
from reflex_ipython.state.kinds.tensors import BACKWARD
from reflex_ipython.state.memory import CellMemory
from reflex_ipython.state.noted import Noted
from reflex_ipython.state.owned import contents, owned_class, owned_module
from reflex_ipython.state.reach import Reads
from reflex_ipython.state.weak import found, weakly

_TRIGGERS = UNLOCKING | BYPASSING | {BACKWARD}
"""Attributes that change what is to be noted of objects that were visited before the attribute was met."""
_CHECK_EVERY = 64
"""Objects between two looks at the bounds."""
_FEW = 8
"""Children that are looked at one by one rather than asked all at once whether they can change."""
_SIZED = (list, dict, set, tuple, frozenset)


class Walk:
    """One walk, before one statement. See `kinds.kind.Walk` for what it offers to kinds.

    Parameters
    ----------
    namespace : dict
        Where the statement will run.
    ignored : container of str
        Names that are never looked at.
    memory : CellMemory
    results : callable
        Given one of those names, what code that reads it gets at all the same, by labels.
    """

    def __init__(
        self,
        namespace: dict[str, Any],
        ignored: Container[str],
        memory: CellMemory,
        results: Callable[[str], dict[str, Any]] = lambda name: {},
    ) -> None:
        self.noted = Noted()
        self.attributes: set[str] = set()
        self._namespace = namespace
        self._ignored = ignored
        self._memory = memory
        self._results = results
        self._budget = memory.budget
        self._stored: set[str] = set()
        self.bound: set[str] = set()
        self.any_bound = False
        self._begin()

    def _begin(self) -> None:
        self.noted = Noted()
        self._seen: dict[int, None] = {identity(self._namespace): None}
        self._kept: list[object] = []
        self._stack: list[object] = []
        self._queue: dict[str, object] = {}
        self._code: set[int] = set()
        self.met: list[Reads] = []
        self._libraries: dict[int, Any] = {}

    def statement(self, code: CodeType) -> Noted:
        """Note what the statement can reach."""
        while True:
            self._begin()
            self.run(code, self._namespace)
            triggers = self.attributes & _TRIGGERS
            self._all_queued()
            for label, figure in drawn_upon(map(name_of, self._libraries.values()), self.attributes):
                self._cover(label, figure)
            if self.attributes & _TRIGGERS == triggers:
                break  # else code was met on the way that can do more to what was visited before it
        self._note_libraries()
        return self.noted

    # -------------------------------------------------------------------------------------- names

    def run(self, code: CodeType, namespace: dict[str, Any]) -> None:
        """That code may run: look at what it reads of its namespace."""
        if id(code) in self._code:
            return
        here = namespace is self._namespace
        module = None if here else self._own_module(namespace)
        if not here and module is None:  # a library's own business
            return
        self._code.add(id(code))
        found = self._memory.reads(code)
        self.met.append(found)
        self.attributes |= found.attributes
        self._stored |= found.stored
        if here:
            self.bound |= found.bound
            self.any_bound |= found.any_bound
            self._enqueue(namespace if found.everything else found.names)
            for name in found.names:
                if name in self._ignored:
                    self._queue.update(self._results(name))
        else:
            self._stack.append(module)

    def _own_module(self, namespace: dict[str, Any]) -> Any:
        """The module of the user's that has this namespace; None if it is a library's."""
        name = namespace.get("__name__")
        if type(name) is not str or name == "__main__" or not owned_module(name):
            return None
        return sys.modules.get(name)

    def _enqueue(self, names: Iterable[str]) -> None:
        for name in list(names):
            if name in self._namespace and name not in self._ignored:
                self._queue.setdefault(name, self._namespace[name])

    def _all_queued(self) -> None:
        done: set[str] = set()
        while waiting := {label: o for label, o in self._queue.items() if label not in done}:
            for label, o in sorted(waiting.items(), key=lambda item: _bulk(item[1])):  # the small ones first
                done.add(label)
                self._cover(label, o)

    # -------------------------------------------------------------------------------------- objects

    def _cover(self, label: str, root: object) -> None:
        """Note all that hangs on one name, or nothing of it."""
        if identity(type(root)) in self._memory.atoms:
            return
        place, seen, kept = len(self.noted.notes), len(self._seen), len(self._kept)
        held = self._budget.held
        try:
            reason = self._memory.refused.get(id(root))
            if reason is None:
                self._budget.check()
                self._stack.append(root)
                self._visit_all()
                self.noted.labels.append((place, label))
                self.noted.covered.add(label)
                return
        except OverBound as over:
            reason = str(over)
            self._memory.refused[id(root)] = reason
        except Exception as problem:  # noqa: BLE001 - objects of extension modules may raise whatever they like
            reason = f"{type(problem).__name__} while looking at it"
        self._stack.clear()
        del self.noted.notes[place:], self._kept[kept:]
        self._budget.held = held
        while len(self._seen) > seen:
            self._budget.counted.discard(self._seen.popitem()[0])
        self.noted.uncovered[label] = reason

    def _visit_all(self) -> None:
        stack, seen, notes, keep = self._stack, self._seen, self.noted.notes, self._kept.append
        known, atoms, counted = self._memory.kinds, self._memory.atoms, self._budget.counted
        while stack:
            o = stack.pop()
            cls = identity(type(o))
            key = identity(o)
            if cls in atoms or key in seen:
                continue
            seen[key] = None
            counted.add(key)
            if not len(seen) % _CHECK_EVERY:
                self._budget.check()
            for kind, note in known.get(cls) or self._memory.learn(type(o)):
                saved = note(o, self)
                if saved is NOTHING:
                    keep(o)
                else:
                    notes.append((kind, o, saved))
        self._budget.check()

    def follow(self, children: Collection[object]) -> bool:
        """Look at these objects as well; False if none of them can change."""
        if len(children) > _FEW and self._memory.atoms.issuperset(map(identity, map(type, children))):
            return False
        self._stack.extend(children)
        return True

    def expect(self, children: Iterator[object], count: int) -> None:
        """Raise `OverBound` at once if so many children can't be looked at."""
        left, most = self._budget.nodes_left, self._budget.bounds.nodes
        if count <= left:
            return
        first = list(islice(children, most + 1))
        new = set(map(identity, first)) - self._budget.counted
        if len(new) > left and self._memory.atoms.isdisjoint(map(identity, map(type, first))):
            raise OverBound(f"more than {most:,} objects")

    def hold(self, size: int) -> None:
        """Take `size` bytes more into copies, or raise `OverBound`."""
        self._budget.hold(size)

    def copying(self, copy: Callable[[], Any], size: int = 0) -> Any:
        """What `copy` gives, which goes over `size` bytes; its time does not count."""
        self._budget.go_over(size)
        start = time.thread_time()
        try:
            return copy()
        finally:
            self._budget.copied(time.thread_time() - start)

    def earlier(self, o: object) -> Any:
        """What an earlier statement of this cell noted of the object; NOTHING if none did."""
        held, saved = self._memory.saved.get(id(o), (None, NOTHING))
        return saved if found(held) is o else NOTHING

    def keep(self, o: object, saved: Any) -> Any:
        """Let later statements of this cell have what is noted now of the object as `earlier`; returns it."""
        self._memory.saved[id(o)] = (weakly(o), saved)
        return saved

    @property
    def remembered(self) -> dict[int, Any]:
        """What kinds remember from statement to statement, by id of an object that their notes keep alive."""
        return self._memory.remembered

    def note(self, kind: Kind, o: object) -> None:
        """Note the object as that kind."""
        self.noted.notes.append((kind, o, kind.note(o, self)))

    # -------------------------------------------------------------------------------------- modules

    def module(self, module: Any) -> None:
        """The code can get at this module."""
        here = contents(module)
        if here is self._namespace:
            self._enqueue(here)
        elif self._own_module(here) is not None:
            self.note(OWN_MODULE, module)
        else:
            self._libraries[id(module)] = module

    def library_class(self, cls: type) -> None:
        """The code can get at this class of a library."""
        self._libraries[id(cls)] = cls

    def _note_libraries(self) -> None:
        if self._stored and self._libraries:
            self._libraries.update(self._inside(self._libraries.values()))
            kind = chosen_attributes(frozenset(self._stored))
            for o in self._libraries.values():
                self.noted.labels.append((len(self.noted.notes), name_of(o)))
                self.note(kind, o)

    def _inside(self, libraries: Iterable[Any]) -> dict[int, Any]:
        """The modules and classes that the code may get at by an attribute of those modules: `pandas.DataFrame`."""
        found: dict[int, Any] = {}
        waiting = [library for library in libraries if type(library) is ModuleType]
        while waiting:
            here = contents(waiting.pop())
            for o in [here[name] for name in self.attributes if name in here]:
                is_module = type(o) is ModuleType and self._own_module(contents(o)) is None
                is_class = inherits(type(o), type) and not owned_class(o)
                if id(o) not in found and id(o) not in self._libraries and (is_module or is_class):
                    found[id(o)] = o
                    waiting += [o] if is_module else []
        return found


def _bulk(o: object) -> int:
    """How many things hang on an object, as far as that is known at a glance."""
    return len(o) if is_exactly(o, _SIZED) else 0  # type: ignore[arg-type]  # just checked
