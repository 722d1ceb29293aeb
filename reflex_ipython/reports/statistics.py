"""What repairs came to, in figures: from what the history has counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reflex_ipython.models import Tally

RIGHT = ("accepted", "edited")
WRONG = ("rejected", "undone", "failed")


@dataclass(frozen=True)
class Figures:
    """How many came to what, for one value of one dimension.

    Parameters
    ----------
    value : str
        `KeyError`, a rule, a day.
    outcomes : dict of str to int
    seconds, tokens : float, int
        What models took for all of them.
    """

    value: str
    outcomes: dict[str, int]
    seconds: float = 0.0
    tokens: int = 0

    @property
    def repairs(self) -> int:
        """All of them."""
        return sum(self.outcomes.values())

    @property
    def right(self) -> int:
        """Those whose fix was accepted and did not fail after that."""
        return sum(self.outcomes.get(each, 0) for each in RIGHT)

    @property
    def wrong(self) -> int:
        """Those whose fix was rejected or undone, or failed."""
        return sum(self.outcomes.get(each, 0) for each in WRONG)

    @property
    def share(self) -> float | None:
        """Which share of the decided ones was right; None if none was decided."""
        decided = self.right + self.wrong
        return self.right / decided if decided else None


def by(dimension: str, tallies: Iterable[Tally], *, periods: bool = False) -> list[Figures]:
    """The figures of one dimension, those with the most repairs first; `periods`: by time instead, the first first."""
    found: dict[str, list[Tally]] = {}
    for tally in tallies:
        if tally.dimension == dimension:
            found.setdefault(tally.period if periods else tally.value, []).append(tally)
    figures = [_sum(value, some) for value, some in found.items()]
    return sorted(figures, key=lambda one: one.value) if periods else sorted(figures, key=lambda one: -one.repairs)


def in_all(tallies: Iterable[Tally]) -> Figures:
    """Those of all repairs together."""
    return _sum("", [tally for tally in tallies if tally.dimension == "all"])


def most_often_wrong(tallies: Sequence[Tally]) -> list[Figures]:
    """The rules that were wrong, those that were so most often first."""
    return sorted((one for one in by("rule", tallies) if one.wrong), key=lambda one: -one.wrong)


def _sum(value: str, tallies: Sequence[Tally]) -> Figures:
    outcomes: dict[str, int] = {}
    for tally in tallies:
        outcomes[tally.outcome] = outcomes.get(tally.outcome, 0) + tally.repairs
    return Figures(value, outcomes, sum(each.seconds for each in tallies), sum(each.tokens for each in tallies))
