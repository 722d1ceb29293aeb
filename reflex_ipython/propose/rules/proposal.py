"""What a rule is, and what it gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from reflex_ipython.models import Failure


@dataclass(frozen=True)
class Proposal:
    """What a rule proposes for the failing cell.

    Parameters
    ----------
    source : str
        The cell's complete new text.
    explanation : str
        Why this fixes the error: one or two plain sentences of fact.
    rule : str
        The rule's name as the user sees it, `closest column`.
    """

    source: str
    explanation: str
    rule: str


Rule = Callable[[Failure], Iterable[Proposal]]
"""A rule looks at the failure and at nothing else. A rule that is not sure yields nothing."""
