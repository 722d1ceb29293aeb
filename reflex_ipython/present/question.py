"""The question before an accepted fix does something again, in the words of the panel's buttons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from reflex_ipython.present.panel import RunOptionView
from reflex_ipython.present.printable import printable

Answer = Literal["resume", "whole", "no"]
NOT_ACCEPTED = "Not accepted: nothing has changed."


def listing(ways: Sequence[RunOptionView]) -> str:
    """What can be chosen, a line each.

    Parameters
    ----------
    ways : sequence of RunOptionView
        As the panel has them: at least one.
    """
    return "\n".join(f"{printable(way.label)}: {printable(way.repeats)}" for way in ways)


def prompt(ways: Sequence[RunOptionView]) -> str:
    """What to type."""
    return " / ".join([*("run [w]hole" if way.whole else "[r]esume" for way in ways), "[n]o"]) + ": "


def understood(typed: str, ways: Sequence[RunOptionView]) -> Answer | None:
    """What was answered; None for what is no answer. Nothing at all is a no."""
    word = typed.strip().lower()
    if word in ("", "n", "no"):
        return "no"
    for way in ways:
        names = ("w", "whole", "run whole") if way.whole else ("r", "resume")
        if word in names:
            return "whole" if way.whole else "resume"
    return None


def nobody_to_ask(ways: Sequence[RunOptionView]) -> str:
    """What to say where nobody can answer: what would happen again, and which flags decide."""
    flags = " or ".join(f"`%reflex accept --{'whole' if way.whole else 'resume'}`" for way in ways)
    return (
        f"Not accepted, since nobody can be asked here.\n{listing(ways)}\n{flags} decides; `%reflex edit` runs nothing."
    )


def not_resumed(ways: Sequence[RunOptionView]) -> str:
    """What to say to `--resume` where there is nothing to resume."""
    return f"It can't be resumed.\n{listing(ways)}\n`%reflex accept --whole` does so."
