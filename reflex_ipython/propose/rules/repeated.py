"""The same slip more than once in a cell: what mends one place mends the others that are written like it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.lexing import Token, lex
from reflex_ipython.propose.rules.proposal import Proposal

_LITERALS = ("string", "number")
_LONGEST = 10_000
"""Characters of a cell that is searched for what is written alike."""
_ALONE = 0.9
"""The candidate that mends one place only is so much less likely: if it runs, the other places do not fail."""


def everywhere(source: str, proposal: Proposal) -> Proposal | None:
    """The proposal that mends every place that is written like the one that is mended.

    Alike are expressions that differ in nothing but their texts and numbers, `prices("tea")` and `prices("milk")`.

    Parameters
    ----------
    source : str
        The failing cell.
    proposal : Proposal
        Which changes one expression of it.

    Returns
    -------
    Proposal or None
        None if nothing is written alike, or the proposal changes more than an expression.
    """
    if proposal.cell is not None or len(source) > _LONGEST:
        return None
    start, end = _changed(source, proposal.source)
    cell = read(source)
    node = _smallest(cell, start, end)
    if node is None:
        return None
    first, last = cell.span(node)
    old, new = source[first:last], proposal.source[first : last + len(proposal.source) - len(source)]
    others = list(_alike(cell, node, old))
    places = _places(new, _literals(old))
    if not others or places is None:
        return None
    edits = [SpanEdit(first, last, new)]
    for span, text in others:
        literals = [SpanEdit(token.start, token.end, other) for token, other in zip(places, _literals(text))]
        edits.append(SpanEdit(*span, apply(new, literals)))
    made = apply(source, edits)
    if read(made).tree is None:
        return None
    why = f"{proposal.explanation} The cell has {len(others) + 1} places like this."
    return Proposal(made, why, proposal.rule, proposal.prior * _ALONE)


def _changed(old: str, new: str) -> tuple[int, int]:
    """Where the old text differs from the new one."""
    most = min(len(old), len(new))
    start = next((i for i in range(most) if old[i] != new[i]), most)
    same = next((i for i in range(most - start) if old[-1 - i] != new[-1 - i]), most - start)
    return start, len(old) - same


def _smallest(cell: Cell, start: int, end: int) -> ast.expr | None:
    """The smallest expression of several parts that a span is in; None if it asks for a key: each has another value."""
    nodes: list[ast.expr] = [*cell.every(ast.Call), *cell.every(ast.Subscript), *cell.every(ast.BinOp)]
    spans = [(node, *cell.span(node)) for node in nodes]
    around = [(last - first, node) for node, first, last in spans if first <= start and end <= last]
    found = min(around, key=lambda one: one[0], default=(0, None))[1]
    return None if isinstance(found, ast.Subscript) else found


def _alike(cell: Cell, node: ast.expr, text: str) -> Iterator[tuple[tuple[int, int], str]]:
    """The other expressions that differ in their texts and numbers alone: where they stand, and what they are."""
    shape, taken = _shape(text), [cell.span(node)]
    for other in cell.every(type(node)):
        span = cell.span(other)
        if all(span[1] <= first or last <= span[0] for first, last in taken):
            written = cell.source[span[0] : span[1]]
            if written[:1] == text[:1] and _shape(written) == shape:
                taken.append(span)
                yield span, written


def _shape(text: str) -> list[str]:
    return [token.kind if token.kind in _LITERALS else token.text for token in lex(text) if token.kind != "newline"]


def _literals(text: str) -> list[str]:
    return [token.text for token in lex(text) if token.kind in _LITERALS]


def _places(text: str, literals: list[str]) -> list[Token] | None:
    """Where the literals stand in a text, in their order, among others that may be new; None if one does not."""
    found: list[Token] = []
    for token in lex(text):
        if token.kind in _LITERALS and token.text in literals[len(found) : len(found) + 1]:
            found.append(token)
    return found if len(found) == len(literals) else None
