"""What a person sees of a repair below a failed cell: the fix, why, what is known of it, and what to type."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from reflex_ipython.models import Fix, Repair
from reflex_ipython.present.alternatives import alternatives
from reflex_ipython.present.attempts import attempts
from reflex_ipython.present.blocks import Block, Fold, Paragraph, Title
from reflex_ipython.present.fix_blocks import fix_blocks, whole_cells
from reflex_ipython.present.panel import FixView, PanelState, panel_state

COMMANDS = "`%reflex accept` applies and runs it · `%reflex edit` · `%reflex reject`"
INSTALL_COMMANDS = "`%reflex accept` installs {} and runs the cell · `%reflex reject`"
FILE_COMMANDS = "`%reflex accept` writes {} and runs the cell · `%reflex reject`"
CHOICE_COMMANDS = "`%reflex accept 1` applies and runs fix 1 · `%reflex edit 1` · `%reflex reject`"
NOTHING_COMMANDS = (
    "`%reflex edit` lets you mend it and goes on where it failed · `%reflex fix` looks again · "
    "`%reflex fix HINT` asks the model · `%reflex model` shows or chooses it"
)
NOTHING_WRITTEN_COMMANDS = "`%reflex fix HINT` asks again · `%reflex model` shows or chooses whom"

QUIET = "Reflex: this failure was expected. `%reflex explain` says what is known of it."


def proposal(repair: Repair, working: str = "") -> list[Block]:
    """The accepted fix as it was applied, else the first one; the others are folded. `working`: who is at work.

    Where several things may be meant, all fixes one below the other.
    """
    state = panel_state(repair, working=working)
    if state.quiet:
        return [Paragraph(QUIET, quiet=True)]
    if state.question:
        return _choice(state)
    number = _shown(repair)
    shown = repair.fixes[number - 1 : number]
    state = panel_state(
        dataclasses.replace(repair, fixes=tuple(as_applied(repair, fix) for fix in shown)), working=working
    )
    blocks: list[Block] = [Title(state.error, _note(state, number, len(repair.fixes)))]
    for fix in state.fixes:
        blocks += fix_blocks(fix)
    blocks += _notice(state)
    made = attempts(repair)
    if len(made) > 1:
        blocks += [Paragraph(one.text, one.tone) for one in made]
    if state.phase == "ready":
        blocks += [*whole_cells(state.fixes[0]), *_others(repair, number), Paragraph(_commands(state), quiet=True)]
    elif state.phase == "searching":
        blocks.append(Paragraph(f"{working} …", quiet=True))
    elif state.phase == "nothing":
        blocks.append(Paragraph(NOTHING_COMMANDS if repair.failure else NOTHING_WRITTEN_COMMANDS, quiet=True))
    return blocks


def _commands(state: PanelState) -> str:
    installs, files = state.fixes[0].installs, _files(state.fixes[0])
    if files and not installs:
        return FILE_COMMANDS.format(", ".join(files))
    return INSTALL_COMMANDS.format(", ".join(installs)) if installs else COMMANDS


def _files(fix: FixView) -> list[str]:
    """The names of the files that it changes."""
    changed = (edit for edit in fix.edits if edit.file and edit.source != edit.expected)
    return [edit.label.rpartition("/")[2] for edit in changed]


def as_applied(repair: Repair, fix: Fix) -> Fix:
    """The fix with the sources that the user made of it, if this is the one that was accepted."""
    decision = repair.decision
    if decision is None or decision.fix_id != fix.id or not repair.applied:
        return fix
    return dataclasses.replace(fix, steps=repair.applied)


def _choice(state: PanelState) -> list[Block]:
    return [
        Title(state.error),
        *alternatives(state),
        *_notice(state),
        Paragraph(CHOICE_COMMANDS, quiet=True),
    ]


def _shown(repair: Repair) -> int:
    """The number of the one fix to show: the accepted one, else the first; 0 if there is none."""
    accepted = repair.fix(repair.decision.fix_id) if repair.decision else None
    return repair.fixes.index(accepted) + 1 if accepted else min(1, len(repair.fixes))


def _notice(state: PanelState) -> Iterator[Block]:
    if state.notice is not None:
        yield Paragraph(state.notice.text, state.notice.tone)


def _note(state: PanelState, number: int, count: int) -> str:
    if not state.fixes:
        return ""
    fix = state.fixes[0]
    which = f"{number} of {count}" if count > 1 and state.phase == "ready" else ""
    return " · ".join(part for part in (which, fix.origin, fix.usage) if part)


def _others(repair: Repair, shown: int) -> Iterator[Block]:
    """The fixes but the one with that number."""
    if len(repair.fixes) == 1:
        return
    views = panel_state(repair).fixes
    for number, fix in enumerate(views, 1):
        if number != shown:
            summary = " · ".join(part for part in (f"Fix {number} of {len(views)}", fix.origin, fix.usage) if part)
            commands = f"`%reflex show {repair.id}` · `%reflex accept {number}`"
            yield Fold(summary, tuple(fix_blocks(fix)), f"{summary}: {commands}")
