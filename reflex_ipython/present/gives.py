"""What a fix gives, in one line: several that run are told apart by it."""

from __future__ import annotations

from reflex_ipython.models import NameChange, Trial
from reflex_ipython.present.preview import as_a_terminal_shows, described

_PARTS = 3
_LONGEST = 80  # characters of a part


def gives(trial: Trial) -> str:
    """What a run came to: its result, what it printed, the user's names; empty if there is nothing to tell.

    Parameters
    ----------
    trial : Trial
        Of a fix that passed.
    """
    parts = [_line("gives", trial.result), _line("prints", as_a_terminal_shows(trial.stdout))]
    if trial.figures:
        parts.append("shows a figure" if trial.figures == 1 else f"shows {trial.figures} figures")
    parts += map(_change, trial.changes)
    told = [part for part in parts if part]
    more = len(told) - _PARTS
    return " · ".join(told[:_PARTS]) + (f" · and {more} more" if more > 0 else "")


def _line(verb: str, text: str) -> str:
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if not lines:
        return ""
    more = len(lines) - 1
    return f"{verb} {_clipped(lines[0])}" + (f" and {more} more line{'s' if more > 1 else ''}" if more else "")


def _change(change: NameChange) -> str:
    if change.after is None:
        return f"removes `{change.name}`"
    if change.after.text:
        return f"`{change.name}` = {_clipped(change.after.text)}"
    return f"`{change.name}`: {described(change.after)}"


def _clipped(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
