"""Fixes to choose from, numbered: below the cell, and where a command did not say which."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_ipython.models import Repair
from reflex_ipython.present.blocks import Block, Heading, Paragraph
from reflex_ipython.present.diff import plain
from reflex_ipython.present.fix_blocks import alternative_blocks, gives_line, whole_cells
from reflex_ipython.present.panel import FixView, PanelState, panel_state
from reflex_ipython.present.printable import one_line

_LONGEST = 100  # characters of a line of code in a list


def alternatives(state: PanelState) -> Iterator[Block]:
    """The question, and each fix with what to type for it."""
    yield Paragraph(state.question)
    for number, fix in enumerate(state.fixes, 1):
        yield Heading(f"Fix {number} · {fix.origin}", f"%reflex accept {number}")
        yield from alternative_blocks(fix)
        yield from whole_cells(fix)


def which_one(repair: Repair, command: str) -> str:
    """What to say to a command that names none of them: the question, and a line for each.

    Parameters
    ----------
    repair : Repair
        A choice.
    command : str
        `accept` or `edit`.
    """
    state = panel_state(repair)
    lines = [f"  %reflex {command} {number}  {_brief(fix)}" for number, fix in enumerate(state.fixes, 1)]
    return "\n".join([f"{state.question} Nothing has changed.", *lines])


def _brief(fix: FixView) -> str:
    return "  ".join(part for part in (_first_line(fix), one_line(gives_line(fix), _LONGEST)) if part)


def _first_line(fix: FixView) -> str:
    """The first line that it changes, as it becomes."""
    for edit in fix.edits:
        for hunk in edit.hunks:
            if hunk.changed:
                return one_line(plain((hunk.new or hunk.old)[0]).strip(), _LONGEST)
    names = ", ".join(step.name for step in fix.first)
    return f"runs {names} first" if names else "runs the cell again"
