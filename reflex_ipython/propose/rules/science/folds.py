"""The places that a splitter of scikit-learn gives, with which a table is asked as if they were labels."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers, called


def _places(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`for train, test in folds.split(X): X[train]`: `X.iloc[train]`, wherever the loop asks so."""
    names: set[str] = set()
    for loop in scene.loops():
        turns = loop.iter.args[0] if isinstance(loop.iter, ast.Call) and called(loop.iter) == "enumerate" else loop.iter
        if isinstance(turns, ast.Call) and called(turns) == "split" and turns.args:
            names |= {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
    asked = [
        node
        for node in scene.cell.every(ast.Subscript)
        if isinstance(node.slice, ast.Name) and node.slice.id in names and isinstance(node.value, ast.Name)
    ]
    tables = [node for node in asked if scene.type(node.value) in ("DataFrame", "Series", "")]
    if tables:
        whats = sorted({scene.text(node.slice) for node in tables})
        ends = [scene.cell.span(node.value)[1] for node in tables]
        why = f"A splitter gives places, not labels: `iloc` takes {' and '.join(f'`{one}`' for one in whats)}."
        yield scene.proposal([SpanEdit(end, end, ".iloc") for end in ends], why, "places of a split", 0.95)


folds: Rule = answers(
    "folds",
    (r"KeyError: .*(?:None of \[.*\] are in the \[(?:columns|index)\]|not in index)", _places),
)

RULES = (folds,)
