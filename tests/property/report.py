"""What is printed: failures as cells to paste, and the list of named differences."""

from __future__ import annotations

import collections
import os

from tests.property.graph import Difference
from tests.property.judging import Judgement
from tests.property.kinds import EVERY
from tests.property.routes import Step, play

_MOST = 8
_OWNERS = {name: kind.name for kind in EVERY for name in kind.names}

Family = tuple[str, str, str]


def family_of(difference: Difference) -> Family:
    """What counts as the same finding: the kind of thing that the name belongs to, what differs, and of what."""
    return _OWNERS.get(difference.root, "another name"), difference.what, difference.kind


def block(judgement: Judgement, *, everything: bool = False) -> str:
    """One case: the cells, the words, the differences."""
    case = judgement.case
    lines = [
        f"{'=' * 100}",
        f"{judgement.state}: number {case.index} of seed {case.seed}, {case.route}, about {', '.join(case.kinds)}"
        + ("" if case.wide else ", default bounds"),
    ]
    notebooks = play(case)
    for step in notebooks.steps:
        lines += _step(step)
    if everything or case.route in ("accept, undo",):
        lines += ["--- right:", *[step.source for step in notebooks.right]]
    lines += [f"  words: {text}" for text in judgement.words] or ["  words: none"]
    lines += [f"  {judgement.why}"] if judgement.why else []
    for difference in judgement.silent[:_MOST]:
        lines += [
            f"  SILENT {difference.path}: {difference.what} of {difference.kind}",
            f"      got   {difference.some}",
            f"      right {difference.other}",
        ]
    if len(judgement.silent) > _MOST:
        lines.append(f"  and {len(judgement.silent) - _MOST} more")
    for difference, by in judgement.named[: None if everything else 3]:
        lines.append(
            f"  named by {by!r}: {difference.path}: {difference.what}"
            + (f"\n      got   {difference.some}\n      right {difference.other}" if everything else "")
        )
    return "\n".join(lines)


def _step(step: Step) -> list[str]:
    title = {
        "run": f"cell {step.cell!r}",
        "accept": "accepted" + (", whole" if step.whole else ""),
        "undo": "%reflex undo",
        "back": "%reflex back",
        "command": "command",
    }[step.do]
    lines = [f"--- {title}"]
    if step.earlier:
        lines.append(f"(changes cell {step.earlier[0]!r} to)\n{step.earlier[1]}")
    return [*lines, step.source] if step.source else lines


def summary(judgements: list[Judgement], seed: int, seconds: float) -> str:
    """The figures, and the differences that were named."""
    states = collections.Counter(judgement.state for judgement in judgements)
    kinds = {name for judgement in judgements for name in judgement.case.kinds}
    lines = [
        f"{'=' * 100}",
        f"{len(judgements)} cells of seed {seed} about {len(kinds)} of {len(EVERY)} kinds, {seconds:.0f} s: "
        + ", ".join(f"{count} {state}" for state, count in states.most_common()),
    ]
    lines.append("by route: " + "; ".join(_of_routes(judgements)))
    idle = sum(1 for judgement in judgements if judgement.state == "same" and _names_something(judgement.words))
    lines.append(f"{idle} that are the same although something was named")
    lines += ["named differences:"]
    named = collections.Counter(
        (difference.kind, difference.what) for judgement in judgements for difference, _ in judgement.named
    )
    lines += [f"  {count:5} {what} of {kind}" for (kind, what), count in named.most_common(60)]
    silent = [(family_of(judgement.silent[0]), judgement.case.index) for judgement in judgements if judgement.silent]
    lines += ["silent differences, by the first of each cell:"] if silent else ["no silent differences"]
    for family, count in collections.Counter(family for family, _ in silent).most_common():
        owner, what, kind = family
        numbers = [number for other, number in silent if other == family]
        lines.append(f"  {count:5} {owner}: {what} of {kind}: numbers {numbers[:12]}")
    skipped = collections.Counter(
        judgement.why.partition("\n")[0][:90] for judgement in judgements if judgement.state == "skipped"
    )
    lines += [f"  skipped {count}: {why}" for why, count in skipped.most_common(8)]
    if os.environ.get("PROPERTY_DEBUG"):
        lines += [
            f"  skipped {judgement.case.index}: {judgement.case.kinds} {judgement.why[:150]!r}"
            for judgement in judgements
            if judgement.state == "skipped"
        ]
    trouble = [(judgement.case.index, judgement.why) for judgement in judgements if judgement.state == "trouble"]
    lines += [f"  trouble in {number}: {why[-400:]}" for number, why in trouble[:10]]
    return "\n".join(lines)


def _of_routes(judgements: list[Judgement]) -> list[str]:
    routes: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for judgement in judgements:
        routes[judgement.case.route][judgement.state] += 1
    return [f"{route} {dict(states)}" for route, states in sorted(routes.items())]


def _names_something(words: list[str]) -> bool:
    return any("asked:" in text or "except" in text or "not undone" in text for text in words)
