"""The undo journal: before each top-level statement, what it may change; afterwards, the way back.

    journal = Journal(namespace)
    for node, code in statements:      # of one cell
        journal.before(code, node)
        exec(code, namespace)          # ... raises in the statement with the index k
        journal.after()
    journal.rollback(k)                # the state before that statement, in place; says what is not as it was
    journal.clear()                    # lets go of everything

Most statements are seen through (`analysis`): they bind names and read, or write to objects that are known. Of the
others all that they can reach is noted (`walk`), as far as there is credit for it. Nothing of the user's runs
meanwhile: no `__eq__`, `__len__`, `__iter__`, property or `__reduce__` of a class of theirs. What is not within the
bounds, and what can't be put back, is named in the `Restoration`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container
from types import CodeType
from typing import Any

from reflex_ipython.state.aftermath import Aftermath
from reflex_ipython.state.analysis.foreseen import Functions, foresee
from reflex_ipython.state.analysis.quick import quick
from reflex_ipython.state.analysis.quick_values import ATOMS
from reflex_ipython.state.analysis.shapes import Shape, Shapes
from reflex_ipython.state.bindings import all_bindings, bindings
from reflex_ipython.state.bounds import NO_CREDIT, Bounds, Budget
from reflex_ipython.state.brief import Brief, Rebinding, brief, growing, may_be_kept, name_objects, putting, unfold
from reflex_ipython.state.bytecode_names import RESIZE, is_inert
from reflex_ipython.state.checkpoint import MISSING, Checkpoint
from reflex_ipython.state.collector import without_collector
from reflex_ipython.state.credit import Credit, Unlimited
from reflex_ipython.state.effects import EffectWatch, Folders, OutsideEffect, watch
from reflex_ipython.state.global_state import Shallow, global_state
from reflex_ipython.state.held import Holdings, Ledger
from reflex_ipython.state.imported_files import note_import
from reflex_ipython.state.introspection import LOOKING, REASON_TO_FORGET, REASON_TO_LOOK, forgets, may_use
from reflex_ipython.state.kinds import operations, random_state
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.resizing import REASON, about_to_resize, let_go, resizable
from reflex_ipython.state.restoration import Restoration
from reflex_ipython.state.running import Running
from reflex_ipython.state.running import settle as threads_end
from reflex_ipython.state.settling import forget_ambient, hold_only_what_lives, settle
from reflex_ipython.state.snapshots import REMOVED, Known, Snapshots, all_loosened, any_end_noted, unheld
from reflex_ipython.state.unshared import unshared
from reflex_ipython.state.walk import Walk
from reflex_ipython.state.walk_memory import WalkMemory
from reflex_ipython.state.weak import GONE, Weak

_NOWHERE = Shallow()
_LEAST = 0.0005
"""Seconds of credit below which a full checkpoint is not begun."""
_NOTICING = LOOKING | {RESIZE}
"""What code calls that notices who holds an object."""
_MORE_MODULES = OutsideEffect("other", "imported more modules than there was time to look at")
_HIDDEN = {"__annotations__", "__warningregistry__"}
"""Names that `x: int` and a warning bind."""


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
    credit : Credit or None
        How much time it may take; None: all that the bounds allow.
    functions : Functions
        Where the source of the user's functions is found.
    shapes : Shapes
        Those of the short statements that were met.
    ledger : Ledger or None
        What the journals of other cells hold that are kept beside this one; None: there are none.
    """

    def __init__(
        self,
        namespace: dict[str, Any],
        bounds: Bounds | None = None,
        ignored: Container[str] = frozenset(),
        results: Callable[[str], dict[str, Any]] = lambda name: {},
        own_folders: Folders = tuple,
        credit: Credit | None = None,
        functions: Functions | None = None,
        shapes: Shapes | None = None,
        ledger: Ledger | None = None,
    ) -> None:
        self._own_folders = own_folders
        self._namespace = namespace
        self._bounds = bounds or Bounds()
        self._ignored = ignored
        self._results = results
        self._credit = credit or Unlimited()
        self._functions = functions or Functions()
        self._shapes = shapes or Shapes()
        self._all: list[Checkpoint | Brief | Rebinding] = []
        """In the order in which the statements began."""
        self._users: set[str] = set()
        """Names that are surely not the shell's."""
        self._used: WalkMemory | None = None
        """The memory of this cell, from the first statement on that is looked at."""
        self._for_imports = 0.0
        """Seconds of the processor that went into looking at modules that the cell imports."""
        self._holdings = Holdings(namespace, ledger)
        self._watching: EffectWatch | None = None
        self.aftermath = Aftermath(self._all, namespace, ignored)
        self._began: float | None = None
        """When the statement that runs has begun."""
        self.is_short = False
        """Whether a short statement runs: nothing is to be done at its end, and nothing of the user's runs then, for it
        shows nothing.
        """

    def __len__(self) -> int:
        """How many statements have started."""
        return len(self._all)

    def before(self, code: CodeType, node: ast.stmt | None = None) -> int:
        """A statement is about to run; call it on the thread that runs it.

        Parameters
        ----------
        code : code object
            The statement, compiled.
        node : ast.stmt or None
            Its tree. None: nothing is foreseen.

        Returns
        -------
        int
            Its index, for `rollback`.
        """
        if self.aftermath.end_state is not None:
            self.aftermath.goes_on()
        if self._watching is not None and node is not None and not self.is_short:  # else it was asked already
            self._is_over()
            self.is_short = True
            if self.next(code, node):
                return len(self._all) - 1
        short = None if node is None else self._brief(node)
        if short is None:
            self._is_over()
            counts = self._credit.left > 0  # else next to nothing is done, and to ask for the time takes a part of that
            start = self._credit.work() if counts else 0.0
            checkpoint = self._checkpoint(code, node)
            checkpoint.node = node
            self._all.append(checkpoint)
            self._watch()
            if counts:
                self._credit.spend(self._credit.work() - start)
            self._began = self._credit.clock()
        else:
            if self._began is not None:
                self._is_over()
            self._all.append(short)
            self._watch()
        self.is_short = short is not None and (type(node) is not ast.Expr or short[3] is not None)
        return len(self._all) - 1

    def next(self, code: CodeType, node: ast.stmt) -> bool:
        """The same of one more short statement behind a short one, in less time, if there is nothing else to be done.

        Parameters
        ----------
        code : code object
        node : ast.stmt

        Returns
        -------
        bool
            Whether it is noted; if not, the last statement is to be ended (`after`), and this one is for `before`.
        """
        shape = self._shapes.known.get(code.co_code)
        if shape is None:
            self._shapes.meet(code, node)
            return False
        if not self.is_short:
            return False
        names, get = code.co_names, self._namespace.get
        for place in shape.atoms:
            cls = type(get(names[place], MISSING))
            if cls is not int and cls is not str and cls is not float and identity(cls) not in ATOMS:
                return False
        for fits, place, wanted in shape.more:
            if not fits(names, place, wanted, self._namespace):
                return False
        if shape.binds >= 0:
            name = names[shape.binds]
            old = get(name, MISSING)
            if type(old) is not int and old is not MISSING and not may_be_kept(old):
                return False
            self._all.append((node, name, old))
            return True
        short = self._without_binding(shape, code, node)
        if short is None:
            return False
        self._all.append(short)
        self.is_short = not shape.shows
        return True

    def after(self) -> None:
        """The statement is over, without an error: what it ended is ended, what it did not change needs no snapshot."""
        checkpoint = self._all[-1]
        if type(checkpoint) is not Checkpoint:  # it holds nothing that could end
            return
        self._is_over()
        if not checkpoint.skipped and (checkpoint.bindings or checkpoint.snapshots.entries or checkpoint.any_bound):
            start = self._credit.work()
            settle(checkpoint, self._namespace, self._holdings)
            self._credit.spend(self._credit.work() - start)

    @property
    def held(self) -> int:
        """Bytes held for this cell, in copies and in objects that have ended."""
        return self._holdings.kept + (self._used.budget.held if self._used is not None else 0)

    @property
    def large(self) -> list[str]:
        """The names for which much is held, the one for which most is first."""
        return [name for name, _ in self._used.budget.large.most_common() if name] if self._used is not None else []

    @property
    def copying(self) -> float:
        """Seconds that copying the data of arrays took in this cell."""
        return self._used.budget.copying if self._used is not None else 0.0

    def finished(self) -> None:
        """The cell has ended, well or not: effects are no longer watched."""
        self._is_over()
        self.is_short = False
        if self._watching is not None:  # else that was said already
            self._credit.end()
            whole = [checkpoint for checkpoint in self._all if type(checkpoint) is Checkpoint]
            threads_end(
                effect for checkpoint in whole if checkpoint.running is not None for effect in checkpoint.effects
            )
            self._watching()
            self._watching = None

    def note_end(self) -> None:
        """The cell is over: what threads, callbacks and others change from now on is theirs, and is not put back."""
        self.finished()
        self.aftermath.note_end()

    def let_go(self) -> None:
        """Let go of what only this journal holds, unless nobody sees that it lives; between two cells."""
        if self._holdings.are_any:
            start = self._credit.work()
            self._holdings.release()
            self._credit.spend(self._credit.work() - start)

    def retire(self) -> None:
        """Another cell begins, and this one may be taken back behind it: nothing is held whose end anybody could see.

        From here on, what threads and callbacks have changed since the cell ended is not told from what others did.
        """
        self.finished()
        start = self._credit.work()
        if self.aftermath.raised:
            settle(self._last(), self._namespace, self._holdings)  # nobody has, as it has not come to its end
        self.aftermath.goes_on()
        if name_objects(self._all):
            briefs = [place for place, checkpoint in enumerate(self._all) if type(checkpoint) is not Checkpoint]
            checkpoints = unfold(self._all, self._namespace)
            for place in briefs:
                if checkpoints[place].snapshots.entries:
                    hold_only_what_lives(checkpoints[place], self._holdings)
        self._forget_saved()
        self._holdings.is_older = True
        if self._holdings.are_any:
            self._holdings.release()
        self._credit.spend(self._credit.work() - start)

    def rollback(self, index: int, end: Callable[[], None] = lambda: None) -> Restoration:
        """Put everything back to the state before the statement of that index; forget the checkpoints from there on.

        Parameters
        ----------
        index : int
            As `before` returned it.
        end : callable
            Ends what else would end only later, in the midst of what runs then: what a traceback holds.

        Returns
        -------
        Restoration
            Whether all is as it was, else what is not.
        """
        self.finished()
        return self.aftermath.rollback(index, self._let_go, end, self._own_folders)

    def clear(self) -> None:
        """Let go of every object; the next `before` begins a new cell."""
        self.finished()
        self._all.clear()
        self._users.clear()
        self.aftermath.clear()
        self._holdings.clear()
        self._used = None
        self._for_imports = 0.0

    # -------------------------------------------------------------------------------------- noting

    @property
    def _memory(self) -> WalkMemory:
        if self._used is None:
            self._used = WalkMemory(Budget(self._bounds))
        return self._used

    def _checkpoint(self, code: CodeType, node: ast.stmt | None) -> Checkpoint:
        left = self._credit.left
        checkpoint = self._foreseen(code, node) if left > 0 else None
        if checkpoint is not None:
            return checkpoint
        notices = may_use(code, self._namespace, _NOTICING)
        if notices and may_use(code, self._namespace, LOOKING):
            self._let_go_of_all()
            return Checkpoint.skip(code, self._namespace, REASON_TO_LOOK)
        if forgets(code):
            return Checkpoint.skip(code, self._namespace, REASON_TO_FORGET)
        if left > _LEAST:
            return self._full(code, node)
        if notices:
            self._let_go_of_arrays()
        return Checkpoint.skip(code, self._namespace, NO_CREDIT)

    def _is_over(self) -> None:
        """The statement that ran, if there is one, runs no more."""
        if self._began is not None:
            self._credit.earn(self._credit.clock() - self._began)
            self._began = None
            self._see_what_runs()

    def _watch(self) -> None:
        """Watch what the statement does that begins now."""
        if self._watching is None:
            self._watching = watch(self._tell, self._own_folders, self._all.__len__)

    def _tell(self, effect: OutsideEffect) -> None:
        """The statement that runs did this."""
        last = self._last()
        if effect not in last.effects:
            last.effects.append(effect)
        if effect.loaded:
            last.effects += self._noted(last, effect.loaded)

    def _noted(self, checkpoint: Checkpoint, file: str) -> list[OutsideEffect]:
        """Note what a module may change that is about to run; gives what it may do that can't be undone."""
        if self._for_imports * 1e3 > self._bounds.milliseconds:
            return [_MORE_MODULES]
        start = self._credit.work()
        try:
            with without_collector():
                return note_import(checkpoint, file, self._namespace)
        except Exception as problem:  # noqa: BLE001 - whatever surprises us here must not reach the cell
            return [OutsideEffect("other", f"imported {file} ({type(problem).__name__} while looking at it)")]
        finally:
            self._for_imports += self._credit.work() - start

    def _last(self) -> Checkpoint:
        """The full checkpoint of the statement that runs."""
        checkpoint = self._all[-1]
        if type(checkpoint) is not Checkpoint:
            last = [checkpoint]
            (checkpoint,) = self._all[-1:] = unfold(last, self._namespace)
        return checkpoint

    def _brief(self, node: ast.stmt) -> Brief | None:
        """The checkpoint of a short statement; None if it takes a full one."""
        try:
            known = quick(node, self._namespace)
        except Exception:  # noqa: BLE001 - whatever surprises us here must not reach the cell
            return None
        short = None if known is None else brief(node, *known, self._namespace)
        if short is None or short[3] is None:
            return short
        holder = short[3][0]
        if holder not in self._users:
            if self._is_shells(holder):
                return None
            self._users.add(holder)
        return short

    def _without_binding(self, shape: Shape, code: CodeType, node: ast.stmt) -> Brief | None:
        """The checkpoint of a statement of that shape, which binds no name; None if it takes another look."""
        changes = max(shape.grows, shape.puts)
        if changes < 0:
            return node, (), (), None
        holder = code.co_names[changes]
        if holder not in self._users:
            return None
        if shape.puts >= 0:
            if type(node) is not ast.Assign:  # `o[key]: t = x` may be the same code
                return None
            return putting(node, holder, shape.key(code, node, self._namespace), self._namespace)
        return growing(node, holder, self._namespace[holder])

    def _foreseen(self, code: CodeType, node: ast.stmt | None) -> Checkpoint | None:
        """The checkpoint of a statement that is known to change these objects at most; None if it may change others."""
        known = foresee(node, self._namespace, self._functions) if node is not None else None
        if known is None:
            return None
        if known.entries:
            if may_use(code, self._namespace, LOOKING):  # it would find us
                return None
            shells = [self._namespace.get(name) for name in code.co_names if self._is_shells(name)]
            known.entries = [snapshot for snapshot in known.entries if not any(snapshot[1] is o for o in shells)]
            size = sum(map(operations.size, known.entries))
            if not self._memory.budget.takes(size):
                return None
            if size:
                changed = known.entries[0][1]
                names = (name for name in code.co_names if self._namespace.get(name) is changed)
                self._memory.budget.is_for(next(names, ""), size)
        checkpoint = Checkpoint(
            bindings(self._namespace, known.binds, node), Known(known.entries, code.co_names, self._namespace)
        )
        if known.draws:
            checkpoint.global_state = [
                (label, (kind, o, kind.snapshot(o, _NOWHERE))) for label, kind, o in random_state.shared()
            ]
        return checkpoint

    def _is_shells(self, name: str) -> bool:
        """Whether what the name is bound to is the shell's own: `Out`, but not the result that `_` is."""
        o = self._namespace.get(name)
        return name in self._ignored and not any(result is o for result in self._results(name).values())

    def _full(self, code: CodeType, node: ast.stmt | None) -> Checkpoint:
        """The checkpoint of a statement that may change whatever it can reach."""
        with without_collector():
            budget = self._memory.budget
            budget.start(self._credit.left)
            walk = Walk(self._namespace, self._ignored, self._memory, self._results)
            if is_inert(code):
                resizes = False
                walk.bound.update(code.co_names)
                checkpoint = Checkpoint(bindings(self._namespace, code.co_names, node), Snapshots())
            else:
                snapshots = walk.statement(code)
                resizes = RESIZE in walk.attributes or may_use(code, self._namespace, {RESIZE})
                everything = walk.any_bound or resizes
                if not resizes:  # which looks for the arrays themselves
                    snapshots.entries = all_loosened(snapshots.entries)
                calm = () if resizes or any_end_noted(snapshots.entries) else snapshots.covered
                bound = (
                    all_bindings(self._namespace, resizes)
                    if everything
                    else bindings(self._namespace, walk.bound | _HIDDEN, node, calm)
                )
                around = global_state(self._namespace, walk.at_hand)
                checkpoint = Checkpoint(bound, snapshots, code)
                checkpoint.global_state, checkpoint.running, checkpoint.any_bound = around, Running.now(), everything
            if resizes:
                in_text = RESIZE not in walk.attributes
                let_go([checkpoint], *about_to_resize(walk.met, self._namespace, others=in_text))
                self._let_go_of_arrays()
            self._memory.pass_on()
            entries = checkpoint.snapshots.entries
            checkpoint.snapshots.entries = unheld(all_loosened(entries) if resizes else entries, checkpoint.bindings)
            budget.stop()
        return checkpoint

    def _let_go_of_all(self) -> None:
        """The statement asks the interpreter who holds what: it must not find us."""
        for checkpoint in unfold(self._all, self._namespace):
            for place, snapshot in enumerate(checkpoint.snapshots.entries):
                if snapshot is not REMOVED:
                    checkpoint.snapshots.forget(place, checkpoint.snapshots.label(place), REASON_TO_LOOK)
            for name, held in checkpoint.bindings.items():
                checkpoint.bindings[name] = MISSING if held is MISSING else unshared(held)
            forget_ambient(checkpoint, REASON_TO_LOOK)
            checkpoint.copied = True
        self._let_go()
        self._holdings.release(looks=True)  # nor what older cells hold

    def _let_go_of_arrays(self) -> None:
        """numpy resizes no array that anybody refers to, be it weakly."""
        self._forget_saved()
        for checkpoint in [checkpoint for checkpoint in self._all if type(checkpoint) is Checkpoint]:
            for place, (_, held, _) in enumerate(checkpoint.snapshots.entries):
                if type(held) is Weak and resizable(held.get()):
                    checkpoint.snapshots.forget(place, checkpoint.snapshots.label(place), REASON)
            for name, held in checkpoint.bindings.items():
                if type(held) is Weak and resizable(held.get()):
                    checkpoint.bindings[name] = GONE

    def _let_go(self) -> None:
        self._holdings.clear()
        self._forget_saved()

    def _forget_saved(self) -> None:
        if self._used is not None:
            self._used.saved.clear()

    def _see_what_runs(self) -> None:
        last = self._all[-1]
        if type(last) is Checkpoint and last.running is not None:
            last.effects += [effect for effect in last.running.effects_since() if effect not in last.effects]
