"""Places in a source and edits of it: lines as Python counts them, columns in UTF-8 bytes, characters."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

LINE_END = re.compile(r"\r\n|\r|\n")
"""What ends a line for Python; `str.splitlines` knows more."""


class SpanEdit(NamedTuple):
    """The characters from `start` up to `end` become `text`."""

    start: int
    end: int
    text: str


def apply(source: str, edits: Iterable[SpanEdit]) -> str:
    """The text with the edits made; they must not overlap."""
    for edit in sorted(set(edits), reverse=True):
        source = source[: edit.start] + edit.text + source[edit.end :]
    return source


def line_starts(source: str) -> tuple[int, ...]:
    """For each line, the characters before it."""
    return (0, *(found.end() for found in LINE_END.finditer(source)))


def line_at(source: str, starts: Sequence[int], lineno: int) -> str:
    """The text of a line (1-based), without what ends it.

    Parameters
    ----------
    starts : sequence of int
        As `line_starts` gave them.
    """
    end = starts[lineno] if lineno < len(starts) else len(source)
    return source[starts[lineno - 1] : end].rstrip("\r\n")


def offset(source: str, starts: Sequence[int], lineno: int, column: int) -> int:
    """The characters before a place that a tree gives as a line (1-based) and a column in UTF-8 bytes."""
    line = line_at(source, starts, lineno)
    if not line.isascii():
        column = len(line.encode()[:column].decode(errors="ignore"))
    return starts[lineno - 1] + column


def first_line(statement: ast.stmt) -> int:
    """The line (1-based) on which a statement starts, its decorators included."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])
