"""What a person sees of a repair below a failed cell: the fix, why, what is known of it, and what to type."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from reflex_ipython.models import Fix, Repair
from reflex_ipython.present.blocks import Block, Code, Diff, Fold, Paragraph, Title
from reflex_ipython.present.panel import EditView, FixView, PanelState, panel_state
from reflex_ipython.present.preview import Preview

COMMANDS = "`%reflex accept` applies and runs it · `%reflex edit` · `%reflex reject`"


def proposal(repair: Repair, working: str = "") -> list[Block]:
    """The accepted fix as it was applied, else the first one; the others are folded. `working`: who is at work."""
    repair, others = _shown(repair)
    state = panel_state(repair, working=working)
    blocks: list[Block] = [Title(state.error, _note(state, len(others)))]
    for fix in state.fixes[:1]:
        blocks += fix_blocks(fix)
    if state.notice is not None:
        blocks.append(Paragraph(state.notice.text, state.notice.tone))
    if state.phase == "ready":
        blocks += [*_whole_cells(state.fixes[0]), *_others(others, repair.id), Paragraph(COMMANDS, quiet=True)]
    elif state.phase == "searching":
        blocks.append(Paragraph(f"{working} …", quiet=True))
    elif state.phase == "nothing":
        blocks.append(
            Paragraph("`%reflex fix` looks again; `%reflex fix HINT` asks the model, if one is chosen", quiet=True)
        )
    return blocks


def fix_blocks(fix: FixView) -> Iterator[Block]:
    """The changes of one fix, why they help, and what is known of it."""
    for edit in fix.edits:
        label = "this cell" if len(fix.edits) > 1 and not edit.label else edit.label
        yield from _edit_blocks(edit, label)
    if fix.explanation.strip():
        yield Paragraph(fix.explanation.strip())
    yield Paragraph(fix.verdict.text, fix.verdict.tone)
    if fix.preview is not None:
        yield _seen(fix.preview)
    yield from (
        Paragraph(option.repeats, "warning") for option in fix.run_options[:1]
    )  # what the command to accept asks about first
    yield from (Paragraph(finding.text, finding.tone) for finding in fix.findings)


def as_applied(repair: Repair, fix: Fix) -> Fix:
    """The fix with the sources that the user made of it, if this is the one that was accepted."""
    decision = repair.decision
    if decision is None or decision.fix_id != fix.id or not repair.applied:
        return fix
    return dataclasses.replace(fix, steps=repair.applied)


def _edit_blocks(edit: EditView, label: str) -> Iterator[Block]:
    if any(hunk.changed for hunk in edit.hunks):
        yield Diff(edit.hunks, label)
    elif label:
        yield Paragraph(f"{label}: stays as it is", quiet=True)
    else:
        yield Paragraph("The cell's text stays the same; it is run again.")


def _seen(preview: Preview) -> Block:
    """What was seen when it was tried."""
    output = (Code(preview.output),) if preview.output else ()
    changes = tuple(Paragraph(change) for change in preview.changes)
    return Fold(preview.summary, output + changes, f"in the trial it {preview.summary}")


def _shown(repair: Repair) -> tuple[Repair, list[FixView]]:
    """The repair with the one fix to show, and the views of the others."""
    if not repair.fixes:
        return repair, []
    accepted = repair.fix(repair.decision.fix_id) if repair.decision else None
    shown = accepted or repair.fixes[0]
    others = [view for view in panel_state(repair).fixes if view.id != shown.id] if len(repair.fixes) > 1 else []
    return dataclasses.replace(repair, fixes=(as_applied(repair, shown),)), others


def _note(state: PanelState, others: int) -> str:
    if not state.fixes:
        return ""
    fix = state.fixes[0]
    number = f"1 of {others + 1}" if others and state.phase == "ready" else ""
    return " · ".join(part for part in (number, fix.origin, fix.usage) if part)


def _whole_cells(fix: FixView) -> Iterator[Block]:
    for edit in fix.edits:
        if "\n" in edit.source and edit.source != edit.expected:
            yield Fold(f"{edit.label or 'The whole cell'}, to copy", (Code(edit.source),))


def _others(others: list[FixView], repair_id: str) -> Iterator[Block]:
    for number, fix in enumerate(others, 2):
        summary = " · ".join(part for part in (f"Fix {number} of {len(others) + 1}", fix.origin, fix.usage) if part)
        yield Fold(summary, tuple(fix_blocks(fix)), f"{summary}: `%reflex show {repair_id}`")
