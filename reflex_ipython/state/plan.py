"""What to run of a cell that was accepted: pure, from what is known of the run that failed."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Sequence
from typing import Literal

from reflex_ipython.state.restoration import listed

Action = Literal["rewrite only", "resume", "whole", "ask"]


@dataclasses.dataclass(frozen=True)
class Plan:
    """What to do.

    Parameters
    ----------
    action : str
        "rewrite only": put the text into the cell. "resume": leave out the statements before `start`; their outputs are
        shown again. "whole": run all of it. "ask": the same, after a yes to `repeats`.
    start : int
        The index of the first statement of the new cell that runs.
    rollback : int or None
        The statement of the old cell before which the state is put back first (`Journal.rollback`); None: it is left.
    repeats : tuple of str
        What would happen a second time, or start from a state that can't be put back.
    words : str
        A line for the panel.
    """

    action: Action
    start: int = 0
    rollback: int | None = None
    repeats: tuple[str, ...] = ()
    words: str = ""


def plan(
    old: Sequence[ast.stmt],
    new: Sequence[ast.stmt],
    failed: int | None,
    effects: Sequence[Sequence[str]],
    *,
    other_cell_ran: bool = False,
    run: bool = True,
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
    run : bool
        Whether the user wants it to run.

    Returns
    -------
    Plan
    """
    if not run:
        return Plan("rewrite only", words="the cell is rewritten, not run")
    if other_cell_ran:
        return _asking(
            Plan("whole", words="another cell ran since: runs the whole cell on the state as it is"), effects
        )
    if failed is None:
        return _asking(Plan("whole", rollback=0, words="undoes what the cell did, runs the whole cell"), effects)
    start = _same_beginning(old, new, failed)
    if start == 0:
        return _asking(Plan("whole", rollback=0, words=_whole_words(failed)), effects)
    line = _first_line(new[start])
    return _asking(Plan("resume", start, start, words=f"resumes at line {line}"), effects[start:])


def _asking(plan: Plan, effects: Sequence[Sequence[str]]) -> Plan:
    repeats = tuple(dict.fromkeys(effect for statement in effects for effect in statement))
    if not repeats:
        return plan
    return dataclasses.replace(plan, action="ask", repeats=repeats, words=f"{plan.words}; repeats: {listed(repeats)}")


def _same_beginning(old: Sequence[ast.stmt], new: Sequence[ast.stmt], failed: int) -> int:
    """How many statements need not run again: completed, equal, and not the last, whose value is displayed."""
    count = 0
    for some, other in zip(old[:failed], new[:-1]):
        if not same_code(some, other):
            break
        count += 1
    return count


def same_code(some: ast.AST, other: ast.AST) -> bool:
    """Whether two pieces of code differ in layout and comments at most."""
    return ast.dump(some) == ast.dump(other)


def _whole_words(failed: int) -> str:
    return "undoes what the cell did, runs the whole cell" if failed else "runs the whole cell"


def _first_line(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(node.lineno for node in decorators)])
