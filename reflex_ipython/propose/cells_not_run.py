"""The fix that is no change: cells run first that have not run, have failed, or have been edited since they ran."""

from __future__ import annotations

from collections.abc import Sequence

from reflex_ipython.models import Fix, RunCell, new_id

RULE = "cells not run"
_ONE, _SEVERAL, _BELOW = 0.85, 0.6, 0.4
"""How likely it is meant where one cell gives what was lacking, where several do, and where it stands below."""


def cells_not_run(wanted: str, setter: RunCell, cells: Sequence[RunCell], *, others: int, below: bool) -> Fix:
    """The fix that runs them.

    Parameters
    ----------
    wanted : str
        The name or label that was lacking.
    setter : RunCell
        The cell that gives it.
    cells : sequence of RunCell
        All that run first, in their order; `setter` is one of them.
    others : int
        How many other cells would give it too.
    below : bool
        Whether `setter` comes after the failing cell in the notebook.
    """
    sentences = [f"{_upper(setter.name)} sets `{wanted}`, but {setter.why}{', and is below this one' * below}."]
    if others:
        sentences.append(f"{others} more of the cells that did not run {'sets' if others == 1 else 'set'} it too.")
    needed = [step for step in cells if step != setter]
    if needed:
        names = ", ".join(step.name for step in needed)
        sentences.append(f"What {'they need' if len(needed) > 1 else 'it needs'} is in {names}.")
    prior = _BELOW if below else _SEVERAL if others else _ONE
    return Fix(new_id(), tuple(cells), " ".join(sentences), "rule", RULE, prior=prior)


def _upper(name: str) -> str:
    return name[:1].upper() + name[1:]
