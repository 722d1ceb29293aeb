"""What accepting a fix would do, found out without doing it (`stages.Consequences`)."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from reflex_ipython.base.parsing import parsed
from reflex_ipython.ipython.cells import CellLog, RanCell
from reflex_ipython.ipython.earlier_cells import name_of
from reflex_ipython.ipython.edited_cells import EditedCells
from reflex_ipython.ipython.failed_runs import FailedRuns
from reflex_ipython.ipython.loading_cell import NOBODY_SAW_IT, WHAT
from reflex_ipython.ipython.trees import tree_of
from reflex_ipython.models import CellChanges, CellRef, Edit, FileRef, Finding, RunOption
from reflex_ipython.repairs.own_files import NO_FILES
from reflex_ipython.stages import Files
from reflex_ipython.state.beside import TASK, THREAD
from reflex_ipython.state.changed import changed_definitions
from reflex_ipython.state.module_trees import cell_statements, module_statements, names_in, own_name, with_callers
from reflex_ipython.state.modules_in_place import module_of
from reflex_ipython.state.restoration import listed
from reflex_ipython.state.stale import Stale, stale_results
from reflex_ipython.state.weak import ENDED

STALE = "stale-results"
UNCOVERED = "not-covered"
UNWRITABLE = "unwritable-file"
UNSEEN = "unseen-run"


class KernelConsequences:
    """Knows a shell's cells and what the last failed one did.

    Parameters
    ----------
    shell : InteractiveShell
    log : CellLog
    failures : FailedRuns
    edited : EditedCells
        Knows what else a cell that runs anew gives rise to.
    files : Files
        Knows whether a file can be rewritten.
    """

    def __init__(
        self, shell: Any, log: CellLog, failures: FailedRuns, edited: EditedCells, files: Files = NO_FILES
    ) -> None:
        self._files = files
        self._shell = shell
        self._edited = edited
        self._log = log
        self._failures = failures

    def run_options(self, changes: CellChanges) -> tuple[RunOption, ...]:
        """How the failing cell can be run; empty if nothing is known of its failed run."""
        first = bool(changes.first)
        plans = [
            self._failures.plan(changes.failing, whole=whole, others_first=first, earlier=changes.swapped)
            for whole in (False, True)
        ]
        beyond = self._only_before_all(changes)
        run_options = [
            RunOption(plan.line, tuple(dict.fromkeys(plan.repeats + more)), plan.rollback is not None, plan.ahead)
            for plan, more in zip(plans, ((), beyond))
            if plan is not None
        ]
        return tuple(dict.fromkeys(run_options))

    def _only_before_all(self, changes: CellChanges) -> tuple[str, ...]:
        """What can't be put back for who runs the whole cell alone: of a run that is resumed, `findings` tells."""
        known = self._failures.uncovered(changes.failing, changes.swapped)
        found = self._failures.uncovered(changes.failing, changes.swapped, whole=True)
        return tuple(f"{name} ({why})" for name, why in found.items() if name not in known)

    def findings(self, changes: CellChanges) -> Iterator[Finding]:
        """What can't be put back, and the results that were computed with the old text of earlier cells."""
        loads_us = self._log.loads_us
        loads = loads_us is not None and changes.failing.cell == loads_us.ref
        if loads and self._failures.find(changes.failing) is None:
            yield Finding(UNSEEN, "runs the whole cell anew: Reflex was loaded in it, and undoes nothing of it", "note")
        uncovered = self._failures.uncovered(changes.failing, changes.swapped)
        for why in dict.fromkeys(uncovered.values()):
            yield Finding(UNCOVERED, _cannot([name for name in uncovered if uncovered[name] == why], why), "note")
        for text in self.stale(changes):
            yield Finding(STALE, text, "note")
        for edit in changes.files:
            obstacle = self._files.obstacle(edit)
            if obstacle:
                yield Finding(UNWRITABLE, f"can't be applied now: {obstacle}", "warning")

    def stale(self, changes: CellChanges, running: RanCell | None = None) -> list[str]:
        """Which results were computed with the old text of each earlier cell, in words.

        Parameters
        ----------
        changes : CellChanges
        running : RanCell or None
            The failing cell as it is just about to run again.
        """
        words = [self._stale(edit, changes, running) for edit in changes.swapped]
        return [text for text in (*words, self._not_run_anew(changes)) if text]

    def _not_run_anew(self, changes: CellChanges) -> str:
        """Which results stay that cells in between have computed, which the failing one does not need."""
        names = [f"`{name}`" for name in self._edited.stale(changes) if name in self._shell.user_ns]
        if not names:
            return ""
        cells = listed(name_of(edit) for edit in changes.run_anew)
        return f"{_joined(names)} {'was' if len(names) == 1 else 'were'} computed with the old {cells}"

    def _stale(self, edit: Edit, changes: CellChanges, running: RanCell | None) -> str:
        if isinstance(edit.target, FileRef):
            return self._stale_of_file(edit, edit.target, changes, running)
        if not isinstance(edit.target, CellRef):
            return ""
        known = self._log.ran(edit.cell.id, edit.cell.execution_count, edit.expected)
        old, new = tree_of(self._shell, edit.expected), tree_of(self._shell, edit.source)
        if known is None or old is None or new is None:
            return ""
        changed = changed_definitions(old, new)
        cells = self._log.all()
        since = cells.index(known[1])
        trees = [self._statements(cell, changes, running) if place >= since else [] for place, cell in enumerate(cells)]
        found = [self._names(stale, cells[stale.cell]) for stale in stale_results(trees, changed, since)]
        return _computed_with([name for some in found for name in some], changed)

    def _stale_of_file(self, edit: Edit, file: FileRef, changes: CellChanges, running: RanCell | None) -> str:
        """The same of a file, as far as cells call what it defines themselves."""
        old, new = parsed(edit.expected), parsed(edit.source)
        module = module_of(file.path)
        if not module or isinstance(old, SyntaxError) or isinstance(new, SyntaxError):
            return ""
        names, bound = names_in(old), set[str]()
        trees = [module_statements(module, old)]
        cells = self._log.all()
        for cell in cells:
            statements = self._statements(cell, changes, running)
            if bound or module.rpartition(".")[2] in cell.source:
                statements = cell_statements(statements, module, names, bound)
            trees.append(statements)
        changed = changed_definitions(old, new)
        callers = with_callers(trees[0], [own_name(module, path) for path in changed])
        results = stale_results(trees, callers)
        found = [self._names(stale, cells[stale.cell - 1]) for stale in results if stale.cell]
        return _computed_with([name for some in found for name in some], changed)

    def _statements(self, cell: RanCell, changes: CellChanges, running: RanCell | None) -> list[ast.stmt]:
        """The statements of a cell whose results are there: of the failing one, those that will not run again."""
        failing = changes.failing
        if cell != running and (cell.id, cell.number) != (failing.cell.id, failing.cell.execution_count):
            tree = tree_of(self._shell, cell.source)
            return list(tree.body) if tree is not None else []
        tree, plan = tree_of(self._shell, failing.source), self._failures.plan(failing, earlier=changes.swapped)
        return [tree.body[place] for place in plan.done] if tree is not None and plan is not None else []

    def _names(self, stale: Stale, cell: RanCell) -> list[str]:
        """What of it is still there: `Out[4]`, names, and caches."""
        there = self._shell.user_ns
        output = stale.output and cell.number in there.get("Out", {})
        return [
            *([f"Out[{cell.number}]"] if output else []),
            *(f"`{name}`" for name in stale.names if name in there),
            *(f"the cache of `{path}`" for path in stale.caches if path.partition(".")[0] in there),
        ]


def _computed_with(names: list[str], changed: Sequence[str]) -> str:
    if not names:
        return ""
    verb = "was" if len(names) == 1 else "were"
    return f"{_joined(names)} {verb} computed with the old {listed(f'`{path}`' for path in changed)}"


def _joined(names: list[str]) -> str:
    """`a`; `a` and `b`; `a`, `b` and `c`; many are counted."""
    if len(names) > 6:
        return listed(names)
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def _cannot(names: list[str], why: str) -> str:
    """That what these names stand for can't be put back, and why."""
    if why == NOBODY_SAW_IT:
        return f"{WHAT} is not undone"
    said = _joined([f"`{name}`" if name.isidentifier() else name for name in names])
    if why == ENDED:  # it has changed, that is sure
        return f"{said} can't be put back: {why if len(names) == 1 else 'their old values no longer exist'}"
    if why in (THREAD, TASK):
        return f"{said} {'is' if len(names) == 1 else 'are'} put back, and {why}"
    return f"{said} can't be put back if the failed run has changed {'it' if len(names) == 1 else 'them'}: {why}"
