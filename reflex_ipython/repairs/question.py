"""What would leave this machine if a provider were asked."""

from __future__ import annotations

from reflex_ipython.models import Repair
from reflex_ipython.protocols import Asks, FixProvider, Question, Redactor, Request
from reflex_ipython.repairs.pipeline import without_secrets


def question(repair: Repair, provider: FixProvider, request: Request, redactor: Redactor) -> Question:
    """What a provider would send if it were asked now, and what was withheld from that. Nothing is sent."""
    if not isinstance(provider, Asks):
        return Question(provider.label)
    outgoing = provider.would_send(*without_secrets(repair.cause, request, redactor))
    withheld = redactor.withheld(outgoing.body.decode("utf-8", "replace"))
    return Question(provider.label, outgoing, tuple(withheld))
