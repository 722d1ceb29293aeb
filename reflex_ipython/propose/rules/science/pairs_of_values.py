"""Two columns that are measured against each other, of which one was cut: `pearsonr(x, y[1:])`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers, called


def _cut_alone(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """One of two arguments is a slice, and uncut it is as long as the other: uncut, or the other cut alike."""
    for call in scene.calls():
        plain = [one for one in call.args if not isinstance(one, (ast.Constant, ast.Starred, ast.Lambda))]
        for cut in plain:
            if not isinstance(cut, ast.Subscript) or not isinstance(cut.slice, ast.Slice):
                continue
            whole = scene.shape(cut.value)
            others = [one for one in plain if one is not cut and whole and scene.shape(one) == whole]
            if len(others) != 1:
                continue
            text = scene.text(cut.slice)
            why = f"`{called(call)}` compares value by value, and `{scene.text(cut)}` leaves some out; "
            edit = scene.put(cut, scene.text(cut.value))
            yield scene.proposal([edit], f"{why}uncut both have {whole[0] if whole else 0}.", "uncut", 0.7)
            end = scene.cell.span(others[0])[1]
            alike = SpanEdit(end, end, f"[{text}]")
            yield scene.proposal([alike], f"{why}the other is cut alike.", "cut alike", 0.42)


pairs_of_values: Rule = answers(
    "pairs_of_values",
    (r"`x` and `y` must be broadcastable|x and y must have the same length|operands could not be broadcast together"
     r"|inconsistent numbers of samples|x and y must be the same size|must have same first dimension"
     r"|must have equal|must have the same (?:length|shape|size)|All arrays must be of the same length"
     r"|unequal length arrays|Found arrays with inconsistent", _cut_alone),
)  # fmt: skip

RULES = (pairs_of_values,)
