"""Commas between values: one that is missing, and a `*` that a signature brought along."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.lexing import Token
from reflex_ipython.propose.rules.syntax.candidate import (
    Candidate,
    Logical,
    candidate,
    ends_operand,
    problem_line,
    starts_operand,
)


def missing_comma(cell: Cell) -> Iterator[Candidate]:
    """`["a", "b" 3]`, `f(x, a=1 b=2)`. Two names side by side may be anything: silence."""
    assert cell.problem is not None
    line = problem_line(cell)
    if not cell.problem.message.startswith("invalid syntax"):
        return
    if line and line[0].text in ("def", "class", "lambda", "import", "from"):
        return
    gaps = [
        (a, b, index) for index, (a, b) in enumerate(itertools.pairwise(line)) if a.depth and b.depth and _gap(a, b)
    ]
    if gaps and all(_is_sure(cell, line, index) for _, _, index in gaps):
        edits = [SpanEdit(a.end, a.end, ",") for a, _, _ in gaps] + list(_between_rows(cell, line))
        yield candidate(cell, edits, "Values between brackets are separated by commas.", "missing comma")


def _between_rows(cell: Cell, line: Logical) -> Iterator[SpanEdit]:
    """`[(1, 2)` and, in the next row, `(3, 4)]`: it parses as a call, where another comma is missing."""
    for a, b in itertools.pairwise(line):
        row = a.text == ")" and b.text == "(" and "\n" in cell.source[a.end : b.start]
        first = next(
            (p for p in range(line.index(a) - 1, 0, -1) if line[p].text == "(" and line[p].depth == a.depth - 1), 0
        )
        if row and first and line[first - 1].text in (",", "[", "(", "{"):
            yield SpanEdit(a.end, a.end, ",")


def bare_star(cell: Cell) -> Iterator[Candidate]:
    """`Model(*, size=3)`: a bare `*` belongs to a definition, not to a call."""
    line = problem_line(cell)
    if not line or line[0].text in ("def", "async", "lambda"):
        return
    edits = []
    for index in range(2, len(line) - 1):
        name, opener, star, comma = line[index - 2], line[index - 1], line[index], line[index + 1]
        if star.text == "*" and comma.text == "," and opener.text == "(" and ends_operand(name):
            following = line[index + 2].start if index + 2 < len(line) else comma.end
            edits.append(SpanEdit(star.start, following, ""))
    if edits:
        why = "A bare `*` belongs in a function's definition, not in a call."
        yield candidate(cell, edits, why, "bare star in a call")


def _gap(a: Token, b: Token) -> bool:
    """Whether two values meet without anything between them, which is never valid."""
    if a.kind == "string" and b.kind == "string":
        return False
    return ends_operand(a) and starts_operand(b) and b.text != "not"


def _is_sure(cell: Cell, line: Logical, index: int) -> bool:
    a, b = line[index], line[index + 1]
    if line[index - 1].text == "{" or (
        line[index - 1].text == "," and any(t.text == ":" and t.depth == a.depth for t in line)
    ):
        return False  # a key and its value: it may be a colon that is missing
    if a.kind == "name" and b.kind in ("number", "string") and line[index - 1].text in ("(", ","):
        return False  # `axis 0`: the name of an argument, perhaps
    after = line[index + 2].text if index + 2 < len(line) else ""
    if a.end == b.start or (a.kind == "number" and b.kind == "name" and after != "="):
        return False  # `2x`, `2 x`: a product as likely as a list
    broken_line = "\n" in cell.source[a.end : b.start]
    if a.kind == "name" and b.kind == "name" and after != "=" and not broken_line:
        return False
    return not _joins(line, b) or broken_line or after == "="


def _joins(line: Logical, b: Token) -> bool:
    """Whether texts are joined there with `+` or `%`, so that another one may be what is missing."""
    return any(token.depth == b.depth and token.text in ("+", "%", "*", "-", "/") for token in line)
