"""What to run of a cell that was accepted: pure, from what is known of the run that failed."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Sequence


@dataclasses.dataclass(frozen=True)
class Plan:
    """What to do.

    Parameters
    ----------
    start : int
        The index of the first statement of the new cell that runs; the outputs of those before it are shown again.
    line : int or None
        Its line, if there are statements before it, 1-based; behind the last line, if none is left to run.
    rollback : int or None
        The statement of the old cell before which the state is put back first (`Journal.rollback`); None: it is left.
    repeats : tuple of str
        What would happen a second time, or start from a state that can't be put back: to be asked about first.
    """

    start: int = 0
    line: int | None = None
    rollback: int | None = None
    repeats: tuple[str, ...] = ()


def plan(
    old: Sequence[ast.stmt],
    new: Sequence[ast.stmt],
    failed: int | None,
    effects: Sequence[Sequence[str]],
    *,
    other_cell_ran: bool = False,
    whole: bool = False,
) -> Plan:
    """What to run.

    Parameters
    ----------
    old, new : sequence of ast.stmt
        The top-level statements of the cell that failed and of the accepted one, both transformed.
    failed : int or None
        The index in `old` of the statement that failed; None if unknown.
    effects : sequence of sequences of str
        For each statement of `old` that was started: what it did outside the namespace, and which objects it may have
        changed that can't be put back.
    other_cell_ran : bool
        Whether another cell ran since: the journal's state is not the one before this cell any more.
    whole : bool
        Whether the user wants all of it to run, even where it could be resumed.

    Returns
    -------
    Plan
    """
    if other_cell_ran:
        return Plan(repeats=_flat(effects))
    start = 0 if whole or failed is None else _same_beginning(old, new, failed)
    return Plan(start, _line(new, start) if start else None, start, _flat(effects[start:]))


def _flat(effects: Sequence[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(effect for statement in effects for effect in statement))


def _same_beginning(old: Sequence[ast.stmt], new: Sequence[ast.stmt], failed: int) -> int:
    """How many statements need not run again: completed, equal, and not an expression that is displayed as the last."""
    count = 0
    for some, other in zip(old[:failed], new[:-1] if new and isinstance(new[-1], ast.Expr) else new):
        if not same_code(some, other):
            break
        count += 1
    return count


def same_code(some: ast.AST, other: ast.AST) -> bool:
    """Whether two pieces of code differ in layout and comments at most."""
    return ast.dump(some) == ast.dump(other)


def _line(statements: Sequence[ast.stmt], start: int) -> int:
    if start == len(statements):
        return (statements[-1].end_lineno or 0) + 1
    statement = statements[start]
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(node.lineno for node in decorators)])
