"""Indentation that fits nothing."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterable, Iterator

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.syntax.candidate import Candidate, candidate

_EXPECTED = re.compile(r"expected an indented block after .* on line \d+")
_LEAVES = frozenset({"return", "raise", "break", "continue"})
_CONTINUES = frozenset({"else", "elif", "except", "finally"})


def misindented(cell: Cell) -> Iterator[Candidate]:
    """Lines that are moved to where they fit, if there is one such place."""
    assert cell.problem is not None
    message = cell.problem.message
    if message == "unexpected indent":
        yield from _too_deep(cell, cell.problem.lineno)
    elif message.startswith("unindent does not match"):
        yield from _between(cell, cell.problem.lineno)
    elif message.startswith("inconsistent use of tabs"):
        yield from _tabs(cell)
    elif _EXPECTED.match(message):
        yield from _block(cell, cell.problem.lineno)


def _too_deep(cell: Cell, line: int) -> Iterator[Candidate]:
    """To the level of the line above: the line alone, or with what is behind it, whichever is enough."""
    before = [start for start in _starts(cell) if start < line]
    if before:
        wanted, why = _indent(cell, before[-1]), "This line is indented for no reason."
        if _indent(cell, line) in {_indent(cell, start) for start in before[-2:-1]}:
            return  # it may be the line above that is not indented enough
        yield from _moved(cell, line, wanted, why, alone=True)
        yield from _moved(cell, line, wanted, why)


def _between(cell: Cell, line: int) -> Iterator[Candidate]:
    """To the level that is nearest, of those that are open above."""
    levels: list[str] = []
    for start in _starts(cell):
        if start < line:
            indent = _indent(cell, start)
            levels = [level for level in levels if len(level) < len(indent)] + [indent]
    here = len(_indent(cell, line))
    ordered = sorted(levels, key=lambda level: abs(len(level) - here))
    if len(ordered) > 1 and abs(len(ordered[0]) - here) < abs(len(ordered[1]) - here):
        yield from _moved(cell, line, ordered[0], "The indentation of this line matches no block above it.")


def _tabs(cell: Cell) -> Iterator[Candidate]:
    """Tabs become spaces: four, or eight, whichever fits; silence if both do and mean different things."""
    found = {}
    for width in (4, 8):
        edits = []
        for line in _starts(cell):
            indent = _indent(cell, line)
            start = cell.starts[line - 1]
            edits.append(SpanEdit(start, start + len(indent), indent.expandtabs(width)))
        tree = read(apply(cell.source, edits)).tree
        if tree is not None:
            found[ast.dump(tree)] = edits
    if len(found) == 1:
        [edits] = found.values()
        yield candidate(cell, edits, "Tabs and spaces are mixed; now there are only spaces.", "tabs and spaces")


def _block(cell: Cell, line: int) -> Iterator[Candidate]:
    """One statement behind a header, with nothing else in its paragraph: it is the block."""
    starts = _starts(cell)
    here = [start for start in starts if start >= line]
    before = [start for start in starts if start < line]
    if not here or not before or cell.line(here[0]).split()[0].rstrip(":") in _CONTINUES:
        return
    indent = _indent(cell, here[0])
    if indent != _indent(cell, before[-1]):
        return
    if any(not cell.line(row).strip() for row in range(before[-1] + 1, here[0])):
        return  # a gap: the block may be missing as a whole
    if _header_may_be_too_deep(cell, before):
        return
    block = [here[0]]
    for left, right in itertools.pairwise(here):
        gap = any(not cell.line(row).strip() for row in range(left + 1, right))
        if gap or len(_indent(cell, right)) < len(indent):
            break
        if _indent(cell, right) == indent and cell.line(right).split()[0].rstrip(":") not in _CONTINUES:
            return
        block.append(right)
    last = max(row for row in range(block[-1], len(cell.starts) + 1) if row == block[-1] or _continues(cell, row))
    edits = [
        SpanEdit(cell.starts[row - 1], cell.starts[row - 1], _unit(cell))
        for row in range(here[0], last + 1)
        if cell.line(row).strip()
    ]
    if not _touches_string(cell, edits):
        yield candidate(cell, edits, "The line above needs an indented block.", "indentation")


def _header_may_be_too_deep(cell: Cell, starts: list[int]) -> bool:
    """Whether the last of these lines could as well be moved to the left."""
    old = _indent(cell, starts[-1])
    shallower = {level for level in ("", *(_indent(cell, line) for line in starts)) if len(level) < len(old)}
    start = cell.starts[starts[-1] - 1]
    return any(
        read(apply(cell.source, [SpanEdit(start, start + len(old), level)])).tree is not None for level in shallower
    )


def _moved(cell: Cell, line: int, wanted: str, why: str, *, alone: bool = False) -> Iterator[Candidate]:
    """The line, and those behind it that are at least as deep, moved to another indentation."""
    before = [start for start in _starts(cell) if start < line]
    if _indent(cell, before[-1]) == wanted and cell.line(before[-1]).split()[0] in _LEAVES:
        return  # there it would never run
    old = _indent(cell, line)
    edits = []
    for row in range(line, line + 1 if alone else len(cell.starts) + 1):
        text = cell.line(row)
        if text.strip():
            if not text.startswith(old):
                break
            start = cell.starts[row - 1]
            edits.append(SpanEdit(start, start + len(old), wanted))
    if not _touches_string(cell, edits):
        yield candidate(cell, edits, why, "indentation")


def _starts(cell: Cell) -> list[int]:
    """The numbers of the lines that start a logical line."""
    return [cell.lineno(line[0].start) for line in cell.logical_lines]


def _continues(cell: Cell, row: int) -> bool:
    """Whether a line is inside brackets that were opened above it."""
    return any(token.kind == "newline" and token.depth and cell.lineno(token.end) == row for token in cell.tokens)


def _indent(cell: Cell, line: int) -> str:
    text = cell.line(line)
    return text[: len(text) - len(text.lstrip())]


def _unit(cell: Cell) -> str:
    """One level of indentation as this cell has it."""
    indents = [_indent(cell, line) for line in _starts(cell)]
    return min((indent for indent in indents if indent), key=len, default="    ")


def _touches_string(cell: Cell, edits: Iterable[SpanEdit]) -> bool:
    """Whether an edit lies inside a string of several lines, whose text it would change."""
    strings = [token for token in cell.tokens if token.kind in ("string", "broken") and "\n" in token.text]
    return any(string.start < edit.start < string.end for string in strings for edit in edits)
