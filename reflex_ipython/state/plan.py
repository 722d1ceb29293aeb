"""What to run of a cell that was accepted: pure, from what is known of the run that failed."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Sequence
from typing import Any, Literal

from reflex_ipython.base.spans import first_line
from reflex_ipython.state.effect import Repeat
from reflex_ipython.state.inserted import Namespace, may_follow, understood
from reflex_ipython.state.repeatable import repeats_nothing, shows_nothing
from reflex_ipython.state.uses import Uses, names_bound

Interactivity = Literal["all", "last", "last_expr", "last_expr_or_assign", "none"]
"""Which statements of a cell are displayed, as IPython's `ast_node_interactivity` says it."""


@dataclasses.dataclass(frozen=True)
class Plan:
    """What to do.

    Parameters
    ----------
    done : tuple of int
        The indices of the statements of the new cell that have run and do not run again, in the order in which they
        ran. What they have put out is shown again.
    runs : tuple of int
        The indices of those that run.
    line : int or None
        Where it goes on behind what is done, 1-based; behind the last line, if none is left. None: nothing is done.
    first : tuple of int
        The lines of statements that were inserted before some of what is done: these run in front of the rest.
    rollback : int or None
        The statement of the old cell before which the state is put back first (`Journal.rollback`); None: it is left.
    repeats : tuple of str
        What would happen a second time, or start from a state that can't be put back: to be asked about first.
    shows : str
        A name whose value is displayed at the end, though the statement that has bound it does not run again.
    unshown : bool
        Whether the last line has a value that is not displayed, since that would need it to run again.
    """

    done: tuple[int, ...] = ()
    runs: tuple[int, ...] = ()
    line: int | None = None
    first: tuple[int, ...] = ()
    rollback: int | None = None
    repeats: tuple[str, ...] = ()
    shows: str = ""
    unshown: bool = False

    @property
    def ahead(self) -> str:
        """The lines that run in front, in words; empty if there are none."""
        return _listed(self.first) if self.first else ""

    @property
    def words(self) -> str:
        """Where it went on, in words; empty if all of it runs."""
        if self.line is None:
            return ""
        return (f"ran {self.ahead} first, " if self.first else "") + f"resumed at line {self.line}"


@dataclasses.dataclass(frozen=True)
class FailedStatements:
    """The run that failed.

    Parameters
    ----------
    statements : sequence of ast.stmt
        The top-level statements of its cell, transformed.
    failed : int or None
        Which statement failed, counted in the order in which they ran; None if unknown.
    effects : sequence of sequences of Repeat
        For each statement that was started: what it did outside the namespace, and which objects it may have changed
        that can't be put back.
    order : sequence of int or None
        The indices of the statements in the order in which they ran; None: in that of the text.
    """

    statements: Sequence[ast.stmt]
    failed: int | None
    effects: Sequence[Sequence[Repeat]]
    order: Sequence[int] | None = None

    @property
    def completed(self) -> list[int]:
        """The statements that ran to their end, as they ran."""
        order = range(len(self.statements)) if self.order is None else self.order
        return list(order[: self.failed]) if self.failed is not None else []


def plan(
    ran: FailedStatements,
    new: Sequence[ast.stmt],
    *,
    other_cell_ran: bool = False,
    whole: bool = False,
    renewed: frozenset[str] = frozenset(),
    namespace: Namespace | None = None,
    interactivity: Interactivity = "last_expr",
    dropped: int = 0,
) -> Plan:
    """What to run.

    Parameters
    ----------
    ran : FailedStatements
    new : sequence of ast.stmt
        The top-level statements of the accepted cell, transformed.
    other_cell_ran : bool
        Whether another cell ran since: the journal's state is not the one before this cell any more.
    whole : bool
        Whether the user wants all of it to run, even where it could be resumed.
    renewed : frozenset of str
        Names of functions that have another text now. If what failed does not call them itself, the mistake is in what
        they gave before: that is computed anew.
    namespace : mapping or None
        What the names mean now.
    interactivity : str
        Which statements of it are displayed.
    dropped : int
        How many lines stood above the first one of which the statements know: IPython drops those that are empty.

    Returns
    -------
    Plan
    """
    everything = tuple(range(len(new)))
    if other_cell_ran:
        return behind_another(ran.effects, len(new)) or Plan(runs=everything, repeats=_repeats(ran, new, 0))
    there = namespace or {}
    done = [] if whole else _unchanged(ran, new, there, _before_use(ran, renewed))
    shows, unshown = "", False
    if done and len(new) - 1 in done:
        ending = _Ending(new[-1], interactivity, there, _failed_binds(ran))
        if ending.may_run_again and done[-1] == len(new) - 1:
            done.pop()
        else:
            shows, unshown = ending.name, ending.is_lost
    kept, last = set(done), max(done, default=-1)
    return Plan(
        tuple(done),
        tuple(place for place in everything if place not in kept),
        dropped + _line(new, last + 1) if done else None,
        tuple(dropped + _line(new, place) for place in range(last) if place not in kept),
        len(done),
        _repeats(ran, new, len(done)),
        shows,
        unshown,
    )


def behind_another(effects: Sequence[Sequence[Repeat]], count: int) -> Plan | None:
    """What to run where another cell has run since: all of so many statements; None if that takes a look at them.

    Parameters
    ----------
    effects : sequence of sequences of Repeat
        As `FailedStatements` has them.
    count : int
    """
    every = [repeat for statement in effects for repeat in statement if not repeat.left]
    if any(repeat.since is not None for repeat in every):
        return None
    return Plan(runs=tuple(range(count)), repeats=tuple(dict.fromkeys(repeat.text for repeat in every)))


