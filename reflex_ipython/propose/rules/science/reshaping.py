"""Tables that can't be reshaped, as two rows would go to one place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers

_WAYS = (("mean", "their mean", 0.62), ("sum", "their sum", 0.55), ("first", "the first of them", 0.4))
"""What may become of several values for one place: which is meant, only the user knows."""


def _several_for_one(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df.pivot(...)` where pairs of row and column occur twice: `df.pivot_table(..., aggfunc="mean")`."""
    for call in scene.calls("pivot"):
        if not isinstance(call.func, ast.Attribute):
            continue
        end = scene.cell.span(call.func)[1]
        for function, words, prior in _WAYS:
            edits = [SpanEdit(end - len("pivot"), end, "pivot_table"), scene.argument(call, f'aggfunc="{function}"')]
            why = f"Some pairs of row and column occur more than once; `pivot_table` takes {words}."
            yield scene.proposal(edits, why, "several values for one place", prior)


reshaping: Rule = answers("reshaping", (r"Index contains duplicate entries, cannot reshape", _several_for_one))

RULES = (reshaping,)
