"""The figures of a bench: how many cases were reproduced, got a fix, and the right one."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from reflex_ipython.headless.bench.outcome import Outcome

NO_RULE = "no fix"
"""The group of the cases that got none."""


@dataclass(frozen=True)
class CaseFigures:
    """Counts of some cases. All but `cases` and `reproduced` count among the reproduced alone.

    Parameters
    ----------
    cases : int
    reproduced : int
        Failed with the exception that they should.
    offered : int
        Got a fix.
    shown_as_ran : int
        The first fix is shown as the answer, and passed its trial.
    runs : int
        The first fix ran without an error once it was accepted.
    right : int
        It is shown as the answer, and the result is right.
    choice : int
        Got a choice.
    right_in_choice : int
        One of its fixes is right.
    wrong_as_ran : int
        Shown as an answer that ran, and wrong.
    explained : int
        There are words about this very error.
    in_trouble : int
        Could not be run, or not to the end.
    seconds_to_offer, seconds_to_verdict : float or None
        Medians.
    """

    cases: int
    reproduced: int
    offered: int
    shown_as_ran: int
    runs: int
    right: int
    choice: int
    right_in_choice: int
    wrong_as_ran: int
    explained: int
    in_trouble: int
    seconds_to_offer: float | None
    seconds_to_verdict: float | None


def figures(outcomes: Iterable[Outcome]) -> CaseFigures:
    """Count."""
    outcomes = list(outcomes)
    failed = [outcome for outcome in outcomes if outcome.reproduced]
    return CaseFigures(
        cases=len(outcomes),
        reproduced=len(failed),
        offered=sum(outcome.offered for outcome in failed),
        shown_as_ran=sum(outcome.shown_as_ran for outcome in failed),
        runs=sum(outcome.runs for outcome in failed),
        right=sum(outcome.right_first for outcome in failed),
        choice=sum(outcome.choice for outcome in failed),
        right_in_choice=sum(outcome.right_in_choice for outcome in failed),
        wrong_as_ran=sum(outcome.wrong_as_ran for outcome in failed),
        explained=sum(outcome.explained for outcome in failed),
        in_trouble=sum(bool(outcome.trouble) for outcome in outcomes),
        seconds_to_offer=_median(outcome.seconds_to_offer for outcome in failed),
        seconds_to_verdict=_median(outcome.seconds_to_verdict for outcome in failed),
    )


def by(group: Callable[[Outcome], str], outcomes: Sequence[Outcome]) -> dict[str, CaseFigures]:
    """The figures of groups, the largest first.

    Parameters
    ----------
    group : callable
        Gives the name of an outcome's group; empty: it is in none.
    outcomes : sequence of Outcome
    """
    groups = defaultdict(list)
    for outcome in outcomes:
        groups[group(outcome)].append(outcome)
    groups.pop("", None)
    return {name: figures(groups[name]) for name in sorted(groups, key=lambda name: (-len(groups[name]), name))}


def exception_class(outcome: Outcome) -> str:
    """The group of a case by the exception that it should raise."""
    return outcome.ename


def family(outcome: Outcome) -> str:
    """The group of a case by the file that it stands in."""
    return outcome.family


def rule(outcome: Outcome) -> str:
    """The group of a reproduced case by who proposed its first fix."""
    return (outcome.rule or NO_RULE) if outcome.reproduced else ""


def _median(seconds: Iterable[float | None]) -> float | None:
    known = [one for one in seconds if one is not None]
    return round(statistics.median(known), 2) if known else None
