"""A misspelt name of what a cell sets that did not run: the fix that corrects it and runs that cell first."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from reflex_ipython.base.spans import apply
from reflex_ipython.models import Edit, Failure, Fix
from reflex_ipython.propose.rules.lookups.missing import missing_name

RULE = "closest name in a cell not run"
_MEANT = 0.85
"""How likely the closest name is meant, given that it runs: where several cells set it, that is still an answer."""


def with_name_corrected(fix: Fix, failure: Failure, misspelt: str, wanted: str) -> Iterator[Fix]:
    """The fix that corrects the name as well; none if it is not certain where that stands.

    Parameters
    ----------
    fix : Fix
        Runs the cells that the corrected name needs.
    failure : Failure
    misspelt, wanted : str
        The name in the failing cell, and the one that another cell sets.
    """
    missing = missing_name(failure)
    edits = missing.renamed(wanted) if missing is not None else []
    if edits:
        situation = failure.situation
        edit = Edit(situation.place, situation.source, apply(situation.source, edits))
        explanation = f"The name `{misspelt}` is not defined; the closest is `{wanted}`. {fix.explanation}"
        steps, prior = (*fix.steps, edit), fix.prior * _MEANT
        yield dataclasses.replace(fix, steps=steps, explanation=explanation, detail=RULE, prior=prior)
