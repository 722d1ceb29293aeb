"""The statements behind the one that failed: they have never run. A run that has come to them is past the error."""

from __future__ import annotations

import ast

from reflex_ipython.base.spans import first_line
from reflex_ipython.check.parsed_cell import read
from reflex_ipython.models import Failure

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def is_past(failure: Failure, source: str, lineno: int | None) -> bool:
    """Whether a run of the cell's new text is past what failed.

    Parameters
    ----------
    failure : Failure
    source : str
        The new text. What stood behind the failed statement must be as it was.
    lineno : int or None
        Where the run is, 1-based.
    """
    if _did_not_parse(failure):  # it runs at all
        return lineno is not None
    behind, new = _never_run(failure), read(source).tree
    if not behind or new is None or lineno is None:
        return False
    before, still = new.body[: -len(behind)], new.body[-len(behind) :]
    try:
        if list(map(ast.dump, still)) != list(map(ast.dump, behind)):
            return False
    except RecursionError:  # a sum of a thousand terms
        return False
    shared = max((statement.end_lineno or 0 for statement in before), default=0)  # `x = total; fit(x)`
    return lineno >= first_line(still[0]) and lineno > shared


def _did_not_parse(failure: Failure) -> bool:
    """Python finds some errors only as it comes to their statement, a `return` at the top: those before it ran."""
    return failure.stage == "syntax" and read(failure.situation.source).tree is None


def _never_run(failure: Failure) -> list[ast.stmt]:
    """Those of the cell's top level; none where it is not known which of them failed."""
    tree = read(failure.situation.source).tree
    if failure.stage == "display" or tree is None or failure.lineno is None:
        return []
    begun = [statement for statement in tree.body if first_line(statement) <= failure.lineno]
    if not begun or _is_inside(begun[-1], failure.lineno):
        return []
    return tree.body[len(begun) :]


def _is_inside(statement: ast.stmt, lineno: int) -> bool:
    """Whether a line is in the body of a definition: that does not tell who has called it."""
    return isinstance(statement, _DEFINITIONS) and lineno >= first_line(statement.body[0])
