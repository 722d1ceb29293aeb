"""A cell that does not parse, as those who guess what was meant see it."""

from __future__ import annotations

import bisect
import builtins
import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.cell import Cell, Problem
from reflex_ipython.propose.rules.lexing import Token
from reflex_ipython.propose.rules.syntax.candidate import CLOSERS, Candidate, candidate, problem_line

BUILTINS = frozenset(dir(builtins))
_BINDERS = frozenset({"def", "class", "import", "as", "for"})


@dataclass(frozen=True)
class Broken:
    """A cell that has a problem, and the names that have a value where it runs.

    Parameters
    ----------
    cell : Cell
        Its text; not parsed.
    namespace : frozenset of str
        The user's names.
    """

    cell: Cell
    namespace: frozenset[str]

    @property
    def source(self) -> str:
        """The raw text."""
        return self.cell.source

    @property
    def problem(self) -> Problem:
        """Why it does not parse."""
        assert self.cell.problem is not None
        return self.cell.problem

    @property
    def message(self) -> str:
        """What Python says of it."""
        return self.problem.message

    @functools.cached_property
    def line(self) -> list[Token]:
        """The tokens of the logical line in which the parser stopped."""
        return problem_line(self.cell)

    @functools.cached_property
    def texts(self) -> list[str]:
        """Their texts."""
        return [token.text for token in self.line]

    @functools.cached_property
    def statement(self) -> list[Token]:
        """Those of the one statement there, of several with semicolons between."""
        found: list[Token] = []
        for token in self.line:
            if token.text == ";" and token.depth == self.line[0].depth:
                if token.start >= self.problem.position:
                    break
                found = []
            else:
                found.append(token)
        return found

    @functools.cached_property
    def stop(self) -> int:
        """The place in `line` of the token where the parser stopped."""
        places = [index for index, token in enumerate(self.line) if token.end > self.problem.position]
        return places[0] if places else len(self.line)

    @functools.cached_property
    def known(self) -> frozenset[str]:
        """Names that have a value, or get one in this cell."""
        bound = {
            token.text
            for line in self.cell.logical_lines
            for place, token in enumerate(line)
            if token.kind == "name" and _is_bound(line, place)
        }
        return self.namespace | BUILTINS | bound

    @functools.cached_property
    def _quoted(self) -> tuple[list[int], list[Token]]:
        found = [token for token in self.cell.tokens if token.kind in ("string", "comment", "magic")]
        return [token.start for token in found], found

    def is_quoted(self, place: int) -> bool:
        """Whether a character is inside a string, a comment or a magic, behind its first character."""
        starts, tokens = self._quoted
        index = bisect.bisect_left(starts, place) - 1
        return index >= 0 and place < tokens[index].end

    def text(self, tokens: Sequence[Token]) -> str:
        """The raw text from the first to the last of some tokens; empty for none."""
        return self.source[tokens[0].start : tokens[-1].end] if tokens else ""

    def is_in_braces(self, place: int) -> bool:
        """Whether the innermost bracket around a place of `line` is a curly one."""
        around = opening(self.line, place)
        return around is not None and self.line[around].text == "{"

    def indent(self, tokens: Sequence[Token]) -> str:
        """The white space in front of the line in which the first of some tokens is."""
        row = self.cell.line(self.cell.lineno(tokens[0].start))
        return row[: len(row) - len(row.lstrip())]

    def guess(self, edits: Iterable[SpanEdit], prior: float, why: str, rule: str) -> Candidate:
        """The cell with edits made, as one of the things that may be meant."""
        return candidate(self.cell, edits, why, rule, prior)


Guess = Callable[[Broken], Iterable[Candidate]]
"""Looks at a cell that has a problem, and yields what may be meant, each with how likely that is if it parses."""


def closing(tokens: Sequence[Token], opener: int) -> int | None:
    """The place of the bracket that closes the one at a place; None if none does."""
    if tokens[opener].kind != "open":
        return None
    for place in range(opener + 1, len(tokens)):
        if tokens[place].kind == "close" and tokens[place].depth == tokens[opener].depth + 1:
            return place if tokens[place].text == CLOSERS[tokens[opener].text] else None
    return None


def opening(tokens: Sequence[Token], place: int) -> int | None:
    """The place of the innermost bracket that is open in front of a token."""
    depth = 0
    for before in range(place - 1, -1, -1):
        if tokens[before].kind == "close":
            depth += 1
        elif tokens[before].kind == "open":
            if not depth:
                return before
            depth -= 1
    return None


def touch(left: Token, right: Token) -> bool:
    """Whether nothing is between two tokens."""
    return left.end == right.start


def _is_bound(line: Sequence[Token], place: int) -> bool:
    before = line[place - 1].text if place else ""
    after = line[place + 1].text if place + 1 < len(line) else ""
    if before in _BINDERS or before == "global":
        return True
    if after in ("=", ":="):
        return before in ("", ",", "(", "*", ";", "=")
    pairs = after == "," or before == ","
    return pairs and not line[place].depth and any(token.text == "=" for token in line[place + 1 :])
