"""Which top-level statement of a cell failed. "Unknown" is an answer; a guess is not."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from types import TracebackType
from typing import NamedTuple


class _Position(NamedTuple):
    """Where an instruction stands: lines 1-based, columns 0-based in UTF-8 bytes; None where Python does not know."""

    line: int
    end_line: int | None = None
    column: int | None = None
    end_column: int | None = None


def failed_statement(error: BaseException, statements: Sequence[ast.stmt], filename: str) -> int | None:
    """The index of the statement that raised.

    Parameters
    ----------
    error : BaseException
        With its traceback.
    statements : sequence of ast.stmt
        The cell's top-level statements, after input and syntax transformations, as they were compiled.
    filename : str
        The name of the cell's code.

    Returns
    -------
    int or None
        None if the error does not come from this cell, or if several statements may have raised it: before Python 3.11
        there are no columns, so statements on one line can't be told apart.
    """
    position = _raised_at(error.__traceback__, filename)
    if position is None:
        position = _does_not_compile(error, filename)
    if position is None:
        return None
    return _by_line(position.line, statements) if position.column is None else _exact(position, statements)


def _raised_at(traceback: TracebackType | None, filename: str) -> _Position | None:
    """The position in the outermost frame that is the cell's own: what it calls lies deeper."""
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename == filename and code.co_name == "<module>":
            return _position(traceback)
        traceback = traceback.tb_next
    return None


def _position(traceback: TracebackType) -> _Position:
    if sys.version_info >= (3, 11):
        place = traceback.tb_lasti // 2
        line, *others = next(islice(traceback.tb_frame.f_code.co_positions(), place, None), (None,) * 4)
        if line is not None and None not in others:
            return _Position(line, *others)
    return _Position(traceback.tb_lineno)


def _does_not_compile(error: BaseException, filename: str) -> _Position | None:
    """IPython compiles statement by statement, so that `return` in the second one is found when the first has run."""
    if not isinstance(error, SyntaxError) or error.filename != filename or error.lineno is None:
        return None
    ends = error.end_lineno, error.end_offset
    if error.offset and ends[0] and ends[1]:  # the compiler gives columns of the tree, plus one
        return _Position(error.lineno, ends[0], error.offset - 1, ends[1] - 1)
    return _Position(error.lineno)


def _exact(position: _Position, statements: Sequence[ast.stmt]) -> int | None:
    """The statement that has a node of just that position; if the position is nobody's, the one that covers it.

    Up to Python 3.11, nodes inside f-strings may have a wrong position, the same in the tree as in the code.
    """
    having = [place for place, statement in enumerate(statements) if position in _positions(statement)]
    covering = [place for place, statement in enumerate(statements) if _covers(statement, position)]
    if len(having) == 1:
        return having[0]
    both = [place for place in having if place in covering] if having else covering
    return both[0] if len(both) == 1 else None


def _positions(statement: ast.stmt) -> set[_Position]:
    return {_of(node) for node in ast.walk(statement) if hasattr(node, "lineno")}


def _of(node: ast.AST) -> _Position:
    return _Position(node.lineno, node.end_lineno, node.col_offset, node.end_col_offset)  # type: ignore[attr-defined]  # asked before


def _covers(statement: ast.stmt, position: _Position) -> bool:
    start = min((_of(node) for node in _heads(statement)), key=lambda at: (at.line, at.column))
    end = _of(statement)
    after = (position.line, position.column) >= (start.line, start.column)
    return after and (position.end_line, position.end_column) <= (end.end_line, end.end_column)


def _heads(statement: ast.stmt) -> Iterator[ast.AST]:
    yield statement
    yield from getattr(statement, "decorator_list", ())  # they stand before the line of their `def`


def _by_line(line: int, statements: Sequence[ast.stmt]) -> int | None:
    """The only statement on that line; None if there are several."""
    covering = [place for place, statement in enumerate(statements) if _covers_line(statement, line)]
    return covering[0] if len(covering) == 1 else None


def _covers_line(statement: ast.stmt, line: int) -> bool:
    first = min(_of(node).line for node in _heads(statement))
    return first <= line <= (statement.end_lineno or first)
