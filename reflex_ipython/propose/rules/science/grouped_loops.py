"""Loops over groups with one name: each turn gives the key and the rows."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, called
from reflex_ipython.propose.rules.statements import failing_cell


def grouped_loops(failure: Failure) -> Iterator[Proposal]:
    """`for day in df.groupby("day")`: `for day, _ in …` for the key, `for _, day in …` for the rows."""
    cell = failing_cell(failure)
    if cell is None:
        return
    scene = Scene(failure, cell)
    used = {node.id for node in scene.every(ast.Name)}
    for loop in scene.loops():
        target = loop.target
        if not isinstance(target, ast.Name) or target.id not in used or called(loop.iter) != "groupby":
            continue
        value = scene.value(target)
        if value is None or not value.text.startswith("tuple of 2: (") or "<DataFrame" not in value.text:
            continue
        rows = any(_asks_of_rows(node, target.id) for node in cell.nodes())
        why = f"A turn of this loop gives a pair: the key of the group, and its rows; `{target.id}` is meant to be the "
        key, group = f"{target.id}, _", f"_, {target.id}"
        likely, other = (group, key) if rows else (key, group)
        for text, prior in ((likely, 0.92), (other, 0.3)):
            what = "rows" if text is group else "key"
            yield scene.proposal([scene.put(target, text)], f"{why}{what}.", "key and rows of a group", prior)


def _asks_of_rows(node: ast.AST, name: str) -> bool:
    """Whether something is asked of a name that only a table has."""
    if isinstance(node, ast.Subscript):
        text = isinstance(node.slice, (ast.Constant, ast.List, ast.Compare)) and not (
            isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int)
        )
        return text and isinstance(node.value, ast.Name) and node.value.id == name
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name


RULES: tuple[Rule, ...] = (grouped_loops,)
