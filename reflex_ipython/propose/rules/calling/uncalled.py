"""Functions that are used as if they were what they return: `df.mean + 1`, `for key in data.items:`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.edits import candidate
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes, variable_type

_FUNCTION = re.compile(r"\b(?:method|function|builtin_function_or_method|method_descriptor|method-wrapper)\b")
_OF_ATTRIBUTE = re.compile(r"'(?:method|function|builtin_function_or_method)' object has no attribute '(\w+)'")
_NO_FUNCTION = re.compile(r"is not callable|argument|takes \d|not defined")
_ALSO = ("can only join an iterable", "only size-1 arrays", "Invalid comparison between")
_METHODS = frozenset(dir(str)) | frozenset(dir(list)) | frozenset(dir(dict))
_RULE = "brackets of a call"


def uncalled(failure: Failure) -> Iterator[Proposal]:
    """`round(prices.mean, 2)`: `round(prices.mean(), 2)`."""
    cell, text = failing_cell(failure), failure.error.evalue
    if cell is None or failure.error.ename not in ("TypeError", "AttributeError", "ValueError"):
        return
    about = _FUNCTION.search(text) and not (_NO_FUNCTION.search(text) and "must be" not in text and "not '" not in text)
    if not about and not text.startswith(_ALSO):
        return
    found = list(_values(failure, cell, failing_nodes(failure, cell)))
    if "instance, " in text and " found" in text:  # a list of functions was made before
        found = [node for node in _values(failure, cell, list(cell.nodes())) if _is_method(node)]
    asked = _OF_ATTRIBUTE.search(text)
    if asked:
        found = [
            node.value
            for node in failing_nodes(failure, cell)
            if isinstance(node, ast.Attribute)
            and node.attr == asked[1]
            and isinstance(node.value, (ast.Attribute, ast.Name))
        ]
    ends = [cell.span(node)[1] for node in found]
    edits = [SpanEdit(end, end, "()") for end in ends]
    names = ", ".join(f"`{ast.unparse(node)}`" for node in found)
    if len(edits) > 1:
        why = f"{names} are functions: `()` calls them, and gives what they return."
        yield from candidate(cell, edits, why, _RULE, 0.93)
    for node, edit in zip(found, edits):
        why = f"`{ast.unparse(node)}` is a function: `()` calls it, and gives what it returns."
        yield from candidate(cell, [edit], why, _RULE, 0.92)


def _is_method(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in _METHODS


def _values(failure: Failure, cell: Cell, nodes: list[ast.AST]) -> Iterator[ast.expr]:
    """The attributes and functions among these nodes that nobody calls."""
    called = {node.func for node in nodes if isinstance(node, ast.Call)}
    inner = {node.value for node in nodes if isinstance(node, ast.Attribute)}
    for node in nodes:
        if node in called or node in inner or not isinstance(getattr(node, "ctx", None), ast.Load):
            continue
        if (isinstance(node, ast.Attribute) and not _is_module(failure, node.value)) or (
            isinstance(node, ast.Name) and variable_type(failure, node.id) in ("function", "method")
        ):
            yield node


def _is_module(failure: Failure, node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and variable_type(failure, node.id) == "module"
