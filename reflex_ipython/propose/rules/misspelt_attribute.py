"""A misspelt attribute of a value or a module."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.article import a
from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.closeness import closest
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes


def misspelt_attribute(failure: Failure) -> Iterator[Proposal]:
    """`df.gruopby`: `df.groupby`, wherever the cell asks the same expression for it."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "attribute" or cell is None:
        return
    word = closest(lookup.wanted, lookup.available, fixed=True)
    edits = attribute_edits(failure, cell, word) if word else []
    if word and edits:
        edits += _others_of_the_owner(failure, cell)
        why = f"{_owner(lookup.owner, lookup.owner_type)} has no attribute `{lookup.wanted}`; the closest is `{word}`."
        yield Proposal(apply(cell.source, edits), why, "closest attribute")


def _others_of_the_owner(failure: Failure, cell: Cell) -> list[SpanEdit]:
    """The other attributes that the same statement asks the same value for in vain: `m.coef`, and `m.intercept`."""
    lookup = failure.lookup
    assert lookup is not None
    edits = []
    for node in failing_nodes(failure, cell):
        if not isinstance(node, ast.Attribute) or node.attr in (lookup.wanted, *lookup.available):
            continue
        if not isinstance(node.ctx, ast.Load) or node.attr.startswith("_") or ast.unparse(node.value) != lookup.owner:
            continue
        word = next((one for one in lookup.available if one == f"{node.attr}_"), None)
        if word is not None and cell.text(node).endswith(node.attr):
            end = cell.span(node)[1]
            edits.append(SpanEdit(end - len(node.attr), end, word))
    return edits


def attribute_edits(failure: Failure, cell: Cell, word: str) -> list[SpanEdit]:
    """The edits that replace the attribute that was not found; none if it is not certain which access failed."""
    return [
        SpanEdit(end - len(node.attr), end, word)
        for node in failing_accesses(failure, cell)
        for end in [cell.span(node)[1]]
    ]


def failing_accesses(failure: Failure, cell: Cell) -> list[ast.Attribute]:
    """The accesses that look for the same attribute on the same expression; none if two expressions could be meant."""
    lookup = failure.lookup
    assert lookup is not None
    failing = [node for node in failing_nodes(failure, cell) if _reads(cell, node, lookup.wanted)]
    owners = {ast.unparse(node.value) for node in failing if isinstance(node, ast.Attribute)}
    if len(owners) > 1:
        owners &= {lookup.owner}
    if len(owners) != 1:
        return []
    [owner] = owners
    # The same words mean the same value in the whole cell only if the cell gives them no other value.
    named = (node.value for node in failing if isinstance(node, ast.Attribute) and ast.unparse(node.value) == owner)
    roots = {node.id for value in named for node in ast.walk(value) if isinstance(node, ast.Name)}
    nodes = failing if roots & cell.bound else list(cell.nodes())
    return [
        node
        for node in nodes
        if isinstance(node, ast.Attribute) and _reads(cell, node, lookup.wanted) and ast.unparse(node.value) == owner
    ]


def _reads(cell: Cell, node: ast.AST, wanted: str) -> bool:
    """Whether the node reads that attribute, and stands where the tree says (in an f-string it may not)."""
    if not isinstance(node, ast.Attribute) or node.attr != wanted:
        return False
    if not isinstance(node.ctx, ast.Load) and not isinstance(cell.parent(node), ast.AugAssign):
        return False
    return cell.text(node).endswith(wanted)


def _owner(owner: str, owner_type: str) -> str:
    if owner:
        return f"`{owner}`"
    return f"{a(f'`{owner_type}`', capital=True)}" if owner_type else "The value"
