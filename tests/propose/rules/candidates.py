"""What the rules propose to try, and how likely each is."""

from __future__ import annotations

from reflex_ipython.models import Failure
from tests.propose.rules.build import fixes


def candidates(failed: Failure) -> dict[str, float]:
    """The sources of the candidates, the likeliest first, with their priors."""
    found = sorted((fix for fix in fixes(failed) if fix.is_candidate), key=lambda fix: -fix.prior)
    return {fix.edits[-1].source: fix.prior for fix in found}


def likeliest(failed: Failure) -> str | None:
    """The source of the likeliest candidate; None if there is none."""
    return next(iter(candidates(failed)), None)
