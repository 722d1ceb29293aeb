"""Whether a fix parses."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_ipython.base.parsing import parsed
from reflex_ipython.check.parsed_cell import read
from reflex_ipython.models import Cause, CellRef, Edit, Finding, Fix, Trial
from reflex_ipython.protocols import Context


class SyntaxChecker:
    """Says where a proposed cell does not parse."""

    name = "syntax"
    needs_trial = False

    def __init__(self, context: Context | None = None) -> None:
        """Needs nothing of the context."""

    def check(self, cause: Cause, fix: Fix, trial: Trial | None = None) -> Iterator[Finding]:
        """Yield a finding for each cell of the fix that is no valid Python."""
        for edit in fix.edits:
            problem = _problem(edit)
            if problem is not None:
                yield Finding("syntax", f"does not parse: {problem.msg} on line {problem.lineno}")


def _problem(edit: Edit) -> SyntaxError | None:
    """Why a text does not parse: a cell may have magics, a file is Python alone."""
    if isinstance(edit.target, CellRef):
        return read(edit.source).error
    found = parsed(edit.source)
    return found if isinstance(found, SyntaxError) else None
