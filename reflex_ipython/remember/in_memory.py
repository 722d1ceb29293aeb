"""Finding and counting among repairs that are all at hand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from reflex_ipython.models import Precedent, Repair, RepairFilter, RepairSummary, Tally

LONGEST_WORDS = 4_000
"""Characters of a repair that are searched."""
_WORD = re.compile(r"[^\W_]+")


def newest_first(repairs: Iterable[Repair]) -> list[Repair]:
    """The repairs by time; of two at the same time the later one in the list is the newer."""
    return sorted(repairs, key=lambda repair: repair.cause.at)[::-1]


def was_accepted(repair: Repair) -> bool:
    """Whether the user accepted a fix, and did not take it back."""
    return repair.decision is not None and repair.decision.kind == "accepted"


def summary(repair: Repair) -> RepairSummary:
    """The repair in a line."""
    fix, cell = repair.decided_fix, repair.situation.cell
    seconds, tokens = repair.usage
    return RepairSummary(
        id=repair.id,
        session=repair.session,
        at=repair.cause.at,
        notebook=repair.notebook,
        author=repair.author,
        cell_id=cell.id,
        execution_count=cell.execution_count,
        ename=repair.failure.error.ename if repair.failure else "",
        title=repair.cause.title,
        provider=fix.provider if fix else "",
        rule=fix.detail if fix and fix.lesson is None else "",
        model=fix.usage.model if fix and fix.usage else "",
        outcome=repair.outcome,
        succeeded=repair.rerun.succeeded if repair.rerun else None,
        seconds=seconds,
        tokens=tokens,
    )


def searchable(repair: Repair) -> str:
    """What of a repair is searched by its words."""
    fix = repair.decided_fix
    parts = (repair.cause.title, repair.notebook, fix.explanation if fix else "", repair.situation.source)
    return "\n".join(parts)[:LONGEST_WORDS]


def words(text: str) -> list[str]:
    """The words of what is searched for."""
    return [found.lower() for found in _WORD.findall(text)]


def fits(which: RepairFilter, repair: Repair) -> bool:
    """Whether a repair is meant."""
    line = summary(repair)
    exact = ("ename", "outcome", "provider", "rule", "model", "session", "id")
    if any(getattr(which, name) not in ("", getattr(line, name)) for name in exact):
        return False
    if which.revised not in ("", repair.revised):
        return False
    if which.accepted is not None and was_accepted(repair) != which.accepted:
        return False
    if which.since > line.at or (which.until and line.at >= which.until) or not line.notebook.endswith(which.notebook):
        return False
    there = [found.lower() for found in _WORD.findall(searchable(repair))] if which.text else []
    return all(any(one.startswith(word) for one in there) for word in words(which.text))


def found_among(repairs: Iterable[Repair], which: RepairFilter, count: int) -> list[Repair]:
    """Those that are meant, newest first."""
    return newest_first([repair for repair in repairs if fits(which, repair)])[: max(count, 0)]


def precedents_among(repairs: Iterable[Repair], mistake: str, count: int) -> list[Precedent]:
    """What they say of a mistake, newest first; of all without one."""
    found = [repair.precedent for repair in newest_first(repairs)]
    return [each for each in found if each is not None and mistake in ("", each.lesson.mistake)][: max(count, 0)]


def tallies_of(line: RepairSummary) -> Iterator[Tally]:
    """What one repair adds to the statistics."""
    yield Tally("all", "", line.at[:10], line.outcome, 1, line.seconds, line.tokens)
    for dimension in ("ename", "provider", "rule", "model"):
        value = getattr(line, dimension)
        if value:
            yield Tally(dimension, value, line.at[:7], line.outcome, 1, line.seconds, line.tokens)


def added(tallies: Iterable[Tally]) -> list[Tally]:
    """The sums of tallies that count the same."""
    sums: dict[tuple[str, str, str, str], tuple[int, float, int]] = {}
    for each in tallies:
        key = each.dimension, each.value, each.period, each.outcome
        repairs, seconds, tokens = sums.get(key, (0, 0.0, 0))
        sums[key] = repairs + each.repairs, seconds + each.seconds, tokens + each.tokens
    return [Tally(*key, *numbers) for key, numbers in sums.items() if numbers[0]]
