"""The frames of a traceback as plain data: some source around each failing line, and the variables that it uses."""

from __future__ import annotations

import dataclasses
import linecache
from collections import Counter
from collections.abc import Iterable

from reflex_ipython.capture import safe_inspection, statement
from reflex_ipython.capture.bounds import SummaryDeadline, attempt, clip
from reflex_ipython.capture.named import NAME
from reflex_ipython.capture.trace import Step
from reflex_ipython.capture.values import summarize
from reflex_ipython.models import Frame, ValueSummary

_FIRST, _LAST = 12, 18  # frames kept at either end of a long traceback
_REPEATED = 2  # of the same line of the same function
_AROUND = {"user": 8, "library": 2, "machinery": 0}  # lines on either side
_VARIABLES = {"user": 20, "library": 4, "machinery": 0}
_WIDTH = 400  # characters of a source line


def frames(steps: list[Step], clock: SummaryDeadline, size: int) -> tuple[Frame, ...]:
    """The frames, outermost first.

    Parameters
    ----------
    steps : list of Step
        The traceback.
    clock : SummaryDeadline
        When to give up on values.
    size : int
        The longest summary of one variable, in characters.
    """
    kept = shorten(steps)
    return tuple(_frame(step, clock, size, variables=step.origin == "user" or step is kept[-1]) for step in kept)


def shorten(steps: list[Step]) -> list[Step]:
    """The steps without the middle of a long recursion; where some are left out, the step before says how many."""
    seen: Counter[tuple[str, str, int]] = Counter()
    keep = []
    for position, step in enumerate(steps):
        key = (step.filename, step.function, step.lineno)
        seen[key] += 1
        if seen[key] <= _REPEATED or position >= len(steps) - _REPEATED:
            keep.append(position)
    if len(keep) > _FIRST + _LAST:
        keep = keep[:_FIRST] + keep[-_LAST:]
    ends = [*keep[1:], len(steps)]
    return [
        dataclasses.replace(steps[at], skipped=(end - at - 1) + sum(step.skipped for step in steps[at:end]))
        for at, end in zip(keep, ends)
    ]


def _frame(step: Step, clock: SummaryDeadline, size: int, *, variables: bool) -> Frame:
    source, first = _around(step)
    return Frame(
        filename=clip(step.filename, 1_000),
        function=clip(step.function, 200),
        lineno=step.raw_lineno,
        source=source,
        first_lineno=first,
        cell=step.cell.cell if step.cell else None,
        variables=attempt((), _variables, step, clock, size) if variables else (),
        skipped=step.skipped,
        span=attempt(None, lambda: step.raw_span),
    )


def _around(step: Step) -> tuple[str, int]:
    """Some lines around the failing one, and the number of the first."""
    lines = step.cell.source.split("\n") if step.cell else linecache.getlines(step.filename)
    around, at = _AROUND[step.origin], step.raw_lineno
    first = max(at - around, 1)
    return "\n".join(clip(line.rstrip("\r\n"), _WIDTH) for line in lines[first - 1 : at + around]), first


def _variables(step: Step, clock: SummaryDeadline, size: int) -> tuple[ValueSummary, ...]:
    names = statement.names(step) or _names_in_line(step)
    values = ((name, step.variable(name)) for name in names if _is_users(name, step))
    found = [(name, value) for name, value in values if value is not safe_inspection.MISSING]
    return tuple(summarize(name, value, clock, size) for name, value in found[: _VARIABLES[step.origin]])


def _names_in_line(step: Step) -> Iterable[str]:
    line = linecache.getline(step.filename, step.lineno)
    return dict.fromkeys(name for name in NAME.findall(line[:_WIDTH]) if name)


def _is_users(name: str, step: Step) -> bool:
    """Whether the name means something of the code's own, not a builtin."""
    builtin = dict.get(step.frame.f_builtins, name, safe_inspection.MISSING)
    return builtin is safe_inspection.MISSING or step.variable(name) is not builtin
