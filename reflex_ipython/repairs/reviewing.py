"""Whether code that ran does what was asked for: the opinion of who wrote it, as a finding like any other."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from reflex_ipython.errors import ProviderError
from reflex_ipython.models import Cause, Finding, Fix, Repair, Usage, Verdict, Wish
from reflex_ipython.models.execution import NOT_AS_ASKED
from reflex_ipython.protocols import Attempt, Request, Review, Reviews
from reflex_ipython.repairs.pipeline import without_secrets
from reflex_ipython.stages import Redactor

AS_ASKED = "as-asked"


def reviewed(
    provider: Reviews, cause: Cause, attempt: Attempt, request: Request, redactor: Callable[[], Redactor]
) -> Review | None:
    """What a provider thinks of code that ran, with secrets put back; None where it has no opinion, or can't be asked.

    Parameters
    ----------
    provider : Reviews
    cause : Failure or Wish
    attempt : Attempt
        The code, and what its trial has shown.
    request : Request
    redactor : callable
        As in `pipeline.grow`.
    """
    secrets = redactor()
    hidden, told = without_secrets(cause, dataclasses.replace(request, attempts=(attempt,)), secrets)
    if not isinstance(hidden, Wish) or not told.attempts or (trial := told.attempts[0].verdict.trial) is None:
        return None
    try:
        review = provider.review(hidden, told.attempts[0].fix, trial, told)
    except ProviderError:
        return None
    return None if review is None else dataclasses.replace(review, words=secrets.restore(review.words))


def with_review(repair: Repair, fix: Fix, verdict: Verdict, review: Review, whom: str) -> tuple[Repair, Verdict]:
    """The repair with that opinion among the findings, and with what it took to ask; the new verdict on the fix."""
    verdict = dataclasses.replace(verdict, findings=(*verdict.findings, _finding(review, whom)))
    fixes = tuple(
        dataclasses.replace(one, usage=_together(one.usage, review.usage)) if one.id == fix.id else one
        for one in repair.fixes
    )
    return dataclasses.replace(repair, fixes=fixes, verdicts={**repair.verdicts, fix.id: verdict}), verdict


def _finding(review: Review, whom: str) -> Finding:
    why = f": {review.words}" if review.words else ""
    if review.fulfils:
        return Finding(AS_ASKED, f"does what you asked for, says {whom}{why}", "note")
    return Finding(NOT_AS_ASKED, f"does not do what you asked for, says {whom}{why}")


def _together(one: Usage | None, other: Usage | None) -> Usage | None:
    if one is None or other is None:
        return one or other
    return Usage(
        one.model,
        _sum(one.input_tokens, other.input_tokens),
        _sum(one.output_tokens, other.output_tokens),
        round(one.seconds + other.seconds, 3),
        None if one.cost_usd is None or other.cost_usd is None else one.cost_usd + other.cost_usd,
    )


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other
