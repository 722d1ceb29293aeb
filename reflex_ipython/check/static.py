"""What can be said of a fix from its text alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.models import Failure, Finding, Fix
from reflex_ipython.protocols import Context

# Cell magics whose body is Python that runs in the user's namespace.
_PYTHON_CELL = re.compile(r"%%(time|timeit|capture|prun)\b")
_SHELL_OR_MAGIC = re.compile(r"^(?P<indent>\s*)(?:[A-Za-z_][\w, ]*=\s*)?[%!?].*$|^(?P<help>\s*)[\w.]+\?{1,2}\s*$")


class SyntaxChecker:
    """Says where a proposed cell does not parse."""

    name = "syntax"

    def __init__(self, context: Context | None = None) -> None:
        """Needs nothing of the context."""

    def check(self, failure: Failure, fix: Fix) -> Iterator[Finding]:
        """Yield a finding for each cell of the fix that is no valid Python."""
        for edit in fix.edits:
            problem = syntax_problem(edit.source)
            if problem is not None:
                yield Finding("syntax", f"does not parse: {problem.msg} on line {problem.lineno}")


def syntax_problem(source: str) -> SyntaxError | None:
    """The first syntax error of a cell, its magics left out; None where it parses or is no Python at all."""
    python = without_magics(source)
    if python is None:
        return None
    try:
        compile(python, "<cell>", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except SyntaxError as error:
        return error
    except ValueError as error:  # null bytes
        return SyntaxError(str(error), ("<cell>", 1, 1, None))
    return None


def without_magics(source: str) -> str | None:
    """The cell with each magic or shell line replaced by `pass`; None if a cell magic makes it another language."""
    lines = source.split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if lines[first].startswith("%%"):
        if not _PYTHON_CELL.match(lines[first]):
            return None
        lines[first] = "pass"
    return "\n".join(_SHELL_OR_MAGIC.sub(r"\g<indent>pass", line) for line in lines)
