"""What has to be in order before it can be cut or compared: rows by their labels, categories."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers, called, owner_of


def _rows(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`df.loc[("a", 1):("b", 2)]` of rows in no order: `df.sort_index().loc[…]`."""
    for node in scene.every(ast.Subscript):
        indexer = node.value
        located = isinstance(indexer, ast.Attribute) and indexer.attr == "loc"
        owner = indexer.value if located and isinstance(indexer, ast.Attribute) else indexer
        sliced = any(isinstance(part, ast.Slice) or called(part) == "slice" for part in _parts(node.slice))
        if sliced and (located or scene.is_column(owner) or scene.is_table(owner)):
            what = f"`{scene.text(owner)}` is sorted by them first"
            why = f"From one label to another can only be cut where the labels are in order; {what}."
            yield scene.proposal([scene.after(owner, ".sort_index()")], why, "labels in order", 0.9)
    for call in scene.calls("xs", "truncate", "asof", "merge_asof"):
        asked = owner_of(call)
        if asked is not None and called(call) in ("xs", "truncate"):
            why = f"The labels of `{scene.text(asked)}` are in no order; it is sorted by them first."
            yield scene.proposal([scene.after(asked, ".sort_index()")], why, "labels in order", 0.85)


def _parts(node: ast.expr) -> list[ast.expr]:
    return list(node.elts) if isinstance(node, ast.Tuple) else [node]


def _categories(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`sizes > "S"` of categories without an order: in the order in which they were given."""
    for node in scene.every(ast.Compare):
        if isinstance(node.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
            yield from _ordered(scene, node.left)
    for call in scene.calls("min", "max", "argmin", "argmax", "idxmin", "idxmax", "median"):
        owner = owner_of(call)
        if owner is not None:
            yield from _ordered(scene, owner)


def _ordered(scene: Scene, column: ast.expr) -> Iterator[Proposal]:
    accessor = "" if scene.type(column) in ("Categorical", "CategoricalIndex") else ".cat"
    why = f"The categories of `{scene.text(column)}` have no order yet; that in which they were given becomes theirs."
    yield scene.proposal([scene.after(column, f"{accessor}.as_ordered()")], why, "order of categories", 0.8)


order_of_labels: Rule = answers(
    "order_of_labels",
    (r"UnsortedIndexError: |[Nn]on-monotonic|is not lexsorted"
     r"|Cannot get (?:left|right) slice bound for non-unique label"
     r"|index must be monotonic|truncate requires a sorted index", _rows),
    (r"Unordered Categoricals can only compare|Categorical is not ordered for operation", _categories),
)  # fmt: skip

RULES = (order_of_labels,)
