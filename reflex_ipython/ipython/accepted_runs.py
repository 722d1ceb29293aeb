"""Running an accepted cell: the state is put back to where it starts; undoing that once more."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Sequence

from reflex_ipython.ipython.cells import RanCell
from reflex_ipython.ipython.consequences import KernelConsequences
from reflex_ipython.ipython.earlier_cells import name_of
from reflex_ipython.ipython.kept_runs import KeptRuns
from reflex_ipython.ipython.living_code import LivingCode
from reflex_ipython.ipython.resumption import Resumer, Resumption
from reflex_ipython.ipython.run_rollback import undo_accepted
from reflex_ipython.models import CellChanges, Repair, RunCell, applied_changes
from reflex_ipython.repairs.rerun_tracking import awaits
from reflex_ipython.repairs.session import Session
from reflex_ipython.state.followers import followed
from reflex_ipython.state.restoration import listed

ALREADY_BACK = "the state was put back before"
SHOWN = "what it has shown stays there"
INTERRUPTED = "Not run: it was interrupted before it began."


class AcceptedRuns:
    """The runs of accepted cells, of which the last can be undone.

    Parameters
    ----------
    session : Session
    resumer : Resumer
    kept : KeptRuns
        Has the run that is undone.
    living : LivingCode
        Puts the new texts of earlier cells and of files into effect.
    consequences : KernelConsequences
    can_rewrite : callable
        Whether the front end can rewrite cells.
    """

    def __init__(
        self,
        session: Session,
        resumer: Resumer,
        kept: KeptRuns,
        living: LivingCode,
        consequences: KernelConsequences,
        can_rewrite: Callable[[], bool],
    ) -> None:
        self._session = session
        self._resumer = resumer
        self._kept = kept
        self._living = living
        self._consequences = consequences
        self._can_rewrite = can_rewrite
        self._swapped: set[str] = set()  # the ids of repairs whose files run their new text without a run of the cell
        self.is_wanted = False
        """Whether the cell that begins is code that was asked for: nothing failed before it, to be gone on with."""
        self.is_accepted = False
        """Whether the cell that runs is that of an accepted fix."""
        self._last = ""  # the id of the repair whose accepted fix ran last
        self._count = 0
        """How many accepted fixes have run: one of a repair that was undone may be accepted, and run, once more."""
        self._taken_back = False  # whether its run was taken back since, by another command than this
        self._in_one = False  # whether that ran as one cell, with those that run first in it

    def starts(self, cell: RanCell, becomes: str = "") -> Resumption | None:
        """A cell begins to run. If it is an accepted one, the state is put back to where it starts.

        Parameters
        ----------
        cell : RanCell
        becomes : str
            The id of the repair that was accepted into this cell, though another one failed.
        """
        try:
            return self._prepared(cell, becomes)
        finally:
            self._session.decisions.settle()  # last: the disk has had some time by then

    def _prepared(self, cell: RanCell, becomes: str) -> Resumption | None:
        self._forget_for(cell)
        self.put_in_effect()
        accepted = self._session.starts(cell.ref, cell.source, becomes=becomes)
        self.is_accepted = accepted is not None
        self.is_wanted = accepted is not None and accepted.failure is None
        if accepted is None or accepted.decision is None or not accepted.applied:
            return None
        changes = applied_changes(accepted)
        stale = self._consequences.stale(changes, cell)
        failing = dataclasses.replace(changes.failing, source=cell.source)  # or all in one, where no page runs cells
        resumed = self._resumer.prepare(
            failing, whole=accepted.decision.whole, earlier=changes.swapped, installs=changes.installs
        )
        if resumed is not None and resumed.beyond:
            self._living.apply_again()
        self._last, self._in_one, self._taken_back = accepted.id, cell.source == changes.in_one, False
        self._count += 1
        if self._in_one:
            self._forget(changes)
        earlier = changes.swapped
        words = [resumed.words] if resumed is not None and resumed.words else []
        if changes.first and not self._in_one:  # the other cell that has run since is known to who accepted it
            words = [f"{_names(changes.first)} ran first, so what the failed run had done was not undone"]
        rewritten = [(edit, self._living.apply(edit)) for edit in earlier]
        words += [one.words for _, one in rewritten] + stale + followed()
        if not self._can_rewrite():
            swapped = [edit for edit, one in rewritten if one.took_effect and edit not in changes.files]
            old = [*swapped, *changes.run_anew]
            words += [f"{name_of(edit)} itself still has its old text" for edit in old]
        plainly = not earlier and (resumed is None or (resumed.exact and not resumed.plan.done))
        self._session.resumed("; ".join(filter(None, words)), plainly=plainly)
        return resumed

    def interrupted(self, cell: RanCell) -> None:
        """An accepted cell was interrupted before it began: its fix is open again."""
        for repair in self._session.repairs.all():
            if awaits(repair, cell.source) and repair.decision is not None and repair.decision.run:
                self._session.decisions.refused(repair.id, INTERRUPTED)

    def put_in_effect(self) -> None:
        """Have the functions of files run their new text that were accepted without a run. On the main thread."""
        for repair in self._session.repairs.all():
            decision = repair.decision
            if decision is None or decision.kind != "accepted" or decision.run or repair.id in self._swapped:
                continue
            for edit in applied_changes(repair).files:
                self._swapped.add(repair.id)
                self._living.apply(edit)
                followed()

    def undoing(self, repair: Repair) -> Callable[[], str]:
        """What undoes the run of a repair's accepted fix, the one that is known now, whenever a page has its old text.

        Returns
        -------
        callable
            Puts the state back to where the run began, and the functions of earlier cells; gives what came of it, in
            words. It does nothing once the fix was accepted anew and has run: that run stands.
        """
        return functools.partial(self._undo, repair, self._count)

    def _undo(self, repair: Repair, count: int) -> str:
        if repair.id == self._last and count != self._count:
            return ""
        words = []
        if repair.id in self._swapped:
            self._swapped.discard(repair.id)
            words += [self._living.apply(edit, back=True).words for edit in applied_changes(repair).backwards.files]
        elif repair.rerun is not None:
            is_last = repair.id == self._last
            run = self._kept.of_last_cell if is_last else None
            shown = [SHOWN] if run is not None and run.has_shown else []
            state = self._state_undone() if is_last else ""
            words += [state or "not undone: what the cell did", *shown]
            changes = applied_changes(repair)
            words += [f"{requirement} stays installed" for requirement in changes.installs]
            swapped = {edit.target for edit in changes.swapped}
            backwards = (edit for edit in changes.backwards.changed_earlier if edit.target in swapped)
            words += [self._living.apply(edit, back=True).words for edit in backwards]
            if changes.first and not (is_last and self._in_one):
                words.append(_stay_run(changes.first))
        text = ", ".join(filter(None, [*words, *followed()]))
        self._session.decisions.undone(repair.id, text)
        return text

    def taken_back(self) -> None:
        """The run of the accepted fix that ran last was taken back."""
        self._taken_back = True
        self._session.taken_back(self._last)

    def _state_undone(self) -> str:
        return ALREADY_BACK if self._taken_back else undo_accepted(self._kept)

    def _forget_for(self, cell: RanCell) -> None:
        """The first of the cells that a page runs for an accepted fix begins."""
        for repair in self._session.repairs.all():
            decision = repair.decision
            if decision is None or decision.kind != "accepted" or not decision.run or repair.rerun is not None:
                continue
            first = [step for step in decision.steps if isinstance(step, RunCell)][:1]
            if [(step.cell.id, step.source) for step in first] == [(cell.id or "", cell.source)]:
                self._forget(applied_changes(repair))

    def _forget(self, changes: CellChanges) -> None:
        for edit in changes.run_anew:
            self._living.forget(edit)

    def ended(self) -> None:
        """A cell has ended without an error."""
        self._living.settle()
        self._session.ended(None)


def _names(first: Sequence[RunCell]) -> str:
    """Cells that have run again: they have other numbers in brackets by now."""
    return listed(f"cell {step.number}" if step.number is not None else step.name for step in first)


def _stay_run(first: Sequence[RunCell]) -> str:
    """That cells which ran before the accepted one are not undone."""
    verb, they = ("stays", "it") if len(first) == 1 else ("stay", "they")
    return f"but {_names(first)}, which ran first, {verb} run: what {they} did is not undone"
