"""A failed cell that the user has changed: whether a run of it could go on where it failed, in words."""

from __future__ import annotations

from collections.abc import Sequence

from reflex_ipython.models import RunOption

ANOTHER_RAN = "Another cell has run since, so the changed cell can only run whole."
WHOLE = "Nothing of what had run can be skipped, so the changed cell runs whole."
UNKNOWN = "It is not known any more what the failed run did, so the changed cell can only run whole."


def resume_offer(run_options: Sequence[RunOption]) -> tuple[str, str]:
    """What a button says that resumes it, and what else there is to say.

    Parameters
    ----------
    run_options : sequence of RunOption
        How the changed cell can be run.

    Returns
    -------
    str, str
        The button's label, empty if it can't be resumed; and what running it would repeat, or why it can't be.
    """
    if not run_options:
        return "", UNKNOWN
    option = run_options[0]
    if not option.restores:
        return "", ANOTHER_RAN
    if option.line is None:
        return "", WHOLE
    repeats = f"repeats what can't be undone: {', '.join(option.repeats)}" if option.repeats else ""
    return f"Resume at line {option.line}", repeats
