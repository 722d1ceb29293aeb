"""A fix as it is put into effect: which cells and files it rewrites, which cells run, or why it can't be by itself."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from reflex_ipython.errors import StepRefused
from reflex_ipython.models.fix import Edit, Fix, Install, RunCell, Step
from reflex_ipython.models.repair import Repair
from reflex_ipython.models.requirement import is_plain
from reflex_ipython.models.situation import CellRef, DefinitionRef, FileRef, Situation, Target

MOST_FIRST = 20
"""Cells that a fix may run first: a person reads what they accept."""


@dataclasses.dataclass(frozen=True)
class CellChanges:
    """A fix that only rewrites and runs cells, rewrites files, and installs what they need, as it is put into effect.

    Parameters
    ----------
    earlier : tuple of Edit
        Of other cells and of files: they come first, so that what the failing one needs is there before it runs.
    failing : Edit
        Of the failing cell, which then runs; it may change nothing.
    installs : tuple of str
        The requirements that are installed before it runs.
    first : tuple of RunCell
        The cells that run before it does, in that order; one that is rewritten runs with its new text.
    """

    earlier: tuple[Edit, ...]
    failing: Edit
    installs: tuple[str, ...] = ()
    first: tuple[RunCell, ...] = ()

    @property
    def steps(self) -> tuple[Step, ...]:
        """All that is done, as a fix has it: what is installed comes first, then the cells that run."""
        return (*(Install(requirement) for requirement in self.installs), *self.first, *self.edits)

    @property
    def in_one(self) -> str:
        """The text of one cell that does what all cells do that run: for where no page can run them."""
        return "\n\n".join([*(step.source.rstrip("\n") for step in self.first), self.failing.source])

    @property
    def fits_in_one(self) -> bool:
        """Whether `in_one` is what the cells are: the magic of a cell holds for all that is below it."""
        return not self.first or "%%" not in self.in_one

    @property
    def edits(self) -> tuple[Edit, ...]:
        """All of them, in that order."""
        return (*self.earlier, self.failing)

    @property
    def cells(self) -> tuple[Edit, ...]:
        """Those of cells, which the user's document holds."""
        return tuple(edit for edit in self.edits if isinstance(edit.target, CellRef))

    @property
    def files(self) -> tuple[Edit, ...]:
        """Those that change files, which the kernel writes."""
        return tuple(edit for edit in self.changed_earlier if isinstance(edit.target, FileRef))

    @property
    def backwards(self) -> CellChanges:
        """What gives the cells their old sources back. What only ran, and what is installed, stays."""
        undone = [Edit(edit.target, edit.source, edit.expected) for edit in self.edits]
        return CellChanges(tuple(undone[:-1]), undone[-1])

    @property
    def changed_earlier(self) -> tuple[Edit, ...]:
        """Those of other cells and of files that change something."""
        return tuple(edit for edit in self.earlier if edit.source != edit.expected)

    @property
    def swapped(self) -> tuple[Edit, ...]:
        """Those among them that do not run: their functions get the new code in place."""
        run = {step.cell for step in self.first}
        return tuple(edit for edit in self.changed_earlier if edit.target not in run)

    @property
    def run_anew(self) -> tuple[Edit, ...]:
        """Those among them whose cells run with their new text."""
        return tuple(edit for edit in self.changed_earlier if edit not in self.swapped)

    def expected_of(self, step: RunCell) -> str:
        """The text that a cell must have which runs first, before any cell is rewritten."""
        return next((edit.expected for edit in self.earlier if edit.target == step.cell), step.source)

    def with_sources(self, sources: Sequence[str]) -> CellChanges:
        """The same with other new texts, in the order of `edits`: what runs first has them too."""
        edits = [dataclasses.replace(edit, source=source) for edit, source in zip(self.edits, sources)]
        new = {edit.target: edit.source for edit in edits}
        first = tuple(dataclasses.replace(step, source=new.get(step.cell, step.source)) for step in self.first)
        return CellChanges(tuple(edits[:-1]), edits[-1], self.installs, first)


