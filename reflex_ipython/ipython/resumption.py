"""An accepted cell goes on where its run failed: the state is put back to there, and what is done is left out."""

from __future__ import annotations

import ast
import dataclasses
import sys
from typing import TYPE_CHECKING, Any

from reflex_ipython.ipython.cell_run import CellRun, reopen
from reflex_ipython.ipython.failed_runs import FailedRuns
from reflex_ipython.ipython.interrupts import held
from reflex_ipython.ipython.left_out import LeavingOut
from reflex_ipython.ipython.trees import tree_of
from reflex_ipython.ipython.unprinted import unprinted
from reflex_ipython.ipython.warned import forget_warned
from reflex_ipython.state.restoration import Restoration
from reflex_ipython.state.user_code import owned_module

if TYPE_CHECKING:
    from reflex_ipython.models import CellChanges, Edit
    from reflex_ipython.state.plan import Plan

_OTHER_CELL = "the failed run (another cell ran)"
_UNSHOWN = "the last line's value is not shown: it was not run again"


@dataclasses.dataclass(frozen=True)
class Resumption:
    """How an accepted cell is run again.

    Parameters
    ----------
    run : CellRun
        The failed run of it.
    plan : Plan
    words : str
        What was put back for it.
    exact : bool
        Whether that was all.
    beyond : bool
        Whether the state is one from before an earlier fix of that cell was accepted.
    """

    run: CellRun
    plan: Plan
    words: str
    exact: bool
    beyond: bool


class Resumer:
    """What prepares that.

    Parameters
    ----------
    shell : InteractiveShell
    failures : FailedRuns
    leaving_out : LeavingOut
    """

    def __init__(self, shell: Any, failures: FailedRuns, leaving_out: LeavingOut) -> None:
        self._shell = shell
        self._failures = failures
        self._leaving_out = leaving_out

    def rewind(self, changes: CellChanges) -> None:
        """In a copy of the kernel: put the state back to where the accepted run would start."""
        resumed = self._prepare(changes.failing, earlier=changes.swapped, ends=False)  # what ends may write files
        if resumed is not None and resumed.plan.done:
            reopen(resumed.run.figures_of(len(resumed.plan.done)))

    def prepare(
        self, edit: Edit, *, whole: bool = False, earlier: tuple[Edit, ...] = (), installs: tuple[str, ...] = ()
    ) -> Resumption | None:
        """Put the state back to where the accepted run starts, and have what is done left out of the next cell.

        Parameters
        ----------
        edit : Edit
        whole : bool
            Whether all of the cell is to run.
        earlier : tuple of Edit
            Those of other cells whose functions get their new code in place.
        installs : tuple of str
            The requirements that the next cell installs before it runs.

        Returns
        -------
        Resumption or None
            None if nothing is known of the failed run.
        """
        with held(), unprinted():  # interrupted half way, it would be told of as done
            resumed = self._prepare(edit, whole=whole, earlier=earlier)
        self._leaving_out.install_first(installs)
        return resumed

    def _prepare(
        self, edit: Edit, *, whole: bool = False, earlier: tuple[Edit, ...] = (), ends: bool = True
    ) -> Resumption | None:
        """`ends`: whether what only the functions hold that were running as it failed comes to its end."""
        failed, found = self._failures.find(edit), self._failures.plan(edit, whole=whole, earlier=earlier)
        if failed is None or found is None:
            return None
        start = found.rollback
        if start is not None and start < len(failed.journal):
            stay = self._stay_imported(failed, start, edit.source)
            restored = failed.journal.rollback(start, failed.end if ends else _nothing)
            restored = dataclasses.replace(restored, not_undone=(*restored.not_undone, *stay))
            forget_warned(failed, start)
        else:  # what failed had not begun to run; or nobody knows the way back any more
            restored = Restoration(not_undone=(_OTHER_CELL,) if failed.other_cell_ran else ())
        self._leaving_out.set(found if found.done else None)
        words = ", ".join(filter(None, (found.words, restored.words)))
        words += f"; {_UNSHOWN}" if found.unshown else ""
        beyond = start is not None and start < (failed.begun or 0)
        return Resumption(failed, found, words, restored.exact, beyond)

    def _stay_imported(self, failed: CellRun, start: int, source: str) -> list[str]:
        """In words, the libraries that the failed run was the first to import, and that the accepted one does not."""
        checkpoints = failed.journal.aftermath.checkpoints[start:]
        effects = [effect for checkpoint in checkpoints for effect in checkpoint.effects]
        new = [effect.text.partition(" ")[2] for effect in effects if effect.kind == "import" and not effect.loaded]
        if not new:
            return []
        before, after = (_imports(tree_of(self._shell, text)) for text in (failed.cell.source, source))
        return [f"{name} stays imported" for name in dict.fromkeys(new) if name in before - after and _is_there(name)]


def _nothing() -> None:
    """Nothing is to end."""


def _imports(tree: ast.Module | None) -> set[str]:
    """The packages that a cell's text imports."""
    nodes = list(ast.walk(tree)) if tree is not None else []
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    return {name.partition(".")[0] for name in names}


def _is_there(module: str) -> bool:
    return module in sys.modules and not owned_module(module)
