"""What speaks for a lesson: how often it worked, how often it did not, where and when."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath

from reflex_ipython.base.parsing import parse_once
from reflex_ipython.models import Lesson, Precedent
from reflex_ipython.propose.recall.generalise import is_anchored

RULE = 3
"""In so many notebooks a lesson must have been right to be a rule of the user's own."""
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_TIMES = {1: "once", 2: "twice"}


@dataclass(frozen=True)
class Evidence:
    """All precedents of one lesson, the latest first."""

    lesson: Lesson
    precedents: Sequence[Precedent]

    @property
    def right(self) -> int:
        """How often it was accepted and ran."""
        return sum(each.worked for each in self.precedents)

    @property
    def wrong(self) -> int:
        """How often it was rejected or undone, or failed."""
        return len(self.precedents) - self.right

    @property
    def notebooks(self) -> int:
        """In how many notebooks it was right."""
        return len({each.place for each in self.precedents if each.worked})

    @property
    def is_usable(self) -> bool:
        """Whether it was right more often than not."""
        return self.right > self.wrong

    @property
    def is_rule(self) -> bool:
        """Whether it has become a rule: right in several notebooks, and hardly ever wrong."""
        return self.notebooks >= RULE and self.right > 3 * self.wrong

    def _is_alike(self, shape: str) -> bool:
        return bool(shape) and any(each.lesson.shape == shape for each in self.precedents)

    def prior(self, shape: str) -> float:
        """How likely it is meant, given that it runs, for a failing statement of that shape.

        What was right once is no more than a possibility, if it was in another statement or is about certain values.
        """
        alike = self._is_alike(shape)
        share = self.right / (self.right + 2 * self.wrong)
        if self.is_rule:
            return 0.95 * share
        likely = alike and (self.right > 1 or not _adds_values(self.lesson))
        return min(0.9, (0.7 if likely else 0.45) + 0.1 * (self.right - 1)) * share

    def fits(self, shape: str) -> bool:
        """Whether it is looked for in a failing statement of that shape: what says little, in the same one only."""
        tree = parse_once(self.lesson.before)
        return self._is_alike(shape) or (tree is not None and is_anchored(tree))

    def words(self, now: datetime | None = None) -> str:
        """`accepted 4 times, last on 3 Nov in sales.ipynb`."""
        right = [each for each in self.precedents if each.worked]
        last, times = right[0], _TIMES.get(len(right), f"{len(right)} times")
        name = PurePath(last.notebook.replace("\\", "/")).name
        where = f" in {name}" if name else ""
        again = "" if len(right) == 1 else "last "
        return f"accepted {times}, {again}{_day(last.at, now)}{where}"


def _adds_values(lesson: Lesson) -> bool:
    """Whether it puts texts or numbers in that were not there, as `sep=";"`: the next file may well want others."""
    values = [set[str](), set[str]()]
    for text, found in zip((lesson.before, lesson.after), values):
        tree = parse_once(text)
        nodes = ast.walk(tree) if tree is not None else ()
        found |= {
            repr(each.value) for each in nodes if isinstance(each, ast.Constant) and each.value not in (True, None)
        }
    return not values[1] <= values[0]


def gathered(precedents: Iterable[Precedent]) -> list[Evidence]:
    """The lessons with what speaks for each, the best first."""
    by_lesson: dict[str, list[Precedent]] = {}
    for precedent in sorted(precedents, key=lambda each: each.at, reverse=True):
        by_lesson.setdefault(precedent.lesson.id, []).append(precedent)
    found = [Evidence(each[0].lesson, each) for each in by_lesson.values()]
    return sorted(found, key=lambda each: (not each.is_rule, each.wrong - each.right))


def _day(at: str, now: datetime | None) -> str:
    """`today`, `on 3 Nov`, `on 3 Nov 2025`, in local time."""
    now = now or datetime.now().astimezone()
    try:
        moment = datetime.fromisoformat(at.replace("Z", "+00:00")).astimezone(now.tzinfo)
    except (ValueError, OverflowError):
        return f"on {at}"
    if moment.date() == now.date():
        return "today"
    year = "" if moment.year == now.year else f" {moment.year}"
    return f"on {moment.day} {_MONTHS[moment.month - 1]}{year}"
