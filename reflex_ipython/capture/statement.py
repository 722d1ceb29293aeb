"""The statement that failed, as a syntax tree, and what its plain parts are worth, told without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.base.parsing import parse, parse_once
from reflex_ipython.base.spans import first_line
from reflex_ipython.base.working_cache import working_cache
from reflex_ipython.capture import libraries, safe_inspection
from reflex_ipython.capture.trace import Step

LONGEST = 200_000  # characters of a file that is parsed
_LONG = 5_000
"""Characters of a cell of which only the failing statement is parsed: a millisecond for every 1,300 is saved."""
_CLOSING = 5
"""Lines behind its last one with code that a statement's end is looked for in: closing brackets have none."""


def statement(step: Step) -> ast.stmt | None:
    """The innermost statement that covers the failing line; None if the text does not parse or is a library's."""
    found: ast.stmt | None = None
    todo: list[ast.AST] = [_tree(step)]
    while todo:
        node = todo.pop()
        for child in ast.iter_child_nodes(node):
            inside = isinstance(child, ast.stmt) and (child.end_lineno or 0) >= step.lineno >= first_line(child)
            if inside:
                found = child  # type: ignore[assignment]  # just checked
            if inside or isinstance(child, (ast.ExceptHandler, ast.match_case)):
                todo.append(child)
    return found


def head(node: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement without the statements inside it: of a loop, only what stands in its first line."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)):
            yield from ast.walk(child)


def failing(step: Step) -> list[ast.AST]:
    """The nodes that may have failed, best first: the one that Python names, else those of the statement."""
    found = statement(step)
    if found is None:
        return []
    nodes = list(head(found))
    exact = [node for node in nodes if step.span is not None and _span(node) == step.span]
    return exact or nodes


def names(step: Step) -> list[str]:
    """The names that the failing statement reads, in order; then those in the heads of the loops around it."""
    found = statement(step)
    nodes = list(head(found)) if found is not None else []
    nodes.sort(key=_place)
    for loop in reversed(_loops(step)):
        nodes += sorted((node for node in head(loop) if loop is not found), key=_place)
    return list(dict.fromkeys(node.id for node in nodes if isinstance(node, ast.Name)))


def _loops(step: Step) -> list[ast.For | ast.While]:
    """The loops that the failing line is in, the outermost first; of the innermost function only."""
    found: list[ast.For | ast.While] = []
    todo: list[ast.AST] = [_tree(step)]
    while todo:
        node = todo.pop()
        for child in ast.iter_child_nodes(node):
            inside = isinstance(child, ast.stmt) and (child.end_lineno or 0) >= step.lineno >= first_line(child)
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and inside:
                found.clear()
            if inside and isinstance(child, (ast.For, ast.While)):
                found.append(child)
            if inside or isinstance(child, (ast.ExceptHandler, ast.match_case)):
                todo.append(child)
    return found


def _place(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def constants(step: Step) -> list[str]:
    """The strings that stand in the failing statement."""
    found = statement(step)
    nodes = list(head(found)) if found is not None else []
    return [node.value for node in nodes if isinstance(node, ast.Constant) and type(node.value) is str]


def evaluate(node: ast.AST, step: Step) -> Any:
    """What an expression of names, stored attributes and plain keys is worth, else `MISSING`. Nothing is called."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return step.variable(node.id)
    if isinstance(node, ast.Attribute):
        owner = evaluate(node.value, step)
        found = safe_inspection.attribute(owner, node.attr) if owner is not safe_inspection.MISSING else owner
        return _column(owner, node.attr) if found is safe_inspection.MISSING else found
    if isinstance(node, ast.Subscript):
        owner, key = evaluate(node.value, step), evaluate(node.slice, step)
        return _item(owner, key)
    return safe_inspection.MISSING


def write(node: ast.AST) -> str:
    """The expression as text, on one line."""
    return ast.unparse(node)


@working_cache(maxsize=64)
def tree(text: str) -> ast.Module:
    """The syntax tree of a text; an empty one if it does not parse."""
    found = parse_once(text) if len(text) <= LONGEST else None
    return ast.Module([], []) if found is None else found


def _tree(step: Step) -> ast.Module:
    """What the failing statement is to be found in: of a long cell no more than its own lines, where that is enough."""
    alone = _alone(step) if step.is_top and step.cell is not None and len(step.text) > _LONG else None
    return tree(step.text) if alone is None else alone


def _alone(step: Step) -> ast.Module | None:
    """The tree of the statement that runs in the frame, on the lines where it stands; None if these do not parse.

    IPython compiles a cell's statements one by one, so the code is that of one statement.
    """
    numbers = [number for _, _, number in step.frame.f_code.co_lines() if number]
    if not numbers or not min(numbers) <= step.lineno <= max(numbers):
        return None
    first, last = min(numbers), max(numbers)
    lines = step.text.split("\n")
    for end in range(last, min(last + _CLOSING, len(lines)) + 1):
        found = _tree_from("\n".join(lines[first - 1 : end]), first)
        if found.body:
            return found
    return None


@working_cache(maxsize=64)
def _tree_from(text: str, first: int) -> ast.Module:
    """The tree of some lines of a longer text, the first of which has that number."""
    return ast.increment_lineno(parse(text) or ast.Module([], []), first - 1)


def _span(node: ast.AST) -> tuple[Any, ...]:
    return tuple(getattr(node, name, None) for name in ("lineno", "end_lineno", "col_offset", "end_col_offset"))


def _item(owner: Any, key: Any) -> Any:
    if not is_exactly(key, (str, int)):
        return safe_inspection.MISSING
    if type(owner) is dict:
        return dict.get(owner, key, safe_inspection.MISSING)
    if is_exactly(owner, (list, tuple)) and type(key) is int:
        return owner[key] if -len(owner) <= key < len(owner) else safe_inspection.MISSING
    return _column(owner, key)


def _column(owner: Any, label: Any) -> Any:
    table = libraries.frame(owner)
    labels = table.columns[: libraries.LABELS].tolist() if table is not None and type(label) is str else []
    for position, one in enumerate(labels):
        if type(one) is str and one == label:
            return table.iloc[:, position]
    return safe_inspection.MISSING
