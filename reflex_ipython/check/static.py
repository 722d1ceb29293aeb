"""Whether a fix parses."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_ipython.check.parsed_cell import read
from reflex_ipython.models import Cause, Finding, Fix, Trial
from reflex_ipython.protocols import Context


class SyntaxChecker:
    """Says where a proposed cell does not parse."""

    name = "syntax"

    def __init__(self, context: Context | None = None) -> None:
        """Needs nothing of the context."""

    def check(self, cause: Cause, fix: Fix, trial: Trial | None = None) -> Iterator[Finding]:
        """Yield a finding for each cell of the fix that is no valid Python."""
        for edit in fix.edits:
            problem = read(edit.source).error
            if problem is not None:
                yield Finding("syntax", f"does not parse: {problem.msg} on line {problem.lineno}")
