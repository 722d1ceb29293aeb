"""Headers of blocks: their colon, and the brackets of a `def`."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.lexing import Token
from reflex_ipython.propose.rules.syntax.candidate import HEADERS, Candidate, candidate, problem_line

_ENDS = frozenset({"end", "endif", "endfor", "endwhile", "fi", "done"})
_SOFT = frozenset({"match", "case"})
"""They begin a block only where nothing but one can be meant."""
_WHY = "`{}` needs a colon before its block."


def missing_colon(cell: Cell) -> Iterator[Candidate]:
    """`if x == 3` and a block: the colon behind it, or in front of what follows on the same line."""
    line = problem_line(cell)
    if any(other[0].text in _ENDS and len(other) == 1 for other in cell.logical_lines):
        return  # another language's block: not the colon alone is missing
    if (
        not line
        or line[-1].text in ("then", "do")
        or not _is_header(cell, line)
        or any(token.text == ":" and token.depth == 0 for token in line)
    ):
        return
    why = _WHY.format(line[0].text)
    last = line[-1]
    if last.text == ";":
        yield candidate(cell, [SpanEdit(last.start, last.end, ":")], why, "missing colon")
    elif last.kind in ("name", "number", "string", "close"):
        yield candidate(cell, [SpanEdit(last.end, last.end, ":")], why, "missing colon")
    before = _before_problem(cell, line)
    if before is not None:
        yield candidate(cell, [SpanEdit(before.end, before.end, ":")], why, "missing colon")


def _is_header(cell: Cell, line: list[Token]) -> bool:
    """Whether a line begins a block; `match` and `case` may be names as well: one has the other, further in."""
    if line[0].text in HEADERS:
        return True
    starts = {other[0].text for other in cell.logical_lines}
    return line[0].text in _SOFT and starts >= _SOFT and len(line) > 1 and line[1].text not in ("=", ".", ",")


def def_without_brackets(cell: Cell) -> Iterator[Candidate]:
    """`def f:`: `def f():`."""
    line = problem_line(cell)
    if [token.text for token in line[:1]] == ["async"]:
        line = line[1:]
    if len(line) > 2 and line[0].text == "def" and line[1].kind == "name" and line[2].text == ":":
        edit = SpanEdit(line[1].end, line[1].end, "()")
        yield candidate(
            cell,
            [edit],
            "A function's name is followed by brackets, even if it takes no arguments.",
            "missing brackets",
        )


def _before_problem(cell: Cell, line: list[Token]) -> Token | None:
    """The token before the one at which the parser stopped, if that one is not the first."""
    assert cell.problem is not None
    before = [token for token in line if token.end <= cell.problem.position]
    return before[-1] if before and len(before) < len(line) else None
