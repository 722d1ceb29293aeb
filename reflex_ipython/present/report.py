"""All that is known of one repair, for `%reflex show`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from reflex_ipython.models import CellRef, Decision, Edit, Fix, Repair, Rerun, Situation, target_name
from reflex_ipython.present.amounts import duration
from reflex_ipython.present.attempts import attempts
from reflex_ipython.present.blocks import Block, Code, Diff, Facts, Heading, Paragraph, Title
from reflex_ipython.present.choice import was_asked
from reflex_ipython.present.clock import local_time
from reflex_ipython.present.diff import hunks
from reflex_ipython.present.fix_blocks import fix_blocks, gives_line
from reflex_ipython.present.panel import panel_state
from reflex_ipython.present.proposal import as_applied

_RELATIONS = {"raised": "", "cause": "caused by ", "context": "while handling ", "member": "with "}
_DECISIONS = {
    "accepted": "The user accepted a fix",
    "rejected": "The user rejected the fixes",
    "superseded": "The cell was changed or run again before anything was decided",
    "undone": "The user undid the fix",
}


def report(repair: Repair, now: datetime | None = None) -> list[Block]:
    """The error, the cell, every fix, the decision and the re-run. Times are as of `now` (`clock.local_time`)."""
    return [
        Title(repair.cause.title, f"repair {repair.id}"),
        *_cause(repair, now),
        *_attempts(repair),
        *_fixes(repair),
        Heading("What became of it"),
        *_decision(repair, now),
        *_rerun(repair.rerun),
    ]


def _cause(repair: Repair, now: datetime | None) -> Iterator[Block]:
    failure, situation = repair.failure, repair.situation
    message = failure.error.evalue.strip() if failure is not None else ""
    if "\n" in message:
        yield Code(message)
    rows = [
        ("when", local_time(repair.cause.at, now)),
        ("cell", cell_name(situation.cell)),
        ("session", repair.session),
    ]
    exceptions = failure.exceptions if failure is not None else ()
    rows += [(_RELATIONS[error.relation] + error.ename, error.evalue) for error in exceptions[1:]]
    rows += [("note", note) for error in exceptions for note in error.notes]
    rows += [("python", situation.python)] if situation.python else []
    rows += [(library, version) for library, version in situation.versions.items()]
    yield Facts(tuple(rows))
    yield Heading("The cell")
    yield Code(situation.source, failure.lineno if failure is not None else None)


def cell_name(cell: CellRef) -> str:
    """The cell as the notebook numbers it, `In [7]`."""
    return f"In [{cell.execution_count}]" if cell.execution_count is not None else "—"


def _attempts(repair: Repair) -> Iterator[Block]:
    made = attempts(repair)
    if made:
        yield Heading("The attempts")
        yield from (Paragraph(one.text, one.tone) for one in made)


def _fixes(repair: Repair) -> Iterator[Block]:
    views = panel_state(repair).fixes
    if repair.is_choice:
        yield Heading("A choice")
        yield Paragraph(was_asked(repair))
    for number, view in enumerate(views, 1):
        name = "The fix" if len(views) == 1 else f"Fix {number} of {len(views)}"
        yield Heading(name, " · ".join(part for part in (view.origin, view.usage) if part))
        yield from fix_blocks(view)
        if repair.is_choice and view.gives:
            yield Paragraph(gives_line(view))
    if not views:
        yield Heading("No fix")
        yield Paragraph(repair.trouble or "No rule has a fix for this error.")
    elif repair.trouble:
        yield Paragraph(repair.trouble, "warning")


def _decision(repair: Repair, now: datetime | None) -> Iterator[Block]:
    decision = repair.decision
    if decision is None:
        yield Paragraph("Nothing was decided.")
        return
    fix = repair.fix(decision.fix_id)
    yield Paragraph(
        f"{_DECISIONS[decision.kind]}{_which(repair, fix)}, {local_time(decision.at, now)}{_why(decision)}."
    )
    if fix is None:
        return
    situation = repair.situation
    for edit in as_applied(repair, fix).edits:
        proposed = fix.source_of(edit.target, situation.source if edit.target == situation.place else edit.expected)
        if edit.source != proposed:
            yield Diff(hunks(edit.expected, edit.source), _applied(edit, situation))


def _applied(edit: Edit, situation: Situation) -> str:
    place = "" if edit.target == situation.place else f"{target_name(edit.target)}, "
    return f"{place}as it was applied, with the user's changes"


def _which(repair: Repair, fix: Fix | None) -> str:
    if fix is None or len(repair.fixes) == 1:
        return ""
    return f" (number {repair.fixes.index(fix) + 1}, {fix.origin})"


def _why(decision: Decision) -> str:
    reason = decision.reason.strip().rstrip(".")
    return f": {reason}" if reason else ""


def _rerun(rerun: Rerun | None) -> Iterator[Block]:
    if rerun is None:
        return
    took = duration(rerun.seconds)
    state = f": {rerun.state}" if rerun.state else ""
    if rerun.succeeded:
        yield Paragraph(f"The cell then ran without an error in {took}{state}.", "good")
    else:
        error = f"{rerun.ename}: {rerun.evalue}" if rerun.evalue else rerun.ename
        yield Paragraph(f"The cell then raised {error} after {took}{state}.", "bad")
