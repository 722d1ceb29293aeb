"""Where a new import belongs in a cell."""

from __future__ import annotations

import ast

from reflex_ipython.base.spans import SpanEdit, first_line
from reflex_ipython.propose.rules.cell import Cell


def import_edit(cell: Cell, statements: list[str]) -> SpanEdit:
    """The edit that adds import statements to a cell that compiles.

    They go behind the imports that the cell begins with; else in front of its first statement, after a cell magic, a
    docstring, and comments that stand apart. A comment that touches the first statement stays with it, unless it is an
    option of the cell (`#|`, `#!`, `#@`, `# %%`), which must come first.
    """
    assert cell.tree is not None
    body = [node for node in cell.tree.body if not _is_magic(cell, node)]
    imports = _leading_imports(body)
    rest = body[len(imports) + _has_docstring(body) :]
    if imports and not (rest and first_line(rest[0]) == imports[-1].end_lineno):
        line = (imports[-1].end_lineno or 0) + 1
        indent = _indent(cell.line(imports[0].lineno))
    else:
        line = _above(cell, first_line(rest[0]) if rest else len(cell.starts) + 1)
        indent = _indent(cell.line(first_line(rest[0]))) if rest else ""
    text = "".join(f"{indent}{statement}{cell.newline}" for statement in statements)
    if line > len(cell.starts):
        end = len(cell.source)
        return SpanEdit(end, end, cell.newline + text.rstrip("\r\n"))
    return SpanEdit(cell.starts[line - 1], cell.starts[line - 1], text)


def _leading_imports(body: list[ast.stmt]) -> list[ast.stmt]:
    imports: list[ast.stmt] = []
    for node in body[_has_docstring(body) :]:
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            break
        imports.append(node)
    return imports


def _has_docstring(body: list[ast.stmt]) -> int:
    first = body[0] if len(body) > 1 else None  # a cell that is just a string shows it
    return int(
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    )


def _is_magic(cell: Cell, node: ast.stmt) -> bool:
    start, end = cell.starts[node.lineno - 1], cell.span(node)[0] if isinstance(node, ast.Pass) else 0
    return isinstance(node, ast.Pass) and any(
        token.kind == "magic" and start <= token.start <= end for token in cell.tokens
    )


def _above(cell: Cell, lineno: int) -> int:
    """The line in front of which to put an import, above the comments that touch line `lineno`."""
    line = lineno
    while line > 1 and cell.line(line - 1).lstrip().startswith("#") and not _is_option(cell.line(line - 1)):
        line -= 1
    return line


def _is_option(line: str) -> bool:
    return line.lstrip().startswith(("#|", "#!", "#@", "# %%", "#%%", "# -*-"))


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