def _listed(numbers: Sequence[int]) -> str:
    """Lines in words: `line 1`, `lines 1 and 4`, `lines 1 to 3`."""
    numbers = sorted(set(numbers))
    if len(numbers) == 1:
        return f"line {numbers[0]}"
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"lines {numbers[0]} to {numbers[-1]}"
    return f"lines {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


def _repeats(ran: FailedStatements, new: Sequence[ast.stmt], start: int) -> tuple[str, ...]:
    """What would happen twice from that statement on, each once."""
    every = [
        repeat for place, statement in enumerate(ran.effects) for repeat in statement if repeat.left == (place < start)
    ]
    again = {ast.dump(statement) for statement in new} if any(repeat.since is not None for repeat in every) else set()
    order = range(len(ran.statements)) if ran.order is None else ran.order
    return tuple(
        dict.fromkeys(
            repeat.text
            for repeat in every
            if repeat.since is None
            or repeat.since < start
            or ast.dump(ran.statements[order[repeat.since]]) not in again
        )
    )


# ------------------------------------------------------------------------------------------ what need not run again


def _before_use(ran: FailedStatements, renewed: frozenset[str]) -> list[int]:
    """What ran to its end before the first use of such a function; all of it, if what failed uses one."""
    completed = ran.completed
    order = range(len(ran.statements)) if ran.order is None else ran.order
    if not renewed or ran.failed is None or ran.failed >= len(order):
        return completed
    if _uses(ran.statements[order[ran.failed]], renewed):
        return completed
    used = next((at for at, place in enumerate(completed) if _uses(ran.statements[place], renewed)), len(completed))
    return completed[:used]


def _uses(statement: ast.stmt, names: frozenset[str]) -> bool:
    nodes = ast.walk(statement)
    return any(getattr(node, "attr", getattr(node, "id", None)) in names for node in nodes)


def _unchanged(ran: FailedStatements, new: Sequence[ast.stmt], namespace: Namespace, completed: list[int]) -> list[int]:
    """Which statements of the new cell have run as they stand there, in the order in which they ran.

    The state can only be put back to before one of them, so it is a first part of what ran.
    """
    while completed:
        found = _found(ran, completed, new, namespace)
        if len(found) == len(completed):
            return [found[place] for place in completed]
        # The first one that is changed, or computed something else without what is before it now.
        missing = next(place for place in sorted(completed) if place not in found)
        completed = completed[: completed.index(missing)]
    return []


def _found(
    ran: FailedStatements, completed: Sequence[int], new: Sequence[ast.stmt], namespace: Namespace
) -> dict[int, int]:
    """Where statements that ran stand in the new cell, up to the first that does not stand there or may not stay."""
    found: dict[int, int] = {}
    inserted, start, rebound = Uses(), 0, _failed_binds(ran)
    for place in sorted(completed):
        old = ran.statements[place]
        at = next((at for at in range(start, len(new)) if same_code(old, new[at])), None)
        if at is None:
            return found
        for statement in new[start:at]:
            uses = understood(statement, namespace)
            if uses is None:
                return found
            inserted |= dataclasses.replace(uses, same=uses.same - rebound)
        if inserted != Uses() and not may_follow(inserted, old, namespace):
            return found
        found[place], start = at, at + 1
    return found


def _failed_binds(ran: FailedStatements) -> frozenset[str]:
    """The names that the statement that failed may have given another meaning: it is put back before anything runs."""
    order = range(len(ran.statements)) if ran.order is None else ran.order
    if ran.failed is None or ran.failed >= len(order):
        return frozenset()
    return names_bound(ran.statements[order[ran.failed]])


def same_code(some: Any, other: Any) -> bool:
    """Whether two pieces of code differ in layout and comments at most."""
    left = [(some, other)]
    while left:
        one, two = left.pop()
        if one is two:
            continue
        if type(one) is not type(two):
            return False
        if isinstance(one, ast.AST):
            left += [(getattr(one, name, None), getattr(two, name, None)) for name in one._fields]
        elif isinstance(one, list):
            if len(one) != len(two):
                return False
            left += zip(one, two)
        elif one != two if isinstance(one, (str, bytes)) else repr(one) != repr(two):  # 0.0 is not -0.0, nan is nan
            return False
    return True


def _line(statements: Sequence[ast.stmt], place: int) -> int:
    if place == len(statements):
        return (statements[-1].end_lineno or 0) + 1
    return first_line(statements[place])


# ------------------------------------------------------------------------------------------ what the end displays


class _Ending:
    """A last statement that has run, but was not the last one by then: so it was not displayed.

    Parameters
    ----------
    statement : ast.stmt
    interactivity : str
    namespace : mapping
    unknown : collection of str
        Names that may mean something else by the time that it could run.
    """

    def __init__(
        self, statement: ast.stmt, interactivity: Interactivity, namespace: Namespace, unknown: frozenset[str]
    ) -> None:
        shown = interactivity in ("last", "last_expr", "last_expr_or_assign")  # with "all" it was shown as it ran
        value = statement.value if shown and isinstance(statement, ast.Expr) else None
        self.may_run_again = value is not None and repeats_nothing(value, namespace, unknown)
        self.name = _assigned(statement) if interactivity == "last_expr_or_assign" else ""
        self.is_lost = value is not None and not self.may_run_again and not shows_nothing(value, namespace)
        if interactivity == "last" and isinstance(statement, (ast.For, ast.While, ast.If, ast.With, ast.Try)):
            self.is_lost = any(isinstance(node, ast.Expr) for node in ast.walk(statement))


def _assigned(statement: ast.stmt) -> str:
    """The name that an assignment binds, if it is one alone."""
    target = None
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
    elif isinstance(statement, (ast.AugAssign, ast.AnnAssign)):
        target = statement.target
    return target.id if isinstance(target, ast.Name) else ""
