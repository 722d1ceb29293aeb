"""What the rules of this package share: the calls of the failing statement, and the edits of their arguments."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.statements import failing_nodes, variable_type


def last_name(node: ast.expr) -> str:
    """The last name of a function as it is written: `zeros` of `np.zeros`."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def failing_calls(failure: Failure, cell: Cell) -> list[ast.Call]:
    """The calls of the failing statement: those of the function that refused, where it is known which."""
    calls = [node for node in failing_nodes(failure, cell) if isinstance(node, ast.Call)]
    known = failure.callee.written if failure.callee else ""
    named = [call for call in calls if known and ast.unparse(call.func) == known]
    return named or calls


def opening(cell: Cell, call: ast.Call) -> int:
    """Where the call's round bracket opens; -1 if it is not found."""
    end = cell.span(call)[1]
    places = (token.start for token in cell.tokens if token.kind == "open" and cell.span(call.func)[1] <= token.start)
    place = next(places, -1)
    return place if 0 <= place < end and cell.source[place] == "(" else -1


def arguments_text(cell: Cell, nodes: list[ast.expr]) -> str:
    """Several arguments as they are written, with what stands between them."""
    return cell.source[cell.span(nodes[0])[0] : cell.span(nodes[-1])[1]] if nodes else ""


def is_plain(call: ast.Call) -> bool:
    """Whether no argument is starred."""
    return not any(isinstance(argument, ast.Starred) for argument in call.args) and all(
        keyword.arg for keyword in call.keywords
    )


def packed(cell: Cell, nodes: list[ast.expr], brackets: str) -> list[SpanEdit]:
    """The edits that put brackets around some arguments that follow each other."""
    start, end = cell.span(nodes[0])[0], cell.span(nodes[-1])[1]
    return [SpanEdit(start, start, brackets[0]), SpanEdit(end, end, brackets[1])]


def type_of(failure: Failure, node: ast.expr) -> str:
    """The type of a name or literal, without its module's name; empty if it is not known."""
    if isinstance(node, ast.Constant):
        return type(node.value).__name__
    if isinstance(node, (ast.List, ast.ListComp)):
        return "list"
    if isinstance(node, ast.Tuple):
        return "tuple"
    if isinstance(node, (ast.Dict, ast.DictComp)):
        return "dict"
    return variable_type(failure, node.id).rpartition(".")[2] if isinstance(node, ast.Name) else ""


def without_argument(cell: Cell, call: ast.Call, node: ast.expr | ast.keyword) -> SpanEdit:
    """The edit that takes an argument out, with the comma that belongs to it."""
    everything: list[ast.expr | ast.keyword] = sorted([*call.args, *call.keywords], key=lambda one: cell.span(one)[0])
    place = everything.index(node)
    start, end = cell.span(node)
    if place > 0:
        return SpanEdit(cell.span(everything[place - 1])[1], end, "")
    return SpanEdit(start, cell.span(everything[1])[0] if len(everything) > 1 else end, "")


def last_argument_end(cell: Cell, call: ast.Call) -> tuple[int, str]:
    """Where one more argument goes, and what separates it from the one before."""
    everything: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
    if everything:
        return max(cell.span(one)[1] for one in everything), ", "
    return opening(cell, call) + 1, ""


def calls_in(nodes: list[ast.AST], *names: str) -> Iterator[ast.Call]:
    """The calls of functions of these names."""
    yield from (node for node in nodes if isinstance(node, ast.Call) and last_name(node.func) in names)
