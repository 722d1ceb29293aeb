"""The ways to run an accepted cell that repeats something, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reflex_ipython.models import RunOption


@dataclass(frozen=True)
class RunOptionView:
    """A way to run an accepted cell that repeats something. `whole`: all of it, though it could be resumed."""

    whole: bool
    label: str
    repeats: str


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
