"""The statements behind the one that failed: they have never run, so nobody knows how long they take.

A run that has come to them is past the error.
"""

from __future__ import annotations

import ast

from reflex_ipython.check.parsed_cell import read
from reflex_ipython.models import Failure

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def takes_unknown_time(failure: Failure) -> bool:
    """Whether a fix has statements run that have never run: all of a cell that did not parse."""
    return failure.stage == "syntax" or bool(_never_run(failure))


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
    if failure.stage == "syntax":  # it runs at all
        return lineno is not None
    behind, new = _never_run(failure), read(source).tree
    if not behind or new is None or lineno is None:
        return False
    still = new.body[-len(behind) :]
    return list(map(ast.dump, still)) == list(map(ast.dump, behind)) and lineno >= still[0].lineno


def _never_run(failure: Failure) -> list[ast.stmt]:
    """Those of the cell's top level; none where it is not known which of them failed."""
    tree = read(failure.situation.source).tree
    if failure.stage != "run" or tree is None or failure.lineno is None:
        return []
    begun = [statement for statement in tree.body if statement.lineno <= failure.lineno]
    if not begun or isinstance(begun[-1], _DEFINITIONS):  # a function's line does not tell who has called it
        return []
    return tree.body[len(begun) :]
