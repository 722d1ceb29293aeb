"""Which statement of the failing cell a mistake was made in."""

from __future__ import annotations

import ast

from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.statements import failing_line, statements_at


def failing_statements(failure: Failure) -> tuple[Cell, list[ast.stmt]]:
    """The failing cell, and its innermost statement that failed last, behind those whose header is on the same line.

    Where a function of an earlier cell failed, that is the statement which called it: what it was given is the cell's.
    None of a cell that does not compile.
    """
    cell = read(failure.situation.source)
    if failure.stage == "syntax" or cell.tree is None:
        return cell, []
    return cell, statements_at(cell, failing_line(failure)) or statements_at(cell, failure.lineno)
