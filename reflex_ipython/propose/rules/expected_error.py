"""Cells that are meant to fail: their own comments say so."""

from __future__ import annotations

import re

from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.cell import read
from reflex_ipython.propose.rules.statements import failing_line, statement_at

_ANNOUNCES = re.compile(
    r"error|exception|\braises?\b|\bfails?\b|\bfailing\b|\bthrows?\b|not work|n't work|not allowed|illegal|forbidden"
    r"|\bincorrect|\bwrong\b|\binvalid\b|\bimpossible\b|\bcrash|\bbad\b",
    re.IGNORECASE,
)


def announced(failure: Failure) -> bool:
    """Whether a comment on the failing statement, or right above it, says that it will fail."""
    if "#" not in failure.situation.source:
        return False
    cell = read(failure.situation.source)
    lineno = cell.problem.lineno if cell.problem else failing_line(failure)
    if lineno is None or lineno > len(cell.starts):
        return False
    statement = statement_at(cell, lineno)
    first = min(statement.lineno, lineno) if statement else lineno
    comments = {cell.lineno(token.start): token.text for token in cell.tokens if token.kind == "comment"}
    while first > 1 and cell.line(first - 1).lstrip().startswith("#"):
        first -= 1
    return any(_ANNOUNCES.search(comments.get(number, "")) for number in range(first, lineno + 1))
