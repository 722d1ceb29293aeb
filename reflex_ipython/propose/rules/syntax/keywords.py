"""Keywords: misspelt, with capitals, or in an order that another language has."""

from __future__ import annotations

import keyword
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.closeness import closest
from reflex_ipython.propose.rules.lexing import Token
from reflex_ipython.propose.rules.syntax.candidate import Candidate, candidate, problem_line

_FIRST = tuple(set(keyword.kwlist) - {"False", "None", "True", "and", "as", "in", "is", "lambda", "not", "or"})
_INSIDE = frozenset({"and", "or", "not", "in", "is", "if", "else", "for", "import", "as"})


def keywords(cell: Cell) -> Iterator[Candidate]:
    """`improt x`: `import x`; `If x:`: `if x:`; `a AND b`: `a and b`. In the line where the parser stopped."""
    line = problem_line(cell)
    changes = [(token, word) for index, token in enumerate(line) for word in [_meant(line, index)] if word]
    if changes:
        edits = [SpanEdit(token.start, token.end, word) for token, word in changes]
        names = ", ".join(f"`{word}`" for _, word in changes)
        yield candidate(cell, edits, f"The keyword is written {names}.", "misspelt keyword")


def else_if(cell: Cell) -> Iterator[Candidate]:
    """`else if x:`: `elif x:`."""
    line = problem_line(cell)
    texts = [token.text for token in line[:2]]
    end = line[1].end if texts == ["else", "if"] else line[0].end if texts and texts[0] in ("elseif", "elsif") else None
    if end is not None:
        yield candidate(cell, [SpanEdit(line[0].start, end, "elif")], "Python writes `elif`.", "misspelt keyword")


def import_from(cell: Cell) -> Iterator[Candidate]:
    """`import sqrt from math`: `from math import sqrt`."""
    line = problem_line(cell)
    texts = [token.text for token in line]
    if texts[:1] == ["import"] and "from" in texts[2:-1]:
        place = texts.index("from")
        start, end = line[0].start, line[-1].end
        names, module = cell.source[line[1].start : line[place - 1].end], cell.source[line[place + 1].start : end]
        edit = SpanEdit(start, end, f"from {module} import {names}")
        yield candidate(cell, [edit], "Python names the module first: `from ... import ...`.", "order of an import")


def _meant(line: list[Token], index: int) -> str | None:
    token = line[index]
    if token.kind != "name" or keyword.iskeyword(token.text):
        return None
    following = line[index + 1].text if index + 1 < len(line) else ""
    if following in ("=", ".", "(") or (index and line[index - 1].text == "."):
        return None
    lower = token.text.lower()
    if index == 0:
        return lower if lower in _FIRST else closest(token.text, _FIRST, fixed=True)
    return lower if lower in _INSIDE else None
