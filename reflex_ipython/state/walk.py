"""The walk from the names that a statement reads to all that can be changed through them, noting their contents."""

from __future__ import annotations

import builtins
import sys
import time
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from types import CodeType
from typing import Any

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.state.bounds import OverBound
from reflex_ipython.state.bytecode_names import SHELL, SHELL_EVERYTHING, Reads
from reflex_ipython.state.kinds import callbacks, registries
from reflex_ipython.state.kinds.arrays import UNLOCKING
from reflex_ipython.state.kinds.call_frames import ASKING
from reflex_ipython.state.kinds.figures import drawn_upon
from reflex_ipython.state.kinds.frames import BYPASSING
from reflex_ipython.state.kinds.functions import ANNOTATED, GLOBALS
from reflex_ipython.state.kinds.held_by_live import CALLED_BY_SQLITE
from reflex_ipython.state.kinds.kind import NOTHING, Kind
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.kinds.loggers import logged_to
from reflex_ipython.state.kinds.modules import OWN_MODULE
from reflex_ipython.state.kinds.standing import standing
from reflex_ipython.state.kinds.subclasses import SUBCLASSES
from reflex_ipython.state.kinds.tensors import BACKWARD
from reflex_ipython.state.libraries import CodeWords, Libraries, imported, module_of
from reflex_ipython.state.names_by_text import GETTING, LOOKING_UP, attributes_of, by_text, texts_of
from reflex_ipython.state.own_extensions import LOADING, may_use_names
from reflex_ipython.state.shell_reached import ShellReached
from reflex_ipython.state.shells import current_shell
from reflex_ipython.state.snapshots import REMOVED, Snapshots
from reflex_ipython.state.user_code import contents, owned_namespace
from reflex_ipython.state.walk_memory import WalkMemory
from reflex_ipython.state.weak import found, weakly

_TRIGGERS = UNLOCKING | BYPASSING | ASKING | CALLED_BY_SQLITE | {ANNOTATED, BACKWARD, SUBCLASSES}
"""Attributes that change what is to be noted of objects that were visited before the attribute was met."""
_BY_TEXT = LOOKING_UP | LOADING
"""Words of code that may give a text to what looks up the names in it."""
_CHECK_EVERY = 64
"""Objects between two looks at the bounds."""
_FEW = 8
"""Children that are looked at one by one rather than asked all at once whether they can change."""
_MANY = 10_000
"""Children that take a time that counts."""
_PER_CHILD = 30e-9
"""Seconds that one of many takes at least: it is copied, and asked for its type."""
_SIZED = (list, dict, set, tuple, frozenset)


