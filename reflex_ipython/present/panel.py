"""The panel as one JSON document: a pure function of the repair and of what goes on around it.

The front end's view (`labextension/src/state.ts`) draws exactly these fields; a test holds the two together.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from reflex_ipython.models import (
    CellRef,
    Edit,
    Finding,
    Fix,
    Repair,
    RunCell,
    RunOption,
    Situation,
    Usage,
    Verdict,
    applied_changes,
    cell_changes,
    step_name,
    target_name,
    why_not,
)
from reflex_ipython.present.choice import question
from reflex_ipython.present.diff import Hunk, hunks
from reflex_ipython.present.gives import gives
from reflex_ipython.present.notice import Notice, Tone
from reflex_ipython.present.offers import NOTHING, Offers
from reflex_ipython.present.preview import Preview, preview
from reflex_ipython.present.reasons import why_and_next

MIME = "application/vnd.reflex-ipython.repair+json"

Phase = Literal["searching", "ready", "nothing", "accepted", "rejected", "superseded"]


@dataclass(frozen=True)
class EditView:
    """What is rewritten, and how. `label` names it where it is not the failing cell; if no cell is, `cell` is empty."""

    cell: CellRef
    label: str
    expected: str
    source: str
    hunks: tuple[Hunk, ...]


@dataclass(frozen=True)
class RunFirstView:
    """A cell that runs as it is before the failing one. `name`: "cell 3"; `why`: "was not run in this session"."""

    cell: CellRef
    name: str
    source: str
    why: str


@dataclass(frozen=True)
class RunOptionView:
    """A way to run an accepted cell that repeats something. `whole`: all of it, though it could be resumed."""

    whole: bool
    label: str
    repeats: str


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
        The cells that run as they are before the failing one, in that order.
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
    model_hint : str
        How to choose a model, where nobody can be asked.
    quiet : bool
        Whether the cell was meant to fail, so that one line is enough until somebody opens it.
    question : str
        Asked where several things may be meant: the user says which before anything is accepted. Empty: there is
        nothing to choose.
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
    model_hint: str = ""
    quiet: bool = False
    question: str = ""


def panel_state(repair: Repair, *, working: str = "", offers: Offers = NOTHING) -> PanelState:
    """The panel of a repair."""
    phase = _phase(repair, working)
    return PanelState(
        repair=repair.id,
        session=repair.session,
        cell=repair.situation.cell,
        error=repair.cause.title,
        phase=phase,
        notice=_notice(repair, working),
        working=working,
        accepted=_accepted(repair),
        fixes=tuple(_fix_view(fix, repair.verdict(fix), repair.situation, offers.triable) for fix in repair.fixes),
        model=offers.model,
        model_terms=offers.model_terms,
        model_hint=offers.model_hint,
        quiet=repair.decision is None and repair.failure is not None and repair.failure.expected,
        question=question(repair) if phase == "ready" else "",
    )


def document(part: PanelState | FixView) -> dict[str, Any]:
    """A panel, or a part of it, as the JSON that pages get."""
    made: dict[str, Any] = json.loads(encodable(json.dumps(dataclasses.asdict(part), ensure_ascii=False)))
    return made


def encodable(text: str) -> str:
    """The text without halves of characters: a message that has one can't be sent."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _accepted(repair: Repair) -> AcceptedView | None:
    decision = repair.decision
    if decision is None or decision.kind != "accepted":
        return None
    return AcceptedView(decision.fix_id or "", tuple(edit.source for edit in applied_changes(repair).edits))


def _phase(repair: Repair, working: str) -> Phase:
    if repair.decision is not None and repair.decision.kind != "undone":
        return repair.decision.kind
    if repair.fixes:
        return "ready"
    return "searching" if working else "nothing"


def _notice(repair: Repair, working: str) -> Notice | None:
    decision, rerun = repair.decision, repair.rerun
    if decision is not None:
        if decision.kind == "rejected":
            return Notice("Rejected. The cell is as it was.")
        if decision.kind == "superseded":
            return Notice(decision.reason or "The cell has changed since.", "warning")
        if decision.kind == "undone":
            state = f", {decision.reason}" if decision.reason else ""
            return Notice(f"Undone: the cell has its old text back{state}.")
        if rerun is None:
            waiting = "the cell is waiting for its turn" if decision.run else "the cell was rewritten, not run"
            return Notice(f"Accepted; {waiting}.")
        state = f": {rerun.state}" if rerun.state else ""
        if rerun.succeeded:
            return Notice(f"Accepted; the cell ran without an error in {duration(rerun.seconds)}{state}.", "good")
        return Notice(f"Accepted; the cell then raised {rerun.ename}{state}.", "bad")
    if repair.trouble:
        return Notice(repair.trouble, "warning")
    if not repair.fixes and not working:
        return Notice(why_and_next(repair.failure) if repair.failure is not None else "Nothing was proposed.")
    return None


