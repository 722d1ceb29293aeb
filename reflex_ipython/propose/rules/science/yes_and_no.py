"""Columns of two words, yes and no, that are wanted as numbers or as truth."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.number_columns import conversions
from reflex_ipython.propose.rules.science.scene import Scene, answers

_PAIRS = (("yes", "no"), ("y", "n"), ("true", "false"), ("t", "f"), ("on", "off"), ("pass", "fail"), ("1", "0"))


def _as_numbers(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df["ok"].astype(int)` of "yes" and "no": 1 and 0. A third word fails the trial: it has no number."""
    value = found["value"]
    pair = next((pair for pair in _PAIRS if value.lower() in pair), None)
    if pair is None or value.isdigit():
        return
    form = str.upper if value.isupper() else str.capitalize if value[:1].isupper() else str
    yes, no = (form(word) for word in pair)
    for call, owner, written, _ in conversions(scene):
        text = scene.operand(owner)
        new = f'{text}.map({{"{yes}": 1, "{no}": 0}}).astype({written})'
        why = f"`{scene.text(owner)}` holds {yes!r} and {no!r}, which are no numbers: 1 and 0 stand for them."
        yield scene.proposal([scene.put(call, new)], why, "yes and no as numbers", 0.93)


yes_and_no: Rule = answers(
    "yes_and_no",
    (
        r"(?:could not convert string to float: |invalid literal for int\(\) with base 10: |Unable to parse string )"
        r"(?:np\.str_\()?['\"](?P<value>\w+)['\"]",
        _as_numbers,
    ),
)

RULES = (yes_and_no,)
