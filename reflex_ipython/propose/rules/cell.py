"""A cell as rules read it: its text, its tokens, its tree, and edits that leave everything else byte for byte."""

from __future__ import annotations

import ast
import bisect
import functools
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from reflex_ipython.base.parsing import compile_error, parsed, parsed_once
from reflex_ipython.base.spans import LINE_END, SpanEdit, line_at, line_starts, offset
from reflex_ipython.base.working_cache import working_cache
from reflex_ipython.propose.rules.lexing import Token, lex, mask

# The first line with code in it is indented.
_INDENTED = re.compile(r"(?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n|\r(?!\n)|\n))*[ \t]+(?=[^\s#])")

N = TypeVar("N", bound=ast.AST)


@dataclass(frozen=True)
class Problem:
    """Why and where a cell does not compile. `position` counts characters from the start of the cell."""

    message: str
    lineno: int
    position: int
    end: int


@dataclass(frozen=True)
class Cell:
    """A cell that was read once.

    Parameters
    ----------
    source : str
        The raw text.
    starts : tuple of int
        For each line, the characters before it.
    tree : ast.Module or None
        The tree, with lines and columns of the raw text; None if the cell does not compile.
    problem : Problem or None
        Why it does not compile.
    """

    source: str
    starts: tuple[int, ...]
    tree: ast.Module | None
    problem: Problem | None

    @functools.cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens of the raw text; a magic is one token."""
        return lex(self.source)

    @functools.cached_property
    def logical_lines(self) -> list[list[Token]]:
        """The tokens of each logical line, without line ends, comments and magics; lines without code are left out."""
        lines: list[list[Token]] = [[]]
        for token in self.tokens:
            if token.kind == "newline" and token.depth == 0:
                lines.append([])
            elif token.kind not in ("newline", "comment", "magic"):
                lines[-1].append(token)
        return [line for line in lines if line]

    @functools.cached_property
    def _read(self) -> tuple[list[ast.AST], dict[ast.AST, ast.AST]]:
        """The nodes, from the outside inwards, and what each is a part of, in one pass: a cell may be long."""
        found: list[ast.AST] = [self.tree] if self.tree else []
        parents: dict[ast.AST, ast.AST] = {}
        for node in found:  # those that are added meanwhile as well
            for name in node._fields:
                value = getattr(node, name, None)
                if type(value) is list:
                    inside = [each for each in value if isinstance(each, ast.AST)]
                    found += inside
                    parents.update(dict.fromkeys(inside, node))
                elif name != "ctx" and isinstance(value, ast.AST):
                    found.append(value)
                    parents[value] = node
        return found, parents

    @property
    def _nodes(self) -> list[ast.AST]:
        return self._read[0]

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The node that a node of the tree is a part of; None for the tree itself."""
        return self._read[1].get(node)

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes that a node is a part of, the innermost first."""
        outer = self.parent(node)
        while outer is not None:
            yield outer
            outer = self.parent(outer)

    @functools.cached_property
    def _by_kind(self) -> dict[type[ast.AST], list[Any]]:
        found = defaultdict[type[ast.AST], list[Any]](list)
        for node in self._nodes:
            found[type(node)].append(node)
        return found

    @functools.cached_property
    def bound(self) -> frozenset[str]:
        """Every name that the cell gives a value to, wherever that is."""
        names = [node.id for node in self.every(ast.Name) if type(node.ctx) is not ast.Load]
        names += [node.name for node in self.every(ast.FunctionDef)]
        names += [node.name for node in self.every(ast.AsyncFunctionDef)]
        names += [node.name for node in self.every(ast.ClassDef)]
        names += [(node.asname or node.name).partition(".")[0] for node in self.every(ast.alias)]
        names += [node.arg for node in self.every(ast.arg)]
        names += [node.name for node in self.every(ast.ExceptHandler) if node.name]
        return frozenset(names)

    @property
    def newline(self) -> str:
        """What ends a line in this cell."""
        match = LINE_END.search(self.source)
        return match.group() if match else "\n"

    def line(self, lineno: int) -> str:
        """The text of a line (1-based), without what ends it."""
        return line_at(self.source, self.starts, lineno)

    def offset(self, lineno: int, column: int) -> int:
        """The characters before a place that the tree gives as a line (1-based) and a column in UTF-8 bytes."""
        return offset(self.source, self.starts, lineno, column)

    def span(self, node: ast.expr | ast.stmt | ast.alias | ast.keyword) -> tuple[int, int]:
        """Where a node starts and ends, in characters."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None  # a parsed tree has all of them
        return self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset)

    def text(self, node: ast.expr | ast.stmt) -> str:
        """The raw text of a node."""
        start, end = self.span(node)
        return self.source[start:end]

    def without(self, call: ast.Call, argument: ast.keyword | ast.expr) -> SpanEdit:
        """The edit that takes an argument out of a call, with the comma that belongs to it."""
        start, end = self.span(argument)
        given = sorted([*map(self.span, call.args), *map(self.span, call.keywords)])
        at = given.index((start, end))
        if at + 1 < len(given):
            return SpanEdit(start, given[at + 1][0], "")
        return SpanEdit(given[at - 1][1] if at else start, end, "")

    def nodes(self) -> Iterator[ast.AST]:
        """Every node of the tree, from the outside inwards; none if the cell does not compile."""
        return iter(self._nodes)

    def every(self, kind: type[N]) -> list[N]:
        """Those of one type."""
        return self._by_kind.get(kind, [])

    def lineno(self, position: int) -> int:
        """The number of the line (1-based) in which a character is."""
        return bisect.bisect_right(self.starts, position)


_OF_AN_INNER = "no binding for nonlocal"
"""What is said of the text of an inner function that stands alone, as one that heals: it can be read all the same."""


@working_cache(maxsize=32)  # every rule of one failure reads the same cell
def read(source: str) -> Cell:
    """Read a cell: IPython's syntax, await at the top level, a cell that is indented as a whole."""
    starts = line_starts(source)
    masked = mask(source)
    indented = _INDENTED.match(source) is not None
    tree = parsed(f"if 1:\n{masked}") if indented else parsed_once(masked)
    # The tree alone would allow `return` outside a function and `break` outside a loop.
    error = tree if isinstance(tree, SyntaxError) else compile_error(tree)
    problem = _problem(error, starts, len(source), 1 if indented else 0) if isinstance(error, SyntaxError) else None
    if not isinstance(tree, ast.Module) or (problem is not None and not problem.message.startswith(_OF_AN_INNER)):
        return Cell(source, starts, None, problem)
    if indented and isinstance(tree.body[0], ast.If):
        tree = ast.Module(tree.body[0].body + tree.body[1:], [])
        ast.increment_lineno(tree, -1)
    return Cell(source, starts, tree, problem)


def _problem(error: SyntaxError, starts: tuple[int, ...], length: int, above: int) -> Problem:
    def place(lineno: int | None, column: int | None) -> int:
        row = min(max((lineno or 1) - above, 1), len(starts))
        return min(starts[row - 1] + max((column or 1) - 1, 0), length)

    position = place(error.lineno, error.offset)
    return Problem(
        error.msg,
        min(max((error.lineno or 1) - above, 1), len(starts)),
        position,
        max(position, place(error.end_lineno, error.end_offset)) if error.end_lineno else position,
    )
