"""Which part of the cell failed, as far as the failure tells."""

from __future__ import annotations

import ast
import bisect
import itertools
from collections.abc import Iterator

from reflex_ipython.base.spans import first_line
from reflex_ipython.models import Failure
from reflex_ipython.propose.home import innermost
from reflex_ipython.propose.rules.cell import Cell, read

_Nested = (ast.stmt, ast.excepthandler, ast.match_case)


def failing_cell(failure: Failure) -> Cell | None:
    """The failing cell, if it compiles and the failing code is in it; None where an earlier cell's function failed."""
    frame = innermost(failure)
    if failure.stage == "syntax" or (frame is not None and frame.cell != failure.situation.cell):
        return None
    cell = read(failure.situation.source)
    return cell if cell.tree is not None else None


def failing_line(failure: Failure) -> int | None:
    """The line of the failing cell that failed: in a function of the cell, the line inside that function."""
    frame = innermost(failure)
    return frame.lineno if frame is not None and frame.cell == failure.situation.cell else failure.lineno


def variable_type(failure: Failure, name: str) -> str:
    """The qualified type of a variable of the failing code; empty if it is not known."""
    frame = innermost(failure)
    variables = frame.variables if frame else ()
    return next((variable.type for variable in variables if variable.name == name), "")


def statement_at(cell: Cell, lineno: int | None) -> ast.stmt | None:
    """The innermost statement on a line."""
    chain = _enclosing(cell, lineno)
    return chain[-1] if chain else None


def statements_at(cell: Cell, lineno: int | None) -> list[ast.stmt]:
    """The innermost statement on a line, and those whose header is on that line too: `for x in y: print(x)`."""
    return [node for node in _enclosing(cell, lineno) if (lineno or 0) <= _last_line_of_header(node)]


def _enclosing(cell: Cell, lineno: int | None) -> list[ast.stmt]:
    """The statements on a line, the outermost first."""
    found: list[ast.stmt] = []
    inside: ast.AST | None = cell.tree
    while inside is not None and lineno:
        here = _on(lineno, inside.body if isinstance(inside, ast.Module) else list(_blocks(inside)))
        inside = here[-1] if here else None
        found += here
    return found


def _on(lineno: int, block: list[ast.stmt]) -> list[ast.stmt]:
    """Those on a line, of statements that follow each other. Of thousands, only a few are looked at."""
    first = bisect.bisect_left(block, lineno, key=_last_line)
    return list(itertools.takewhile(lambda node: first_line(node) <= lineno, itertools.islice(block, first, None)))


def _last_line(statement: ast.stmt) -> int:
    return statement.end_lineno or statement.lineno


def _blocks(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements right inside a statement, in all its blocks."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        elif isinstance(child, (ast.ExceptHandler, ast.match_case)):
            yield from child.body


def expressions(statement: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement without those of the statements nested in it."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(child for child in ast.iter_child_nodes(node) if not isinstance(child, _Nested))


def failing_nodes(failure: Failure, cell: Cell) -> list[ast.AST]:
    """The nodes of the failing statement; all of the cell's where the line is not known."""
    found = statements_at(cell, failing_line(failure))
    return [node for statement in found for node in expressions(statement)] if found else list(cell.nodes())


def _last_line_of_header(statement: ast.stmt) -> int:
    """The last line of a statement without the blocks in it."""
    block = next(_blocks(statement), None)
    if block is None:
        return _last_line(statement)
    return max(statement.lineno, first_line(block) - 1)
