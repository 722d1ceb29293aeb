"""One fix as blocks: its changes, why they help, and what is known of it."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_ipython.present.blocks import Block, Code, Diff, Fold, Paragraph
from reflex_ipython.present.panel import EditView, FixView
from reflex_ipython.present.preview import Preview

_EXCERPT = 60
"""Characters."""


def fix_blocks(fix: FixView) -> Iterator[Block]:
    """The changes of one fix, why they help, and what is known of it."""
    yield from _change_and_reason(fix)
    yield Paragraph(fix.verdict.text, fix.verdict.tone)
    if fix.preview is not None:
        yield _seen(fix.preview)
    yield from _warnings(fix)


def alternative_blocks(fix: FixView) -> Iterator[Block]:
    """The same of one of several: what it gives tells it from the others, and that it ran goes without saying."""
    yield from _change_and_reason(fix)
    if fix.gives:
        yield Paragraph(gives_line(fix))
    if not fix.gives or fix.verdict.tone != "good":
        yield Paragraph(fix.verdict.text, fix.verdict.tone)
    yield from _warnings(fix)


def first_line(source: str) -> str:
    """The line by which a person knows a cell: its first that is no comment, shortened."""
    lines = [line.strip() for line in source.split("\n") if line.strip()]
    code = [line for line in lines if not line.startswith("#")] or lines or [""]
    text = code[0] if len(code[0]) <= _EXCERPT else f"{code[0][: _EXCERPT - 1]}…"
    return f"{text} …" if len(code) > 1 else text


def gives_line(fix: FixView) -> str:
    """What a fix came to, as a line of its own; empty if it did not run."""
    return f"→ {fix.gives}" if fix.gives else ""


def whole_cells(fix: FixView) -> Iterator[Block]:
    """The new texts that have more than a line, to be copied."""
    for edit in fix.edits:
        if "\n" in edit.source and edit.source != edit.expected and not edit.file:
            yield Fold(f"{edit.label or 'The whole cell'}, to copy", (Code(edit.source),))


def _change_and_reason(fix: FixView) -> Iterator[Block]:
    for step in fix.first:
        yield Paragraph(f"Runs first: {step.name} `{first_line(step.source)}` ({step.why})")
    for edit in fix.edits:
        label = "this cell" if len(fix.edits) > 1 and not edit.label else edit.label
        yield from _edit_blocks(edit, label)
    if fix.explanation.strip():
        yield Paragraph(fix.explanation.strip())


def _warnings(fix: FixView) -> Iterator[Block]:
    yield from (
        Paragraph(option.repeats, "warning") for option in fix.run_options[:1]
    )  # what the command to accept asks about first
    yield from (Paragraph(finding.text, finding.tone) for finding in fix.findings)


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
    return Fold(preview.summary, output + changes, preview.effects and f"in the trial it {preview.effects}")
