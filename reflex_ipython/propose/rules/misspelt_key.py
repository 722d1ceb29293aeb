"""A misspelt key of a mapping or column of a table, and columns that need a list."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.models import Failure, Lookup
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.closeness import closest
from reflex_ipython.propose.rules.misspelt_attribute import attribute_edits
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes

_LITERAL = re.compile(r"(?s)([rRuU]?)('''|\"\"\"|'|\")(.*)\2")
_INDEXERS = ("loc", "at", "iloc", "iat")


def misspelt_key(failure: Failure) -> Iterator[Proposal]:
    """`df["regoin"]`: `df["region"]`, in its own quotes."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind not in ("key", "column") or cell is None:
        return
    column = lookup.kind == "column"
    word = closest(lookup.wanted, lookup.available, fixed=column)
    if word is None or not word.isprintable() or re.search(r"[\\'\"{}]", word):
        return
    edits = key_edits(failure, cell, lookup, word)
    if not edits and column and word.isidentifier():
        edits = attribute_edits(failure, cell, word)
    if edits:
        owner = f"`{lookup.owner}`" if lookup.owner else "The table" if column else "The mapping"
        what = "column" if column else "key"
        why = f"{owner} has no {what} {lookup.wanted!r}; the closest is {word!r}."
        yield Proposal(apply(cell.source, edits), why, f"closest {what}")


def columns_without_list(failure: Failure) -> Iterator[Proposal]:
    """`df["a", "b"]`: `df[["a", "b"]]`, where both are columns."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind not in ("key", "column") or cell is None or "DataFrame" not in lookup.owner_type:
        return
    tuples = [
        node.slice
        for node in failing_nodes(failure, cell)
        if isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Tuple)
        and isinstance(node.ctx, ast.Load)
        and repr(tuple(_strings(node.slice))) == lookup.wanted
        and set(_strings(node.slice)) <= set(lookup.available)
    ]
    if len(tuples) == 1 and not cell.text(tuples[0]).startswith("("):
        start, end = cell.span(tuples[0])
        edits = [SpanEdit(start, start, "["), SpanEdit(end, end, "]")]
        why = "To select several columns, use a list: two pairs of brackets."
        yield Proposal(apply(cell.source, edits), why, "list of columns")


def key_edits(failure: Failure, cell: Cell, lookup: Lookup, word: str) -> list[SpanEdit]:
    """The edits that ask for another key wherever the wrong one is looked up; none if it is not certain where."""
    nodes = failing_nodes(failure, cell)
    # The owner may be known by its type only; then it is no expression of the cell, and there must be just one asked.
    owner = (
        lookup.owner if any(isinstance(node, ast.expr) and ast.unparse(node) == lookup.owner for node in nodes) else ""
    )
    asked = [
        (by, constant)
        for node in nodes
        for by, constant in _asked(node, owner, lookup)
        if constant.value == lookup.wanted
    ]
    if not owner and len({by for by, _ in asked}) != 1:
        return []
    constants = [constant for _, constant in asked]
    if constants and owner.isidentifier() and owner not in cell.bound:
        constants += _elsewhere(cell, owner, lookup.wanted)
    edits = [literal_edit(cell, constant, word) for constant in constants]
    return [edit for edit in edits if edit] if all(edits) else []


def _elsewhere(cell: Cell, owner: str, wanted: str) -> list[ast.Constant]:
    """The same look-up in the cell's other statements, unless one of them puts the key there."""
    found = [
        (node, constant)
        for node in cell.every(ast.Subscript)
        if _base(node.value) == owner
        for constant in constants(node.slice)
        if constant.value == wanted
    ]
    put = any(isinstance(node.ctx, ast.Store) for node, _ in found)
    return [] if put else [constant for _, constant in found]


def _asked(node: ast.AST, owner: str, lookup: Lookup) -> Iterator[tuple[str, ast.Constant]]:
    """The constants with which a node may have asked the owner, in a subscript or a call, each with whom it asked."""
    if isinstance(node, ast.AugAssign):
        node = node.target
    elif isinstance(getattr(node, "ctx", None), ast.Store):
        return
    if isinstance(node, ast.Subscript) and belongs(node.value, owner):
        yield from ((_base(node.value), constant) for constant in constants(node.slice))
    # A table's columns are asked for by libraries too: `sns.barplot(data=df, x="regoin")`.
    elif (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and (lookup.kind == "column" or belongs(node.func.value, owner))
    ):
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            yield from ((_base(node.func.value), constant) for constant in constants(argument))


def _base(node: ast.expr) -> str:
    """Whom a subscript or a method asks: for `df.loc[...]` that is `df`."""
    return ast.unparse(node.value if isinstance(node, ast.Attribute) and node.attr in _INDEXERS else node)


def belongs(node: ast.expr, owner: str) -> bool:
    """Whether it is the owner, or computed from it, or what the owner is computed from."""
    text = _base(node)
    near = text.startswith((f"{owner}.", f"{owner}[")) or owner.startswith((f"{text}.", f"{text}["))
    return not owner or text == owner or near


def constants(node: ast.expr) -> Iterator[ast.Constant]:
    """The strings of an index or argument: itself, or in lists, tuples and the keys of dicts."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node
    elif isinstance(node, (ast.List, ast.Tuple)):
        for element in node.elts:
            yield from constants(element)
    elif isinstance(node, ast.Dict):
        for key in node.keys:
            if key is not None:
                yield from constants(key)


def _strings(node: ast.Tuple) -> list[str]:
    strings = [element.value for element in node.elts if isinstance(element, ast.Constant)]
    return [value for value in strings if isinstance(value, str)]


def literal_edit(cell: Cell, constant: ast.Constant, word: str) -> SpanEdit | None:
    """The edit inside the quotes, if the text there is just what the tree says."""
    start, end = cell.span(constant)
    match = _LITERAL.fullmatch(cell.source, start, end)
    if match is None or match.group(3) != constant.value:
        return None
    return SpanEdit(match.start(3), match.end(3), word)
