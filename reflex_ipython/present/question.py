"""The question before an accepted fix does something again, in the words of the panel's buttons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from reflex_ipython.present.printable import printable
from reflex_ipython.present.run_options import RunOptionView

Answer = Literal["resume", "whole", "no"]
NOT_ACCEPTED = "Not accepted: nothing has changed."


def listing(run_options: Sequence[RunOptionView]) -> str:
    """What can be chosen, a line each.

    Parameters
    ----------
    run_options : sequence of RunOptionView
        As the panel has them: at least one.
    """
    return "\n".join(f"{printable(option.label)}: {printable(option.repeats)}" for option in run_options)


def prompt(run_options: Sequence[RunOptionView]) -> str:
    """What to type."""
    return " / ".join([*("run [w]hole" if option.whole else "[r]esume" for option in run_options), "[n]o"]) + ": "


def understood(typed: str, run_options: Sequence[RunOptionView]) -> Answer | None:
    """What was answered; None for what is no answer. Nothing at all is a no."""
    word = typed.strip().lower()
    if word in ("", "n", "no"):
        return "no"
    for option in run_options:
        names = ("w", "whole", "run whole") if option.whole else ("r", "resume")
        if word in names:
            return "whole" if option.whole else "resume"
    return None


def nobody_to_ask(run_options: Sequence[RunOptionView]) -> str:
    """What to say where nobody can answer: what would happen again, and which flags decide."""
    flags = " or ".join(f"`%reflex accept --{'whole' if option.whole else 'resume'}`" for option in run_options)
    decides = f"Choose with {flags}; `%reflex edit` runs nothing."
    return f"Not accepted, because you can't be asked here.\n{listing(run_options)}\n{decides}"


def not_resumed(run_options: Sequence[RunOptionView]) -> str:
    """What to say to `--resume` where there is nothing to resume."""
    return f"The cell can't be resumed.\n{listing(run_options)}\n`%reflex accept --whole` runs all of it."
