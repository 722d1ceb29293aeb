"""A fix as it is shown where there is neither a kernel nor a cell: of a script, of a function that heals."""

from __future__ import annotations

import dataclasses

from reflex_ipython.present.panel import FixView

_COPY, _OF_THE_PROGRAM = "a copy of your kernel", "a copy of this program"


def outside_of_notebooks(view: FixView) -> FixView:
    """The fix without the call, which stands for a cell, and in words that are true of a program.

    Parameters
    ----------
    view : FixView
    """
    changing = tuple(edit for edit in view.edits if edit.source != edit.expected)
    verdict = dataclasses.replace(view.verdict, text=view.verdict.text.replace(_COPY, _OF_THE_PROGRAM))
    return dataclasses.replace(view, edits=changing or view.edits, verdict=verdict)
