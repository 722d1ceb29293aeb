"""The panel as one JSON document: a pure function of the repair and of what goes on around it.

The front end's view (`labextension/src/state.ts`) draws exactly these fields; a test holds the two together.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

from reflex_ipython.base.characters import encodable
from reflex_ipython.models import (
    CellRef,
    Edit,
    FileRef,
    Fix,
    Repair,
    RunCell,
    Situation,
    Verdict,
    applied_changes,
    cell_changes,
    step_name,
    target_name,
    to_json,
    why_not,
)
from reflex_ipython.present.amounts import usage_line
from reflex_ipython.present.attempts import attempts
from reflex_ipython.present.choice import question
from reflex_ipython.present.diff import Hunk, hunks
from reflex_ipython.present.gives import gives
from reflex_ipython.present.next_steps import StepView, next_steps
from reflex_ipython.present.notice import Notice
from reflex_ipython.present.offers import NOTHING, Offers
from reflex_ipython.present.outcome import outcome
from reflex_ipython.present.preview import Preview, preview
from reflex_ipython.present.reasons import why_and_next
from reflex_ipython.present.run_options import RunOptionView, run_option_views
from reflex_ipython.present.verdict_line import is_in_line, verdict_line, with_start

MIME = "application/vnd.reflex-ipython.repair+json"

_FOLDERS = 2
"""Folders above a file that its name on the panel tells."""

Phase = Literal["searching", "ready", "nothing", "accepted", "rejected", "superseded"]


@dataclass(frozen=True)
class EditView:
    """What is rewritten, and how. `label` names it where it is not the failing cell.

    `file`: whether it is a file, which the kernel writes; `cell` is empty then.
    """

    cell: CellRef
    label: str
    expected: str
    source: str
    hunks: tuple[Hunk, ...]
    file: bool = False


@dataclass(frozen=True)
class RunFirstView:
    """A cell that runs before the failing one.

    `name`: "cell 3"; `source`: what runs; `why`: "was not run in this session"; `expected`: the text that it must have,
    which is another one where the fix rewrites it.
    """

    cell: CellRef
    name: str
    source: str
    why: str
    expected: str


@dataclass(frozen=True)
class FixView:
    """One proposal as it is drawn.

    Parameters
    ----------
    id, origin, explanation : str
        As in `Fix`.
    usage : str
        Tokens, seconds and cost in words; empty for a rule.
    edits : tuple of EditView
        What is rewritten, in that order; the failing cell is among them though it may stay as it is.
    verdict : Notice
        What is known of it, in one line.
    findings : tuple of Notice
        What a reviewer would want to know, a line each.
    dangerous : bool
        Whether running it needs a tick first.
    run_options : tuple of RunOptionView
        The options to run it that the user has to choose from; empty where there is nothing to ask.
    triable : bool
        Whether it can be tried at a click.
    preview : Preview or None
        What was seen when it was tried, if there is something to see.
    refused : str
        Why it can't be accepted, and what to do instead; empty: it can be.
    gives : str
        What it came to when it ran, in a line; empty if it did not.
    installs : tuple of str
        The requirements that are installed before the cell runs.
    first : tuple of RunFirstView
        The cells that run before the failing one, in that order.
    """

    id: str
    origin: str
    explanation: str
    usage: str
    edits: tuple[EditView, ...]
    verdict: Notice
    findings: tuple[Notice, ...]
    dangerous: bool
    run_options: tuple[RunOptionView, ...] = ()
    triable: bool = False
    preview: Preview | None = None
    refused: str = ""
    gives: str = ""
    installs: tuple[str, ...] = ()
    first: tuple[RunFirstView, ...] = ()


@dataclass(frozen=True)
class AcceptedView:
    """The fix that was accepted. `sources`: the texts that its cells got, in its order."""

    fix: str
    sources: tuple[str, ...]


@dataclass(frozen=True)
class PanelState:
    """The whole panel.

    Parameters
    ----------
    repair : str
        The repair's id.
    session : str
        The id of the kernel's session: another one means that the kernel was restarted since.
    cell : CellRef
        The failing cell.
    error : str
        The error in one line.
    phase : str
        Where the repair stands.
    notice : Notice or None
        What there is to say besides: why nothing was found, what was decided, how the re-run went.
    working : str
        Who is at work just now, "asking qwen2.5-coder"; empty when nobody is. Then Cancel is shown.
    accepted : AcceptedView or None
        What was applied; None while nothing was.
    fixes : tuple of FixView
        The proposals, best first.
    model : str
        Whom "Ask" would ask, by their labels; empty: nobody can be.
    model_terms : str
        Where they work and what that costs, in sentences.
    quiet : bool
        Whether the cell was meant to fail, so that one line is enough until somebody opens it.
    question : str
        Asked where several things may be meant: the user says which before anything is accepted. Empty: there is
        nothing to choose.
    names : tuple of str
        Names that are there, nearest first, of which one may be meant: a click puts it in and tries that. Only where
        nothing has passed.
    steps : tuple of StepView
        Cells to go to, where nothing has passed.
    chooses_model : bool
        Whether a model can be chosen here: nothing is decided, and nobody can be asked.
    consent : str
        The host that the user has to allow before anything is sent to it: a click on "Ask" then says so. Empty: none.
    attempts : tuple of Notice
        Where code was asked for in words: what came of each attempt, in their order.
    running : bool
        Whether the cell still runs, and accepting changes it meanwhile.
    stale : tuple of CellRef
        The cells that have used values which an accepted fix has replaced, in the order in which they can run again.
    """

    repair: str
    session: str
    cell: CellRef
    error: str
    phase: Phase
    notice: Notice | None = None
    working: str = ""
    accepted: AcceptedView | None = None
    fixes: tuple[FixView, ...] = ()
    model: str = ""
    model_terms: str = ""
    quiet: bool = False
    question: str = ""
    names: tuple[str, ...] = ()
    steps: tuple[StepView, ...] = ()
    chooses_model: bool = False
    consent: str = ""
    attempts: tuple[Notice, ...] = ()
    running: bool = False
    stale: tuple[CellRef, ...] = ()


def panel_state(repair: Repair, *, working: str = "", offers: Offers = NOTHING) -> PanelState:
    """The panel of a repair."""
    phase, come_to = _phase(repair, working), gives(repair)
    is_asked = phase == "ready" and bool(question(repair))
    ahead = repair.cause.title if repair.failure is not None and repair.failure.foreseen else ""
    return PanelState(
        repair=repair.id,
        session=repair.session,
        cell=repair.situation.cell,
        error=repair.cause.title,
        phase=phase,
        notice=_notice(repair, working),
        working=working,
        accepted=_accepted(repair),
        fixes=tuple(
            _fix_view(
                fix,
                repair.verdict(fix),
                repair.situation,
                come_to.get(fix.id, ""),
                triable=offers.triable,
                ahead=ahead,
                at_work=bool(working),
            )
            for fix in repair.fixes
        ),
        model=offers.model,
        model_terms=offers.model_terms,
        quiet=repair.decision is None and repair.failure is not None and repair.failure.expected,
        question=" ".join(filter(None, (ahead and f"{ahead}.", question(repair)))) if is_asked else "",
        names=() if working else offers.names,
        steps=() if working else next_steps(repair),
        chooses_model=offers.chooses_model and not working and not repair.is_decided,
        consent=offers.consent,
        attempts=attempts(repair),
        running=bool(ahead) and repair.decision is None,
        stale=_stale(repair),
    )


def document(part: PanelState | FixView) -> dict[str, Any]:
    """A panel, or a part of it, as the JSON that pages get."""
    made: dict[str, Any] = json.loads(encodable(json.dumps(to_json(part), ensure_ascii=False)))
    return made


def _accepted(repair: Repair) -> AcceptedView | None:
    decision = repair.decision
    if decision is None or decision.kind != "accepted":
        return None
    return AcceptedView(decision.fix_id or "", tuple(edit.source for edit in applied_changes(repair).edits))


def _phase(repair: Repair, working: str) -> Phase:
    if repair.decision is not None and repair.is_decided:
        return "superseded" if repair.decision.kind == "undone" else repair.decision.kind
    if repair.fixes:
        return "ready"
    return "searching" if working else "nothing"


def _stale(repair: Repair) -> tuple[CellRef, ...]:
    """Those that a page can find."""
    accepted = repair.decision is not None and repair.decision.kind == "accepted"
    found = repair.rerun.stale if accepted and repair.rerun is not None else ()
    return tuple(one.cell for one in found if one.cell.id is not None)


def _notice(repair: Repair, working: str) -> Notice | None:
    if repair.decision is not None:
        return outcome(repair, repair.decision)
    if repair.trouble:
        return Notice(repair.trouble, "warning")
    if not repair.fixes and not working:
        if repair.failure is None:
            return Notice("Nothing was proposed.")
        why = why_and_next(repair.failure)
        return Notice(f"{repair.failure.title}. {why}", "warning") if repair.failure.foreseen else Notice(why)
    return None


def _fix_view(
    fix: Fix, verdict: Verdict, situation: Situation, come_to: str, *, triable: bool, ahead: str, at_work: bool
) -> FixView:
    refused = why_not(fix, situation) or (_beyond(fix, situation) if ahead else "")
    unchanged = Edit(situation.place, situation.source, situation.source)
    edits = (fix.edits or (unchanged,)) if refused else cell_changes(fix, situation).edits
    other_steps = [step for step in fix.steps if not isinstance(step, (Edit, RunCell))]
    return FixView(
        id=fix.id,
        origin=fix.origin,
        explanation=fix.explanation,
        usage=usage_line(fix.usage) if fix.usage else "",
        edits=tuple(_edit_view(edit, situation.cell) for edit in edits),
        verdict=_verdict_view(fix, verdict_line(verdict, at_work=at_work), verdict, refused, ahead),
        findings=(
            *(Notice(f"It would {step_name(step)}.") for step in other_steps),
            *(
                Notice(finding.text, {"note": "plain", "warning": "warning", "danger": "bad"}[finding.severity])  # type: ignore[arg-type]  # the three tones
                for finding in verdict.findings
                if not is_in_line(finding, verdict)
            ),
        ),
        dangerous=verdict.dangerous,
        run_options=run_option_views(verdict.run_options),
        triable=triable and not refused and verdict.outcome == "not_tried" and not verdict.trial,
        preview=preview(verdict.trial) if verdict.trial else None,
        refused=refused,
        installs=() if refused else cell_changes(fix, situation).installs,
        gives=come_to,
        first=tuple(_first_view(step, fix) for step in fix.runs_first),
    )


def _verdict_view(fix: Fix, line: Notice, verdict: Verdict, refused: str, ahead: str) -> Notice:
    if ahead:  # no traceback says it; and nothing has failed, to be gone on with
        return Notice(f"{ahead} · {refused or line.text}", "warning")
    return with_start(line, verdict, first=bool(fix.runs_first))


def _beyond(fix: Fix, situation: Situation) -> str:
    """Why a running cell can't be changed by a fix; empty if it can be."""
    own = all(isinstance(step, Edit) and step.target == situation.place for step in fix.steps)
    return "" if own else "It does more than change this cell, which still runs: wait for the cell to end."


def _first_view(step: RunCell, fix: Fix) -> RunFirstView:
    expected = next((edit.expected for edit in fix.edits if edit.target == step.cell), step.source)
    return RunFirstView(step.cell, step.name, step.source, step.why, expected)


def _shortened(file: FileRef) -> str:
    """A path as a person knows it: the file with the folders around it."""
    parts = file.path.replace("\\", "/").split("/")
    return "/".join(["…", *parts[-_FOLDERS - 1 :]]) if len(parts) > _FOLDERS + 2 else file.path


def _edit_view(edit: Edit, cell: CellRef) -> EditView:
    changed = hunks(edit.expected, edit.source)
    if isinstance(edit.target, FileRef):
        label = f"the file {_shortened(edit.target)}"
        return EditView(CellRef(), label, edit.expected, edit.source, changed, file=True)
    if not isinstance(edit.target, CellRef):
        return EditView(CellRef(), target_name(edit.target), edit.expected, edit.source, changed)
    count = edit.cell.execution_count
    label = (f"In [{count}], an earlier cell" if count else "an earlier cell") if edit.cell != cell else ""
    return EditView(edit.cell, label, edit.expected, edit.source, changed)
