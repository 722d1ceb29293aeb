"""Columns inside the text of `df.query` and `df.eval`."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.edits import candidate
from reflex_ipython.propose.rules.access.nearness import near, nearest
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes

# Texts inside the text, and names: not those behind `@` or a dot, in backquotes, or that are called or given a value.
_NAME = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|(?<![\w@.])([^\W\d]\w*)(?!\w|\s*\(|\s*=(?!=))")


def query_text(failure: Failure) -> Iterator[Proposal]:
    """`df.query("Price > 10 and Units > 1")`: `df.query("price > 10 and units > 1")`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "column" or cell is None:
        return
    texts = [
        node.args[0]
        for node in failing_nodes(failure, cell)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("query", "eval")
        and node.args
        and isinstance(node.args[0], ast.Constant)
    ]
    for found in near(lookup.wanted, lookup.available) if texts else ():
        edits = [
            SpanEdit(place, place + len(name), word if word.isidentifier() else f"`{word}`")
            for text in texts
            for name, place in _names(cell, text)
            for word in [found.word if name == lookup.wanted else _meant(name, lookup.available)]
            if word
        ]
        why = f"`{lookup.owner}` has no column {lookup.wanted!r}; the closest is {found.word!r}."
        yield from candidate(cell, edits, why, "closest column", found.prior)


def _names(cell: Cell, text: ast.Constant) -> Iterator[tuple[str, int]]:
    """The names in a plain literal, and where each stands in the cell."""
    start, end = cell.span(text)
    at = cell.source.find(str(text.value), start, end)
    for match in _NAME.finditer(str(text.value)) if at >= 0 else ():
        if match[1] and not keyword.iskeyword(match[1]):
            yield match[1], at + match.start(1)


def _meant(name: str, available: tuple[str, ...]) -> str | None:
    return None if name in available else nearest(name, available)
