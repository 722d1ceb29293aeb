"""What is noted of a statement before it runs: as little as does, and as much as it takes.

Most statements are seen through (`analysis`): they bind names and read, or write to objects that are known. Of those
a brief checkpoint is taken, or one of what they are known to change; of all others one of all that they can reach
(`walk`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container
from types import CodeType
from typing import Any

from reflex_ipython.state.analysis.foreseen import Functions, foresee
from reflex_ipython.state.analysis.quick import quick
from reflex_ipython.state.analysis.shapes import Shape
from reflex_ipython.state.bindings import all_bindings, bindings
from reflex_ipython.state.bounds import Bounds, Budget
from reflex_ipython.state.brief import Brief, brief, growing, putting
from reflex_ipython.state.bytecode_names import RESIZE, is_inert
from reflex_ipython.state.came_in import Importing
from reflex_ipython.state.checkpoint import Checkpoint
from reflex_ipython.state.collector import without_collector
from reflex_ipython.state.global_state import Shallow, global_state
from reflex_ipython.state.introspection import LOOKING, may_use
from reflex_ipython.state.kinds import operations, random_state
from reflex_ipython.state.resizing import about_to_resize, let_go
from reflex_ipython.state.running import Running
from reflex_ipython.state.snapshots import Known, Snapshots, all_loosened, any_end_noted, unheld
from reflex_ipython.state.walk import Walk
from reflex_ipython.state.walk_memory import WalkMemory

_NOWHERE = Shallow()
_IMPORTS = (ast.Import, ast.ImportFrom)
_HIDDEN = {"__annotations__", "__warningregistry__"}
"""Names that `x: int` and a warning bind."""


class Noting:
    """What it takes to note one statement of a cell after the other.

    Parameters
    ----------
    namespace : dict
        Where they run.
    bounds : Bounds
    ignored : container of str
        Names that are not looked at.
    results : callable
        Given an ignored name that code reads, gives the objects of the user's that it gets at by it, by their labels.
    functions : Functions
        Where the source of the user's functions is found.

    Attributes
    ----------
    budget : Budget
        What is left of the bounds in this cell.
    """

    def __init__(
        self,
        namespace: dict[str, Any],
        bounds: Bounds,
        ignored: Container[str],
        results: Callable[[str], dict[str, Any]],
        functions: Functions,
    ) -> None:
        self._namespace = namespace
        self._ignored = ignored
        self._results = results
        self._functions = functions
        self._users: set[str] = set()
        """Names of what short statements have changed, by now or in earlier cells, which are none of the shell's."""
        self.budget = Budget(bounds)
        self._used: WalkMemory | None = None
        """The memory of this cell, from the first statement on that is looked at."""

    def brief(self, node: ast.stmt) -> Brief | None:
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
            if holder not in self._ignored:  # else that is so for the result that `_` is now
                self._users.add(holder)
        return short

    def without_binding(self, shape: Shape, code: CodeType, node: ast.stmt) -> Brief | None:
        """The checkpoint of a statement of that shape, which binds no name; None if it takes another look."""
        names = code.co_names
        if shape.grows >= 0:
            holder = names[shape.grows]
            o = self._namespace.get(holder)
            if type(o) is not list or names[shape.method] != "append" or holder not in self._users:
                return None
            return growing(node, holder, o)
        if shape.puts < 0:
            return node, (), (), None
        holder = names[shape.puts]
        if holder not in self._users or type(node) is not ast.Assign:  # `o[key]: t = x` may be the same code
            return None
        return putting(node, holder, shape.key(code, node, self._namespace), self._namespace)

    def foreseen(self, code: CodeType, node: ast.stmt) -> Checkpoint | None:
        """The checkpoint of a statement that is known to change these objects at most; None if it may change others."""
        known = foresee(node, self._namespace, self._functions)
        if known is None:
            return None
        if known.entries:
            if may_use(code, self._namespace, LOOKING):  # it would find us
                return None
            shells = [self._namespace.get(name) for name in code.co_names if self._is_shells(name)]
            if any(snapshot[1] is o for snapshot in known.entries for o in shells):  # what it records goes on meanwhile
                return None
            size = sum(map(operations.size, known.entries))
            if not self.budget.takes(size):
                return None
            if size:
                changed = known.entries[0][1]
                names = (name for name in code.co_names if self._namespace.get(name) is changed)
                self.budget.is_for(next(names, ""), size)
        checkpoint = Checkpoint(
            bindings(self._namespace, known.binds, node), Known(known.entries, code.co_names, self._namespace)
        )
        if known.draws:
            checkpoint.global_state = [
                (label, (kind, o, kind.snapshot(o, _NOWHERE))) for label, kind, o in random_state.shared()
            ]
        return checkpoint

    def full(self, code: CodeType, node: ast.stmt | None, seconds: float) -> tuple[Checkpoint, bool]:
        """The checkpoint of a statement that may change whatever it can reach.

        Parameters
        ----------
        code : code object
        node : ast.stmt or None
        seconds : float
            How long it may take.

        Returns
        -------
        (Checkpoint, bool)
            With it, whether the statement may resize arrays: then no other may hold one either.
        """
        with without_collector():
            self.budget.start(seconds)
            memory = self._used = self._used or WalkMemory(self.budget)
            walk = Walk(self._namespace, self._ignored, memory, self._results)
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
                if walk.imports_new and type(node) not in _IMPORTS:
                    checkpoint.importing = Importing(code)
            if resizes:
                in_text = RESIZE not in walk.attributes
                let_go(checkpoint, *about_to_resize(walk.met, self._namespace, others=in_text))
            memory.pass_on()
            entries = checkpoint.snapshots.entries
            checkpoint.snapshots.entries = unheld(all_loosened(entries) if resizes else entries, checkpoint.bindings)
            self.budget.stop()
        return checkpoint, resizes

    def forget_saved(self) -> None:
        """Forget what is kept of one statement's snapshots for the next ones'."""
        if self._used is not None:
            self._used.saved.clear()

    def clear(self) -> None:
        """Another cell begins."""
        if self._used is not None or self.budget.held:  # else nothing was taken of it
            self.budget = Budget(self.budget.bounds)
            self._used = None

    def _is_shells(self, name: str) -> bool:
        """Whether what the name is bound to is the shell's own: `Out`, but not the result that `_` is."""
        o = self._namespace.get(name)
        return name in self._ignored and not any(result is o for result in self._results(name).values())
