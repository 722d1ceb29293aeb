"""Columns that hold a dict in each row, of which one has the key that was asked for as a column."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene
from reflex_ipython.propose.rules.statements import failing_cell


def columns_of_records(failure: Failure) -> Iterator[Proposal]:
    """`df["temp"]` where column `results` holds `{"temp": 3, …}`: `df["results"].str["temp"]`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "column" or cell is None or not lookup.wanted:
        return
    scene = Scene(failure, cell)
    for node in scene.every(ast.Subscript):
        if not isinstance(node.slice, ast.Constant) or node.slice.value != lookup.wanted:
            continue
        if not isinstance(node.ctx, ast.Load):
            continue
        holding = [name for name, facts in scene.columns(node.value).items() if _has(facts, lookup.wanted)]
        if len(holding) == 1:
            [name] = holding
            why = f"Column `{name}` holds a dict in each row, and {lookup.wanted!r} is a key of it."
            text = f'{scene.operand(node.value)}["{name}"].str[{scene.text(node.slice)}]'
            yield scene.proposal([scene.put(node, text)], why, "key in a column", 0.93)


def _has(facts: str, key: str) -> bool:
    return bool(re.match(r"object; \{", facts)) and f"'{key}':" in facts


RULES: tuple[Rule, ...] = (columns_of_records,)
