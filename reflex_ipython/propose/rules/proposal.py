"""What a rule is, and what it gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from reflex_ipython.models import CellSource, Failure


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
    prior : float
        As in `Fix`: 1 if the rule is sure; less for one of several things that may be meant.
    cell : CellSource or None
        The earlier cell that gets the new text, where the mistake is not in the failing one.
    """

    source: str
    explanation: str
    rule: str
    prior: float = 1.0
    cell: CellSource | None = None


Rule = Callable[[Failure], Iterable[Proposal]]
"""A rule looks at the failure and at nothing else. What it is not sure of has a prior below 1."""
