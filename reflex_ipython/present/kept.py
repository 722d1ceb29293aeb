"""What a notebook's file keeps of a panel: little for any cell, and nothing that was only seen in a trial.

What is live goes to the pages by their comm. What is kept is drawn where no kernel knows the repair, and in exports.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from typing import Any

from reflex_ipython.models import Repair, Verdict
from reflex_ipython.present.blocks import Block, Diff, Heading, Paragraph, Title
from reflex_ipython.present.diff import plain
from reflex_ipython.present.excerpt import ExcerptBounds, excerpt
from reflex_ipython.present.fix_blocks import first_line
from reflex_ipython.present.fold import FOLD
from reflex_ipython.present.notice import Notice
from reflex_ipython.present.page import as_html
from reflex_ipython.present.panel import (
    MIME,
    AcceptedView,
    EditView,
    FixView,
    PanelState,
    RunFirstView,
    document,
    panel_state,
)
from reflex_ipython.present.printable import one_line
from reflex_ipython.present.proposal import as_applied
from reflex_ipython.present.text import as_text

LARGEST = 3_800
"""Bytes in the notebook's file; what nbformat writes around an output comes on top."""
BOUNDS = (
    ExcerptBounds(16, 120, 240),
    ExcerptBounds(10, 100, 200),
    ExcerptBounds(6, 80, 160, context=1),
    ExcerptBounds(6, 80, 160, context=0),
    ExcerptBounds(4, 60, 100, 2, 0),
    ExcerptBounds(2, 40, 50, 1, 0),
    ExcerptBounds(2, 20, 20, 1, 0),
)
"""The first that fit are taken."""
NOTE = ExcerptBounds(0, 0, 1_500)
"""Of the line on what became of a fix: what was not put back is said to its end."""
_DEPTH = 5  # how far nbformat indents an output's data
_NEEDED = ("id", "execution_count", "expected", "source", "text")
_UNSAID = {"text": "", "tone": "plain"}
_WORKING = "looking for a fix"
_EXPECTED = "Reflex: this failure was expected."


def kept(repair: Repair, state: PanelState) -> dict[str, Any]:
    """The MIME bundle that is saved.

    Parameters
    ----------
    repair : Repair
    state : PanelState
        Its panel.
    """
    applied = _as_applied(repair, state)
    bundle: dict[str, Any] = {}
    for bounds in BOUNDS:
        blocks = list(_blocks(repair, applied, bounds))
        bundle = {
            MIME: slim(kept_state(state, bounds)),
            "text/html": as_html(blocks),
            "text/plain": as_text(_brief(blocks, bounds)),
        }
        if _size(bundle) <= LARGEST:
            break
    return bundle


def slim(state: PanelState) -> dict[str, Any]:
    """A kept panel as JSON, without the fields that a page fills in by itself."""
    made = without_empty(document(state))
    return {"working": "", "fixes": [], **made}


def kept_state(state: PanelState, bounds: ExcerptBounds) -> PanelState:
    """The panel as it is saved: an excerpt, whose texts are no sources."""
    notice = state.notice and dataclasses.replace(state.notice, text=_cut(state.notice.text, bounds))
    return PanelState(
        repair=state.repair,
        session=state.session,
        cell=state.cell,
        error=_cut(state.error, bounds),
        phase=state.phase,
        notice=notice,
        working=_WORKING if state.working else "",
        accepted=state.accepted and AcceptedView(state.accepted.fix, ()),
        fixes=tuple(kept_fix(fix, bounds) for fix in _shown(state, bounds)),
        quiet=state.quiet,
        question=_cut(state.question, bounds),
    )


def kept_fix(fix: FixView, bounds: ExcerptBounds) -> FixView:
    """A proposal as it is saved: what it changes, and nothing of what came of it."""
    return FixView(
        id=fix.id,
        origin=_cut(fix.origin, bounds),
        explanation=_explanation(fix, bounds),
        usage="",
        edits=tuple(_kept_edit(edit, bounds) for edit in fix.edits[: bounds.several]),
        verdict=Notice(""),
        findings=(),
        dangerous=fix.dangerous,
        installs=tuple(_cut(one, bounds) for one in fix.installs[: bounds.several]),
        first=tuple(
            RunFirstView(step.cell, _cut(step.name, bounds), first_line(step.source), _cut(step.why, bounds), "")
            for step in fix.first[: bounds.several]
        ),
    )


_OF_THE_TEXT = frozenset(
    [
        *("comments-out", "constant-result", "drops-failing-work", "drops-statements", "ignores-errors"),
        *("silences-warnings", "swallows-exception", "unverified"),
    ]
)
"""Doubts that quote nothing but the diff, which is kept as well: all others may tell of data."""


def _as_applied(repair: Repair, state: PanelState) -> PanelState:
    """The panel with the accepted fix alone, as the user has made it."""
    fix = repair.fix(repair.decision.fix_id) if repair.decision else None
    return panel_state(dataclasses.replace(repair, fixes=(as_applied(repair, fix),))) if fix else state


def _blocks(repair: Repair, state: PanelState, bounds: ExcerptBounds) -> Iterator[Block]:
    """The same for who has only HTML, or only text: the changed lines, and one line of what happened."""
    if state.quiet:
        yield Paragraph(_EXPECTED, quiet=True)
    elif state.question:
        yield from _choice(state, bounds)
    else:
        yield from _fix(repair, state, bounds)
    if state.notice is not None and not state.quiet:
        yield Paragraph(_cut(state.notice.text, bounds), state.notice.tone)
    elif state.phase == "searching":
        yield Paragraph(f"{_WORKING} …", quiet=True)


