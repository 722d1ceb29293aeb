"""`np.where` and `np.select`: a value for each condition, and one for what is left."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.literals import literal_of
from reflex_ipython.propose.rules.science.scene import Scene, answers, keyword


def _other_value(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`np.where(x > 5, 1)`: `np.where(x > 5, 1, 0)`."""
    np, imports = scene.module("numpy")
    for call in scene.calls("where"):
        if len(call.args) != 2 or call.keywords:
            continue
        value = call.args[1].value if isinstance(call.args[1], ast.Constant) else None
        ways: list[tuple[str, float]] = [(f"{np}.nan", 0.5)]
        if value is True or (value == 1 and not isinstance(value, bool)):
            ways = [("False" if value is True else "0", 0.9), (f"{np}.nan", 0.3)]
        elif isinstance(value, str):
            ways = [('""', 0.55), ("None", 0.45)]
        elif isinstance(value, (int, float)):
            ways = [("0", 0.6), (f"{np}.nan", 0.45)]
        for text, prior in ways:
            why = f"`where` needs a value for where the condition does not hold as well; here it is {text}."
            edits = [scene.argument(call, text), *(imports if f"{np}." in text else [])]
            yield scene.proposal(edits, why, "value where it does not hold", prior)


def _a_value_each(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`np.select([a, b], ["x", "y", "z"], default="z")`: one value for each condition."""
    for call in scene.calls("select"):
        if len(call.args) < 2:
            continue
        conditions, values = literal_of(scene, call.args[0]), literal_of(scene, call.args[1])
        if not isinstance(conditions, ast.List) or not isinstance(values, ast.List):
            continue
        surplus = len(values.elts) - len(conditions.elts)
        why = f"There are {len(conditions.elts)} conditions and {len(values.elts)} values; "
        if surplus > 0 and conditions.elts:
            left, last = values.elts[len(conditions.elts) - 1], values.elts[-1]
            cut = SpanEdit(scene.cell.span(left)[1], scene.cell.span(last)[1], "")
            default = keyword(call, "default")
            text = scene.text(last)
            if surplus == 1 and default is None and len(call.args) == 2:
                told = f"{why}the last is for what fits none of them."
                edits = [cut, scene.argument(call, f"default={text}")]
                yield scene.proposal(edits, told, "value for the rest", 0.88)
            elif default is not None and scene.text(default.value) == text:
                told = f"{why}{text} is the default already, for what fits none of them."
                yield scene.proposal([cut], told, "value for the rest", 0.93)
            else:
                yield scene.proposal([cut], f"{why}the first are used.", "a value each", 0.48)
        elif surplus < 0 and values.elts:
            last = conditions.elts[len(values.elts) - 1]
            cut = SpanEdit(scene.cell.span(last)[1], scene.cell.span(conditions.elts[-1])[1], "")
            yield scene.proposal([cut], f"{why}the first conditions are used.", "a value each", 0.45)


conditions_and_values: Rule = answers(
    "conditions_and_values",
    (r"either both or neither of x and y should be given", _other_value),
    (r"list of cases must be same length as list of conditions", _a_value_each),
)

RULES = (conditions_and_values,)
