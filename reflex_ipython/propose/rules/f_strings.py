"""Names inside f-strings.

Before Python 3.12 the tree's columns can't be trusted there: look for the text, and count.
"""

from __future__ import annotations

import ast
import re

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.cell import Cell

_BRACES = re.compile(r"\{[^{}]*\}")


def f_strings(cell: Cell, inside: ast.AST | None = None) -> list[ast.JoinedStr]:
    """The f-strings of a cell, or of a part of it; not the ones within others, nor the formats after a colon."""
    found: list[ast.JoinedStr] = []
    inner: set[ast.AST] = set()
    for node in ast.walk(inside) if inside else cell.every(ast.JoinedStr):  # from the outside inwards
        if isinstance(node, ast.JoinedStr) and node not in inner:
            found.append(node)
            inner.update(ast.walk(node))
    return found


def edits_inside(cell: Cell, string: ast.JoinedStr, wanted: str, word: str) -> list[SpanEdit] | None:
    """The edits that make `{wanted}` in one f-string read `word`; None where the text and the tree don't agree."""
    count = sum(isinstance(node, ast.Name) and node.id == wanted for node in ast.walk(string))
    start, end = cell.span(string)
    pattern = re.compile(rf"(?<![\w.'\"]){re.escape(wanted)}(?![\w'\"])")
    places = [
        brace.start() + match.start()
        for brace in _BRACES.finditer(cell.source, start, end)
        for match in pattern.finditer(brace.group())
    ]
    if count != len(places):
        return None
    return [SpanEdit(place, place + len(wanted), word) for place in places]
