"""One possible step towards a cell that parses, and what the steps read of a broken cell."""

from __future__ import annotations

import ast
import keyword
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.lexing import Token


@dataclass(frozen=True)
class Candidate:
    """A text that may parse, or may bring the cell nearer to that.

    Parameters
    ----------
    source : str
        The cell's new text.
    cost : int
        How many characters were put in or taken out.
    why : str
        A sentence of fact for the user.
    rule : str
        What the user sees as its name.
    prior : float
        How likely it is that this is meant, if it parses. What a step that may be certain yields is likely in any case.
    """

    source: str
    cost: int
    why: str
    rule: str
    prior: float = 0.8


Step = Callable[[Cell], Iterable[Candidate]]
"""Looks at a cell that has a problem, and yields what might mend it. The search finds out what does."""

Logical = Sequence[Token]
"""The tokens of a logical line: up to a line end outside brackets, without line ends and comments."""

HEADERS = frozenset({"if", "elif", "else", "for", "while", "def", "class", "with", "try", "except", "finally", "async"})
CONDITIONS = frozenset({"if", "elif", "while", "assert", "return"})
COMPARISONS = frozenset({"<", ">", "<=", ">=", "==", "!="})
CLOSERS = {"(": ")", "[": "]", "{": "}"}


def candidate(cell: Cell, edits: Iterable[SpanEdit], why: str, rule: str, prior: float = 0.8) -> Candidate:
    """The cell with edits made, costed."""
    edits = set(edits)
    cost = sum(max(len(edit.text), edit.end - edit.start) for edit in edits)
    return Candidate(apply(cell.source, edits), cost, why, rule, prior)


def same_program(one: str, other: str) -> bool:
    """Whether two texts parse, and to the same tree."""
    left, right = read(one).tree, read(other).tree
    return left is not None and right is not None and ast.dump(left) == ast.dump(right)


def problem_line(cell: Cell) -> list[Token]:
    """The logical line in which the problem is: the last one that starts before it."""
    assert cell.problem is not None
    found: list[Token] = []
    for line in cell.logical_lines:
        if line[0].start > cell.problem.position and found:
            break
        found = line
    return found


def ends_operand(token: Token) -> bool:
    """Whether a value may end with the token."""
    if token.kind == "name":
        return not keyword.iskeyword(token.text) or token.text in ("True", "False", "None")
    return token.kind in ("string", "number", "close")


def starts_operand(token: Token) -> bool:
    """Whether a value may start with the token, no bracket."""
    if token.kind == "name":
        return not keyword.iskeyword(token.text) or token.text in ("True", "False", "None", "lambda", "not", "await")
    return token.kind in ("string", "number")