def cell_changes(fix: Fix, situation: Situation) -> CellChanges:
    """The changes of cells that a fix consists of.

    Parameters
    ----------
    fix : Fix
    situation : Situation
        Of the code that runs in the end.

    Raises
    ------
    StepRefused
        If it has a step that can't be done yet, or is not for a cell.
    """
    refusal = why_not(fix, situation)
    if refusal:
        raise StepRefused(refusal)
    earlier = tuple(edit for edit in fix.edits if edit.target != situation.cell)
    own = next((edit for edit in fix.edits if edit.target == situation.cell), None)
    installs = tuple(step.requirement for step in fix.steps if isinstance(step, Install))
    own = own or Edit(situation.cell, situation.source, situation.source)
    return CellChanges(earlier, own, installs, fix.runs_first)


def applied_changes(repair: Repair) -> CellChanges:
    """The changes of cells that were decided for.

    Raises
    ------
    StepRefused
        If they are not all of cells.
    """
    fix = Fix(repair.id, repair.applied, "", "")
    return cell_changes(fix, repair.situation)


def why_not(fix: Fix, situation: Situation) -> str:
    """Why a fix can't be put into effect by Reflex, and what to do instead; empty if it can be."""
    for step in fix.steps:
        if isinstance(step, Edit) and step.target in _files(situation):
            continue
        if isinstance(step, Edit) and isinstance(step.target, FileRef):
            return _not_of_it(step.target)
        if not isinstance(step, RunCell) and not _is_edit(step) and not _is_plain_install(step):
            return _refusal(step)
    if not isinstance(situation.place, CellRef):
        return _rewriting(situation.place)
    rewritten = [edit.target for edit in fix.edits]
    if len(set(rewritten)) < len(rewritten):
        return "This fix rewrites the same text twice, so it can't be applied."
    new = {edit.target: edit.source for edit in fix.edits}
    if any(step.cell == situation.cell for step in fix.runs_first):
        return "This fix runs the failed cell beforehand, so it can't be applied."
    if any(new.get(step.cell, step.source) != step.source for step in fix.runs_first):
        return "This fix runs a cell with another text than the one that it gives it, so it can't be applied."
    if len(fix.runs_first) > MOST_FIRST:
        return f"This fix runs more than {MOST_FIRST} cells first. Run them yourself, then run the failed cell again."
    return ""


def step_name(step: Step) -> str:
    """What a step does, in words for a person: "install pyarrow", "rewrite the file model.py"."""
    if isinstance(step, Install):
        return f"install {step.requirement}"
    if isinstance(step, RunCell):
        return f"run {step.name}"
    return f"rewrite {target_name(step.target)}"


def target_name(target: Target) -> str:
    """What an edit rewrites, in words."""
    if isinstance(target, FileRef):
        return f"the file {target.name}"
    if isinstance(target, DefinitionRef):
        return f"`{target.qualname}` in memory"
    return _cell(target)


def _is_edit(step: Step) -> bool:
    return isinstance(step, Edit) and isinstance(step.target, (CellRef, FileRef))


def _files(situation: Situation) -> list[Target]:
    return [known.file for known in situation.files]


def _not_of_it(file: FileRef) -> str:
    return f"Reflex only rewrites files that the error came through, and {file.name} is none. Change it yourself."


def _is_plain_install(step: Step) -> bool:
    return isinstance(step, Install) and is_plain(step.requirement)


def _refusal(step: Edit | Install) -> str:
    if isinstance(step, Install):
        return (
            f"Reflex installs nothing but a package by its name, and {step.requirement!r} is more than that. "
            "If you trust it, install it yourself, then run the failed cell again."
        )
    return _rewriting(step.target)


def _rewriting(target: Target) -> str:
    return f"Reflex can't rewrite {target_name(target)} yet. Copy the new text there yourself."


def _cell(cell: CellRef) -> str:
    return f"In [{cell.execution_count}]" if cell.execution_count is not None else "an earlier cell"