def _choice(state: PanelState, bounds: ExcerptBounds) -> Iterator[Block]:
    yield Title(_cut(state.error, bounds))
    yield Paragraph(_cut(state.question, bounds))
    for number, fix in enumerate(state.fixes[: bounds.several], 1):
        yield Heading(f"Fix {number}", _cut(fix.origin, bounds))
        yield from _changes(fix, bounds)
    yield from _and_more(len(state.fixes) - bounds.several, "fix", "fixes")


def _fix(repair: Repair, state: PanelState, bounds: ExcerptBounds) -> Iterator[Block]:
    fix = next(iter(state.fixes), None)
    yield Title(_cut(state.error, bounds), _cut(fix.origin, bounds) if fix else "")
    if fix is None:
        return
    yield from _changes(fix, bounds)
    verdict = repair.verdicts.get(fix.id, Verdict())
    if state.notice is None:
        line = _came_to(verdict)
        yield Paragraph(line.text, line.tone)


def _changes(fix: FixView, bounds: ExcerptBounds) -> Iterator[Block]:
    for step in fix.first[: bounds.several]:
        yield Paragraph(_cut(f"Runs first: {step.name}", bounds))
    for requirement in fix.installs[: bounds.several]:
        yield Paragraph(_cut(f"Installs {requirement}", bounds))
    changed = [edit for edit in fix.edits if edit.source != edit.expected]
    for edit in changed[: bounds.several]:
        label = "this cell" if len(fix.edits) > 1 and not edit.label else edit.label
        yield Diff(edit.hunks, _cut(label, bounds), bounds)
    yield from _and_more(len(changed) - bounds.several, "cell", "cells")
    if not changed:
        yield Paragraph("The cell's text stays the same; it is run again.")
    if explanation := _explanation(fix, bounds):
        yield Paragraph(explanation)


def _and_more(more: int, one: str, several: str) -> Iterator[Block]:
    if more > 0:
        yield Paragraph(f"… and {more} more {one if more == 1 else several}", quiet=True)


def _came_to(verdict: Verdict) -> Notice:
    """What came of a trial without anything that was seen in it: an error's message may hold data."""
    if verdict.outcome == "passed":
        said = next((doubt.text for doubt in verdict.doubts if doubt.code in _OF_THE_TEXT), "")
        but = f", but {one_line(said, 120)}" if said else ""
        return Notice(f"ran in a copy of the kernel{but}", "warning" if verdict.doubts else "good")
    if verdict.outcome == "other_error":
        name = verdict.trial.ename if verdict.trial else ""
        return Notice(f"raised {one_line(name, 60) or 'an error'} in a copy of the kernel", "bad")
    if verdict.is_past:
        return Notice("got past the error in a copy of the kernel", "warning")
    words = {
        "timed_out": "took too long in a copy of the kernel",
        "blocked": "blocked by the sandbox",
        "inconclusive": "tried in a copy of the kernel, without a result",
    }
    return Notice(words.get(verdict.outcome, "not tried"), "plain" if verdict.outcome == "not_tried" else "warning")


def _shown(state: PanelState, bounds: ExcerptBounds) -> tuple[FixView, ...]:
    """The fixes of a choice; else the accepted one or the first."""
    if state.question:
        return state.fixes[: bounds.several]
    accepted = tuple(fix for fix in state.fixes if state.accepted and fix.id == state.accepted.fix)
    return (accepted or state.fixes)[:1]


def _kept_edit(edit: EditView, bounds: ExcerptBounds) -> EditView:
    """The changed lines of both sides, and what is near them, in the place of the sources."""
    if edit.source == edit.expected:
        return EditView(edit.cell, _cut(edit.label, bounds), "", "", (), edit.file)
    lines = [
        (sign, f"{FOLD} {plain(line)}" if sign == FOLD else plain(line)) for sign, line in excerpt(edit.hunks, bounds)
    ]
    old, new = ("\n".join(text for sign, text in lines if sign != side) for side in "+-")
    return EditView(edit.cell, _cut(edit.label, bounds), old, new, (), edit.file)


def _explanation(fix: FixView, bounds: ExcerptBounds) -> str:
    """Why, where a rule says so: what a model writes may quote what it was told of a trial."""
    return _cut(fix.explanation, bounds) if fix.origin.partition(":")[0] == "rule" else ""


def _brief(blocks: list[Block], bounds: ExcerptBounds) -> list[Block]:
    """The same for plain text, with the first of the changed lines alone."""
    short = dataclasses.replace(bounds, lines=min(bounds.lines, 4), width=min(bounds.width, 80), context=0)
    return [dataclasses.replace(block, bounds=short) if isinstance(block, Diff) else block for block in blocks]


def _cut(text: str, bounds: ExcerptBounds) -> str:
    return one_line(text, bounds.words)


def without_empty(part: Any) -> Any:
    """Some JSON of a panel without the fields that are empty and can be filled in."""
    if isinstance(part, list):
        return [without_empty(one) for one in part]
    if not isinstance(part, dict):
        return part
    return {
        name: without_empty(value)
        for name, value in part.items()
        if name in _NEEDED or value not in ("", [], None, False, _UNSAID)
    }


def _size(bundle: dict[str, Any]) -> int:
    """Bytes of it in a notebook's file, where texts are lists of lines."""
    lines = {name: part.splitlines(keepends=True) if isinstance(part, str) else part for name, part in bundle.items()}
    written = json.dumps(lines, ensure_ascii=False, indent=1)
    return len(written.encode("utf-8", "replace")) + _DEPTH * (written.count("\n") + 1)
