"""Numbers that start with zeros."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.lexing import Token
from reflex_ipython.propose.rules.syntax.candidate import Candidate, candidate

_LEADING = re.compile(r"0+(?=\d)")
_DATES = frozenset({"date", "datetime", "Timestamp", "time"})
_MODES = frozenset({"chmod", "mkdir", "makedirs", "umask", "open"})


def leading_zeros(cell: Cell) -> Iterator[Candidate]:
    """`date(2024, 03, 09)`: `date(2024, 3, 9)`; `os.chmod(path, 0644)`: `0o644`. Elsewhere a code may be meant."""
    assert cell.problem is not None
    if not cell.problem.message.startswith("leading zeros in decimal integer literals"):
        return
    edits = [
        _edit(cell, token)
        for token in cell.tokens
        if token.kind == "number" and re.fullmatch(r"0+[1-9]\d*", token.text)
    ]
    found = [edit for edit in edits if edit]
    if found and len(found) == len(edits):
        yield candidate(
            cell,
            found,
            "A decimal number can't start with 0 in Python 3; an octal one starts with `0o`.",
            "leading zeros",
        )


def _edit(cell: Cell, token: Token) -> SpanEdit | None:
    zeros = _LEADING.match(token.text)
    assert zeros is not None  # the caller's pattern has them
    function = _function_around(cell, token)
    if function == "[":
        return None  # in a slice, a colon may be missing: `[02]`
    if function in _MODES:
        return SpanEdit(token.start, token.start + zeros.end(), "0o")
    if function in _DATES:
        return SpanEdit(token.start, token.start + zeros.end(), "")
    return None


def _function_around(cell: Cell, token: Token) -> str:
    """The name of the call in whose brackets a token stands, or the bracket if it is of another kind."""
    for index in range(cell.tokens.index(token) - 1, 0, -1):
        opener = cell.tokens[index]
        if opener.kind == "open" and opener.depth == token.depth - 1:
            return cell.tokens[index - 1].text if opener.text == "(" else opener.text
    return ""
