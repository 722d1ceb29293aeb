"""What the rules of this package share: labels in the failing statement, and edits of expressions and lines."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator

from reflex_ipython.base.spans import SpanEdit, apply, first_line
from reflex_ipython.base.syntax_trees import literal_value
from reflex_ipython.models import Failure, ValueSummary
from reflex_ipython.propose.home import innermost
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.misspelt_key import belongs, constants
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_line, statement_at


def candidate(cell: Cell, edits: Iterable[SpanEdit], why: str, rule: str, prior: float) -> Iterator[Proposal]:
    """The proposal that these edits make; none if there are none."""
    made = list(edits)
    if made:
        yield Proposal(apply(cell.source, made), why, rule, prior)


def variable(failure: Failure, name: str) -> ValueSummary | None:
    """What is known of a variable of the failing code."""
    frame = innermost(failure)
    return next((one for one in (frame.variables if frame else ()) if one.name == name), None)


def told_value(summary: ValueSummary | None, *, parts: bool = False) -> object:
    """The value of a small variable, as its summary tells it; None where it does not.

    `parts`: what the summary leaves out is `...`.
    """
    if summary is None or summary.kind not in ("scalar", "sequence", "mapping"):
        return None
    text = summary.text
    if summary.kind != "scalar" and " of " in text.partition(":")[0]:
        text = text.partition(": ")[2]
    try:
        value: object = literal_value(text.replace("…", "...") if parts else text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return value


def text_of(node: ast.AST | None) -> str | None:
    """The text that a literal is; None if the node is none."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def asked_labels(nodes: Iterable[ast.AST], owner: str = "") -> Iterator[ast.Constant]:
    """The texts with which a table or mapping may be asked: in subscripts that read, and in the arguments of calls.

    Parameters
    ----------
    nodes : iterable of ast.AST
    owner : str
        The expression that was asked; subscripts of what has nothing to do with it are left out. Empty: any.
    """
    for node in nodes:
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Store):
            yield from constants(node.slice) if belongs(node.value, owner) else ()
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Subscript):
            yield from constants(node.target.slice) if belongs(node.target.value, owner) else ()
        elif isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and hasattr(builtins, node.func.id)):
            for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
                yield from constants(argument)


def in_place_of(cell: Cell, node: ast.expr, text: str) -> Iterator[SpanEdit]:
    """The edit that puts a text in the place of an expression, if that stands where the tree says."""
    if not isinstance(node, ast.Constant) or stands(cell, node):
        yield SpanEdit(*cell.span(node), text)


def stands(cell: Cell, node: ast.Constant) -> bool:
    """Whether a literal stands where the tree says: a part of an f-string may not."""
    try:
        value: object = literal_value(cell.text(node))
    except (ValueError, SyntaxError):
        return False
    return value == node.value


def above(cell: Cell, failure: Failure, text: str) -> Iterator[SpanEdit]:
    """The edit that puts a line in front of the failing statement, if that begins its own line."""
    statement = statement_at(cell, failing_line(failure))
    if statement is None:
        return
    start = cell.starts[first_line(statement) - 1]
    line = cell.line(first_line(statement))
    indent = line[: len(line) - len(line.lstrip())]
    if first_line(statement) < statement.lineno or cell.span(statement)[0] == start + len(indent):
        yield SpanEdit(start, start, f"{indent}{text}{cell.newline}")


def enclosed(cell: Cell, node: ast.expr) -> str:
    """The text of an expression, in brackets where something can't be put behind it otherwise."""
    text = cell.text(node)
    plain = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.List, ast.Dict, ast.Set)
    return text if isinstance(node, plain) else f"({text})"


def literals(nodes: Iterable[ast.AST], wanted: str) -> list[ast.Constant]:
    """The literals that are this text."""
    return [node for node in nodes if isinstance(node, ast.Constant) and text_of(node) == wanted]


def told_path(failure: Failure, name: str) -> str:
    """The path that a variable holds, as a text or as a path; empty if it holds none."""
    known = variable(failure, name)
    if known is not None and known.type.startswith("pathlib."):
        return known.text
    held = told_value(known)
    return held if isinstance(held, str) else ""