def _fix_view(fix: Fix, verdict: Verdict, situation: Situation, triable: bool) -> FixView:
    refused = why_not(fix, situation)
    unchanged = Edit(situation.place, situation.source, situation.source)
    edits = (fix.edits or (unchanged,)) if refused else cell_changes(fix, situation).edits
    other_steps = [step for step in fix.steps if not isinstance(step, (Edit, RunCell))]
    return FixView(
        id=fix.id,
        origin=fix.origin,
        explanation=fix.explanation,
        usage=usage_line(fix.usage) if fix.usage else "",
        edits=tuple(_edit_view(edit, situation.cell) for edit in edits),
        verdict=_with_start(verdict_line(verdict), verdict, first=bool(fix.runs_first)),
        findings=(
            *(Notice(f"It would {step_name(step)}.") for step in other_steps),
            *(
                Notice(finding.text, {"note": "plain", "warning": "warning", "danger": "bad"}[finding.severity])  # type: ignore[arg-type]  # the three tones
                for finding in verdict.findings
                if finding is not objection(verdict)
            ),
        ),
        dangerous=verdict.dangerous,
        run_options=run_option_views(verdict.run_options),
        triable=triable and not refused and verdict.outcome == "not_tried" and not verdict.trial,
        preview=preview(verdict.trial) if verdict.trial else None,
        refused=refused,
        installs=() if refused else cell_changes(fix, situation).installs,
        gives=gives(verdict.trial) if verdict.trial and verdict.outcome == "passed" else "",
        first=tuple(RunFirstView(step.cell, step.name, step.source, step.why) for step in fix.runs_first),
    )


def _edit_view(edit: Edit, cell: CellRef) -> EditView:
    changed = hunks(edit.expected, edit.source)
    if not isinstance(edit.target, CellRef):
        return EditView(CellRef(), target_name(edit.target), edit.expected, edit.source, changed)
    count = edit.cell.execution_count
    label = (f"In [{count}], an earlier cell" if count else "an earlier cell") if edit.cell != cell else ""
    return EditView(edit.cell, label, edit.expected, edit.source, changed)


def verdict_line(verdict: Verdict) -> Notice:
    """What is known of a fix, in one line of facts."""
    if verdict.outcome == "passed":
        return _passed_line(verdict)
    if verdict.outcome == "other_error":
        return Notice(verdict.reason, "bad")
    if verdict.outcome in ("timed_out", "inconclusive"):
        return Notice(f"inconclusive: {verdict.reason}", "warning")
    tone: Tone = "plain"
    words = "not tried"
    if verdict.outcome == "blocked":
        words, tone = "blocked by the sandbox", "warning"
    return Notice(f"{words}: {verdict.reason}" if verdict.reason else words, tone)


def _passed_line(verdict: Verdict) -> Notice:
    but = objection(verdict)
    if but is not None:
        return Notice(f"runs, but {but.text}", "warning")
    took = f", {max(verdict.trial.seconds, 0.01):.2f} s" if verdict.trial else ""
    return Notice(f"ran in a copy of your kernel{took}", "good")


def _with_start(line: Notice, verdict: Verdict, *, first: bool) -> Notice:
    if first:  # nothing is put back once other cells have run, and nothing is left out
        return Notice(f"{line.text} · then all of this cell runs", line.tone)
    option = verdict.run_options[0] if verdict.run_options else RunOption()
    if not option.restores:
        return Notice(
            f"{line.text} · another cell has run since; the whole cell will run on the current state", line.tone
        )
    if option.line is None or verdict.outcome == "other_error":  # then where it starts is not what matters
        return line
    ahead = f"runs {option.first} first, " if option.first else ""
    return Notice(f"{line.text} · {ahead}resumes at line {option.line}", line.tone)


def run_option_views(run_options: Sequence[RunOption]) -> tuple[RunOptionView, ...]:
    """The options to run a fix that the user has to choose from; empty if the first of them repeats nothing."""
    if not run_options or not run_options[0].repeats:
        return ()
    return tuple(
        RunOptionView(
            option.line is None,
            "Run the whole cell" if option.line is None else f"Resume at line {option.line}",
            f"repeats what can't be undone: {', '.join(option.repeats)}"
            if option.repeats
            else "repeats nothing that can't be undone",
        )
        for option in run_options
    )


def objection(verdict: Verdict) -> Finding | None:
    """What speaks most against a fix that ran; it is said in the verdict's line."""
    if verdict.outcome != "passed":
        return None
    return next((finding for finding in verdict.findings if finding.severity != "note"), None)


def usage_line(usage: Usage) -> str:
    """Tokens, seconds and cost in words."""
    parts = []
    if usage.input_tokens is not None and usage.output_tokens is not None:
        parts.append(f"{usage.input_tokens:,} + {usage.output_tokens:,} tokens")
    parts.append(duration(usage.seconds))
    if usage.cost_usd is not None:
        parts.append(f"${usage.cost_usd:.4f}")
    return " · ".join(parts)


def duration(seconds: float) -> str:
    """A time as a person reads it."""
    if seconds < 0.01:
        return "under 0.01 s"
    if seconds < 10:
        return f"{seconds:.2f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min"
