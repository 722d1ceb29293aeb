"""The first statement that will surely fail, and how."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from reflex_ipython.foreseen import calls, files, labels, members, names, values
from reflex_ipython.foreseen.changed import PossibleChanges, may_be_set
from reflex_ipython.foreseen.ends import may_end
from reflex_ipython.foreseen.late_syntax import late_syntax_error
from reflex_ipython.foreseen.order import evaluated
from reflex_ipython.foreseen.reach import Codes

_FINDERS = (names.find, members.find, values.find, labels.find, calls.find, files.find)
"""Each says what an expression raises when it is evaluated; None where that is not sure."""
_MOST = 300
"""Statements that are looked at."""


class ForeseenFailure(NamedTuple):
    """A statement that will fail, if those before it do not.

    Parameters
    ----------
    place : int
        Which statement of the cell.
    error : BaseException
        What it will raise, made here; without a traceback.
    node : ast.AST
        What will raise it.
    """

    place: int
    error: BaseException
    node: ast.AST


def foresee(
    statements: Sequence[ast.stmt],
    begun: int,
    namespace: dict[str, Any],
    pause: Callable[[], object] = lambda: None,
) -> ForeseenFailure | None:
    """What will surely fail of the statements that have not begun.

    Nothing of the user's runs. Other threads may change the namespace meanwhile.

    Parameters
    ----------
    statements : sequence of ast.stmt
        All of a cell, as IPython runs them: magics are calls of `get_ipython` in them.
    begun : int
        How many have begun; the last of these may still run, and change things.
    namespace : dict
        As it is now.
    pause : callable
        Called between two statements, where the thread that runs the cell may go on.

    Returns
    -------
    Foreseen or None
        The first; None if nothing is sure.
    """
    if type(namespace) is not dict:  # one that answers for names which it does not have
        return None
    known: dict[str, Codes] = {}
    running = statements[max(begun - 1, 0) : begun]
    if any(may_end(statement, namespace, known) for statement in running):
        return None
    changed = PossibleChanges(running, namespace, known)
    for index in range(begun, min(len(statements), begun + _MOST)):
        pause()
        statement = statements[index]
        late = late_syntax_error(statement)
        if late is not None:
            return ForeseenFailure(index, late, statement)
        if may_end(statement, namespace, known):
            return None
        if changed.anything:
            continue
        inside = PossibleChanges([statement], namespace, known)  # it may bind what it reads later
        found = None if inside.anything else _found(statement, namespace, changed, inside)
        if found is not None:
            return ForeseenFailure(index, *found)
        changed.add(statement)
    return None


def _found(
    statement: ast.stmt, namespace: dict[str, Any], changed: PossibleChanges, inside: PossibleChanges
) -> tuple[BaseException, ast.expr] | None:
    for node in evaluated(statement):
        for find in _FINDERS:
            error = find(node, namespace, changed, inside)
            if error is not None:
                return None if may_be_set(node, namespace) else (error, node)
    return None
