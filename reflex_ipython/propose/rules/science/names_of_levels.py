"""Columns of several levels, whose names are tuples; and lists of labels of which some are missing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers

_TEXT = frozenset({"strip", "lower", "upper", "replace", "split", "title", "startswith", "endswith", "capitalize",
                   "rstrip", "lstrip", "removeprefix", "removesuffix"})  # fmt: skip


def _tuples(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`[c.strip("_") for c in df.columns]` of two levels: `"_".join(c).strip("_")`."""
    if found["method"] not in _TEXT:
        return
    names = {
        loop.target.id
        for loop in scene.loops()
        if isinstance(loop.target, ast.Name) and re.search(r"\.columns(?:\.\w+(?:\(\))?)?$", scene.text(loop.iter))
    }
    nodes = [
        node.value
        for node in scene.every(ast.Attribute)
        if node.attr == found["method"] and isinstance(node.value, ast.Name) and node.value.id in names
    ]
    if nodes:
        name = scene.text(nodes[0])
        why = f"The columns have several levels, so each `{name}` is a tuple of names; joined they are one."
        edits = [scene.put(node, f'"_".join(map(str, {name}))') for node in nodes]
        yield scene.proposal(edits, why, "names of several levels", 0.95)


def _some_missing(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`s.loc[["a", "z"]]` without a row `z`: an empty row for it, or those that are there."""
    for node in scene.every(ast.Subscript):
        labels, indexer = node.slice, node.value
        if not isinstance(indexer, ast.Attribute) or indexer.attr != "loc":
            continue
        if not isinstance(labels, (ast.List, ast.Name)) or not isinstance(node.ctx, ast.Load):
            continue
        owner, text = scene.operand(indexer.value), scene.text(labels)
        why = f"`{owner}` has no row {found['names']}; "
        what = f"{why}`reindex` makes an empty one for each label that is not there."
        yield scene.proposal([scene.put(node, f"{owner}.reindex({text})")], what, "rows for all labels", 0.56)
        new = f"{owner}.loc[{owner}.index.intersection({text})]"
        yield scene.proposal(
            [scene.put(node, new)], f"{why}the rows that are there are taken.", "rows that are there", 0.5
        )


names_of_levels: Rule = answers(
    "names_of_levels",
    (r"'tuple' object has no attribute '(?P<method>\w+)'", _tuples),
    (r"KeyError: .*?(?P<names>\[[^\]]*\]) not in index", _some_missing),
)  # fmt: skip

RULES = (names_of_levels,)
