"""How likely a bracket that is missing stands at a place."""

from __future__ import annotations

from collections.abc import Sequence

from reflex_ipython.propose.rules.lexing import Token
from reflex_ipython.propose.rules.syntax.broken import Broken, opening
from reflex_ipython.propose.rules.syntax.candidate import (
    COMPARISONS,
    Logical,
    ends_operand,
)

_BINARY = frozenset(
    ("+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "and", "or", "in", "is", "not", "if", "else")
)
OF_ONE_VALUE = frozenset(
    {"len", "int", "float", "str", "type", "input", "abs", "list", "set", "bool", "ord", "chr", "sorted"}
)
"""Functions that take one value."""
_NO_COMMAS = frozenset({"len", "float", "type", "input", "abs", "bool", "ord", "chr"})


def closes(broken: Broken, tokens: Sequence[Token], start: int, place: int, called: str, *, last: bool) -> float:
    """How likely a bracket is closed behind a token."""
    right = tokens[place + 1] if place + 1 < len(tokens) else None
    inside = tokens[start + 1 : place + 1]
    depth = tokens[start].depth + 1
    operators = any(t.depth == depth and t.text in _BINARY | COMPARISONS for t in inside)
    commas = any(t.depth == depth and t.text == "," for t in inside)
    if last:
        if (called in OF_ONE_VALUE and operators) or (called in _NO_COMMAS and commas):
            return 0.3
        if right is not None and right.kind == "close":
            return 0.6
        ends_row = right is None or broken.cell.lineno(right.start) > broken.cell.lineno(tokens[place].start)
        return 0.6 if ends_row or (right is not None and right.text == ":") else 0.3
    assert right is not None
    if broken.cell.lineno(right.start) > broken.cell.lineno(tokens[place].end - 1):
        return 0.6
    if right.text in COMPARISONS:
        return 0.85 if called in OF_ONE_VALUE else 0.55
    if right.text in _BINARY:
        return 0.75 if called in OF_ONE_VALUE else 0.4
    if right.text == ".":
        if tokens[place].kind == "close" and opening(tokens, place) == start + 1 and tokens[start].text == "[":
            return 0.9
        return 0.9 if tokens[place].kind == "string" else 0.45
    if right.text == "[":
        return 0.5 if tokens[place].kind == "string" else 0.2
    if right.text == "=":
        return 0.9 if tokens[start].text == "[" else 0.3
    if right.text == ":" and depth == 1:
        return 0.6
    if right.text == ",":
        if [token.text for token in tokens[place + 3 : place + 4]] == [":"]:
            return 0.9  # the next key of the dict around it
        return 0.5 if called in OF_ONE_VALUE else 0.35
    if right.kind == "close":
        return 0.5
    if right.kind == "name":
        return 0.4
    return 0.0


def opens(line: Logical, place: int, index: int, opener: str, *, method: bool) -> float:
    """How likely a bracket is missing in front of a token."""
    before = line[place - 1] if place else None
    if method:
        return 0.8 if opener == "(" else 0.0
    first = before is None or before.text in ("=", "return", ":", "in", "if", "while", "print")
    behind = line[index + 1].text if index + 1 < len(line) else ""
    operators = any(token.text in _BINARY for token in line[place:index])
    if first:
        return (0.8 if operators and behind in _BINARY else 0.3) if opener == "(" else 0.5
    assert before is not None
    if before.kind == "open":
        commas = any(token.text == "," for token in line[place:index])
        if before.text == opener == "[":
            element = place > 1 and ends_operand(line[place - 2])
            return (0.9 if commas else 0.6) if element else 0.5
        return 0.6 if commas else 0.3
    if before.text == "," or before.text in _BINARY:
        return 0.35
    return 0.2 if before.kind != "name" else 0.0
