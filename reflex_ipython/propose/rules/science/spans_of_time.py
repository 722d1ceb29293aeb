"""Columns of durations that are compared or joined with a number: of which unit it is, the durations tell."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator

from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers

_UNITS = {"days": 86_400.0, "hours": 3_600.0, "minutes": 60.0, "seconds": 1.0}
_SPAN = re.compile(
    r"(-?\d+) days?(?:,? \+?(\d+):(\d\d):(\d\d))?|(?:timedelta\()(?:days=(-?\d+))?(?:, )?(?:seconds=(\d+))?"
)


def _compared(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df["took"] > 90`: `pd.Timedelta(minutes=90)`, if the durations are some hours long."""
    pd, imports = scene.module("pandas")
    for node in scene.every(ast.Compare):
        for spans, other in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
            number = other.value if isinstance(other, ast.Constant) else None
            if not isinstance(number, (int, float)) or isinstance(number, bool) or not number:
                continue
            usual = _usual(scene.column(spans))
            for unit, prior in _ranked(abs(number), usual):
                why = f"`{scene.text(spans)}` holds durations; {number:g} is taken for {unit}."
                edit = scene.put(other, f"{pd}.Timedelta({unit}={scene.text(other)})")
                yield scene.proposal([edit, *imports], why, "unit of a duration", prior)


def _usual(facts: str) -> float:
    """The seconds of the first duration that is told; 0 if none is."""
    for one in _SPAN.finditer(facts):
        seconds = 86_400 * int(one[1] or one[5] or 0) + int(one[6] or 0)
        seconds += 3_600 * int(one[2] or 0) + 60 * int(one[3] or 0) + int(one[4] or 0)
        if seconds:
            return abs(float(seconds))
    return 0.0


def _ranked(number: float, usual: float) -> Iterator[tuple[str, float]]:
    """The units, the one that brings the number nearest to the durations first."""
    away = {unit: abs(math.log(number * size / usual)) if usual else 1.0 for unit, size in _UNITS.items()}
    for place, unit in enumerate(sorted(away, key=lambda one: away[one])):
        near = usual and place == 0 and away[unit] < math.log(8)
        yield unit, 0.85 if near else 0.4 if place < 2 or not usual else 0.2


spans_of_time: Rule = answers(
    "spans_of_time",
    (r"Invalid comparison between dtype=timedelta64\S* and (?:int|float)"
     r"|not supported between instances of 'Timedelta' and '(?:int|float)'", _compared),
)  # fmt: skip

RULES = (spans_of_time,)