class Walk:
    """One walk, before one statement. See `kinds.kind.Walk` for what it offers to kinds.

    Parameters
    ----------
    namespace : dict
        Where the statement will run.
    ignored : container of str
        Names that are never looked at.
    memory : WalkMemory
    results : callable
        Given one of those names, what code that reads it gets at all the same, by labels.

    Attributes
    ----------
    imports_new : bool
        Whether the code may import what is not there yet.
    inside : list of (str, object)
        What holds state in modules of libraries, as far as the code may get at it by an attribute.
    """

    def __init__(
        self,
        namespace: dict[str, Any],
        ignored: Container[str],
        memory: WalkMemory,
        results: Callable[[str], dict[str, Any]] = lambda name: {},
    ) -> None:
        self.snapshots = Snapshots()
        self._words = CodeWords()
        self.attributes = self._words.attributes
        self._namespace = namespace
        self._ignored = ignored
        self._memory = memory
        self._results = results
        self._budget = memory.budget
        self.bound: set[str] = set()
        self.any_bound = False
        self.at_hand: Sequence[str] = ()
        self.imports_new = False
        self.inside: list[tuple[str, object]] = []
        self._begin()

    def _begin(self) -> None:
        self.snapshots = Snapshots()
        self._seen: dict[int, None] = {identity(self._namespace): None}
        self._kept: list[object] = []
        self._stack: list[object] = []
        self._queue: dict[str, object] = {}
        self._done: set[str] = set()
        self._has_main = False
        self._elsewhere_everything = False
        self._code: dict[tuple[int, Any], CodeType | None] = {}
        self.met: list[Reads] = []
        self._libraries = Libraries(self._words)
        self._shell = ShellReached(self._words, self.met, self._seen)

    def statement(self, code: CodeType) -> Snapshots:
        """Take snapshots of what the statement can reach."""
        while True:
            self._begin()
            self.run(code, self._namespace)
            triggers = self.attributes & _TRIGGERS
            self._all_queued()
            self._looked_up_by_text()
            self._bound_otherwise()
            if (registries_of_shell := self._shell.registries()) is not None:
                self._libraries.add(registries_of_shell)
            self._queue.update(callbacks.called(self.libraries(), self._words.names | self.attributes))
            self._all_queued()
            inside = [(label, o) for label, o in self._libraries.objects() if not self._is_live(o)]
            self.inside = inside
            self._queue.update(pair for pair in inside if pair[0] not in self._queue)
            self._all_queued()
            self.at_hand = self._libraries.names()
            stands = standing(self._words.names | self.attributes)
            for label, o in (*drawn_upon(self.at_hand, self.attributes), *logged_to(self.at_hand), *stands):
                self._cover(label, o)
            self._all_queued()
            if self.attributes & _TRIGGERS == triggers:
                break  # else code was met on the way that can do more to what was visited before it
        self._note_libraries()
        self._pass_over_shell()
        self._queue.clear()
        self._kept.clear()  # who looks next at what a name is bound to asks who else holds that
        return self.snapshots

    def _looked_up_by_text(self) -> None:
        """Libraries may be given texts that name what the code does not, and the shell extensions of the user's."""
        if _BY_TEXT.isdisjoint(self._words.names) and _BY_TEXT.isdisjoint(self._words.attributes):
            return
        words = self._words.names | self._words.attributes
        said = partial(texts_of, self._code.values(), self._namespace)
        found, loads_extension = by_text(words, self.libraries, said, self._namespace), may_use_names(words, said)
        self._enqueue(self._namespace if loads_extension else found.names)
        self._queue.update((f"module {name}", sys.modules[name]) for name in found.modules)
        self.any_bound |= loads_extension
        self.bound |= found.run
        for used in (self._words.names, self._words.attributes, self._words.stored):
            used |= found.run
        self._all_queued()

    def _bound_otherwise(self) -> None:
        """Names may be bound as attributes of the module that has them, and by the shell."""
        if self._has_main:
            self.bound |= self._words.stored
            self.any_bound |= self._words.computed
        by_shell = self._shell.binds_all_names
        if not self.any_bound and by_shell(elsewhere=self._elsewhere_everything, modules=self.libraries):
            self.any_bound = True
            self._enqueue(self._namespace)

    def _pass_over_shell(self) -> None:
        """The shell itself need not be named where what the code may set there is noted."""
        shell, entries = current_shell(), self.snapshots.entries
        if shell is None:
            return
        noted, is_met = self._shell.is_noted(), identity(shell) in self._seen
        if noted and is_met:
            for place in [place for place, (_, o, _) in enumerate(entries) if o is shell]:
                entries[place] = REMOVED
        elif not noted and not is_met:
            self._cover(f"{SHELL}()", shell)

    def from_these(self, objects: dict[str, object], *, libraries: bool = False) -> Snapshots:
        """Take snapshots of what can be changed through these objects, each by what it hangs on.

        `libraries`: of what their code can get at in libraries as well.
        """
        self._begin()
        self._queue.update(objects)
        self._all_queued()
        if libraries:
            self.at_hand = self._libraries.names()
            self._note_libraries()
        return self.snapshots

    def libraries(self) -> set[str]:
        """The modules of libraries that the code can get at, by their full names."""
        return registries.used(self._libraries.modules())

    def words(self) -> set[str]:
        """The names and attributes that the code uses, without the names of those modules."""
        return self._words.names - self.libraries() | self._words.attributes

    # -------------------------------------------------------------------------------------- names

    def run(self, code: CodeType, namespace: dict[str, Any]) -> None:
        """That code may run: look at what it reads of its namespace."""
        key = (id(code), id(namespace))
        if key in self._code:
            return
        here = namespace is self._namespace
        if not here and not owned_namespace(namespace):  # a library's own business
            self._libraries.called(code.co_name, namespace)
            return
        self._code[key] = code
        found = self._memory.reads(code)
        self.met.append(found)
        self._words.add(found)
        if not (GETTING.isdisjoint(found.names) and GETTING.isdisjoint(found.attributes)):
            self.attributes |= attributes_of(code, namespace)
        for path, module in imported(found, namespace):
            self._queue.setdefault(f"module {path}", module)
        if found.imported and not all(map(_is_there, found.imported)):  # nobody has read what it will do
            self._libraries.add(builtins)
            self.imports_new = True
        if here:
            self.bound |= found.bound
            self.any_bound |= found.any_bound
            self._enqueue(namespace if found.everything else found.names)
            for name in found.names:
                if name in self._ignored:
                    self._queue.update(self._results(name))
        else:
            self._elsewhere_everything |= found.everything or not SHELL_EVERYTHING.isdisjoint(found.attributes)
            self._run_elsewhere(found, namespace)

    def _run_elsewhere(self, found: Reads, namespace: dict[str, Any]) -> None:
        module = module_of(namespace)
        if module is not None:
            self._stack.append(module)
            return
        if (id(namespace), ()) not in self._code:
            self._code[(id(namespace), ())] = None
            self.snapshot(GLOBALS, namespace)
        names = list(namespace) if found.everything else found.names
        self._stack += [dict.get(namespace, name) for name in names if name != "__builtins__"]

    def _enqueue(self, names: Iterable[str]) -> None:
        for name in list(names):
            if name in self._namespace and name not in self._ignored:
                self._queue.setdefault(name, self._namespace[name])

    def _all_queued(self) -> None:
        done = self._done
        while waiting := {label: o for label, o in self._queue.items() if label not in done}:
            # The small ones first. What the statement itself binds comes last: what hangs on that and on another name
            # belongs to the other one, which is there without the statement.
            for label, o in sorted(waiting.items(), key=lambda item: (item[0] in self.bound, _bulk(item[1]))):
                done.add(label)
                self._cover(label, o)

    # -------------------------------------------------------------------------------------- objects

    def _cover(self, label: str, root: object) -> None:
        """Take snapshots of all that hangs on one name, or nothing of it."""
        if identity(type(root)) in self._memory.atoms:
            return
        place, seen, kept, code = len(self.snapshots.entries), len(self._seen), len(self._kept), len(self._code)
        held = self._budget.held
        try:
            reason = self._memory.refused.get(id(root))
            if reason is None:
                self._budget.check()
                self._stack.append(root)
                self._visit_all()
                self.snapshots.labels.append((place, label))
                self.snapshots.covered.add(label)
                self._budget.is_for(label, self._budget.held - held)
                return
        except OverBound as over:
            reason = str(over)
            self._memory.refused[id(root)] = reason
        except Exception as problem:  # noqa: BLE001 - objects of extension modules may raise whatever they like
            reason = f"{type(problem).__name__} while looking at it"
        self._stack.clear()
        del self.snapshots.entries[place:], self._kept[kept:]
        self._budget.held = held
        while len(self._seen) > seen:
            self._budget.counted.discard(self._seen.popitem()[0])
        while len(self._code) > code:  # another name may lead there, within the bounds
            self._code.popitem()
        self.snapshots.uncovered[label] = reason

    def _visit_all(self) -> None:
        stack, seen, entries, keep = self._stack, self._seen, self.snapshots.entries, self._kept.append
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
            for kind, snapshot in known.get(cls) or self._memory.learn(type(o)):
                saved = snapshot(o, self)
                if saved is NOTHING:
                    keep(o)
                else:
                    entries.append((kind, o, saved))
        self._budget.check()

    def follow(self, children: Collection[object]) -> bool:
        """Look at these objects as well; False if none of them can change."""
        if len(children) > _FEW and self._memory.atoms.issuperset(map(identity, map(type, children))):
            return False
        self._stack.extend(children)
        return True

    def elsewhere(self, o: object) -> None:
        """What is in this object is noted already: do not look at it."""
        self._seen.setdefault(identity(o))

    def expect(self, children: Iterator[object], count: int) -> None:
        """Raise `OverBound` at once if so many children can't be looked at."""
        left, most = self._budget.nodes_left, self._budget.bounds.nodes
        if count > _MANY:
            self._budget.check(count * _PER_CHILD)
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
        """What kinds remember from statement to statement, by id of an object that their snapshots keep alive."""
        return self._memory.remembered

    def snapshot(self, kind: Kind, o: object) -> None:
        """Take a snapshot of the object as that kind."""
        self.snapshots.entries.append((kind, o, kind.snapshot(o, self)))

    # -------------------------------------------------------------------------------------- modules

    def module(self, module: Any) -> None:
        """The code can get at this module."""
        here = contents(module)
        if here is self._namespace:
            self._has_main = True
            self._enqueue(here)
        elif owned_namespace(here):
            self.snapshot(OWN_MODULE, module)
        else:
            self._libraries.add(module)

    def library_class(self, cls: type) -> None:
        """The code can get at this class of a library."""
        self._libraries.add(cls)

    def _note_libraries(self) -> None:
        for label, kind, o in (*self._libraries.notable(), *self._shell.records()):
            place = len(self.snapshots.entries)
            try:
                self.snapshot(kind, o)
                self.snapshots.labels.append((place, label))
            except Exception as problem:  # noqa: BLE001 - another version of the library may have it elsewhere
                self.snapshots.uncovered[label] = f"{type(problem).__name__} while looking at it"

    def _is_live(self, o: object) -> bool:
        """Whether it is nothing that holds state, or something that can't be put back anyway."""
        cls = identity(type(o))
        if cls in self._memory.atoms:
            return True
        kinds = self._memory.kinds.get(cls) or self._memory.learn(type(o))
        return any(kind.coverage == "named" for kind, _ in kinds)


def _is_there(module: str) -> bool:
    """Whether an import runs no code of the user's: all of a library is there, or it sets up nothing but itself."""
    here = contents(sys.modules.get(module))
    return bool(here) and not ("__path__" in here and owned_namespace(here))


def _bulk(o: object) -> int:
    """How many things hang on an object, as far as that is known at a glance."""
    return len(o) if is_exactly(o, _SIZED) else 0  # type: ignore[arg-type]  # just checked
