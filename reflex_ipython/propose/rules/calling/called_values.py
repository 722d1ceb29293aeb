"""Values that are called: an attribute that is no method, an index in round brackets, a missing operator or comma."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from reflex_ipython.base.article import a
from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.edits import candidate
from reflex_ipython.propose.rules.calling.nodes import last_name, opening, type_of
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes

_NOT_CALLABLE = re.compile(r"'(?:[\w.]+\.)?(\w+)' object is not callable")
_NO_INDEX = re.compile(r"list indices must be integers or slices, not (?:tuple|list)")
_INDEXED = frozenset(
    {"list", "tuple", "dict", "str", "ndarray", "Series", "DataFrame", "Index", "defaultdict", "Counter", "range"}
)
_NUMBERS = frozenset({"int", "float", "int64", "float64", "int32", "float32", "complex"})
_FITTED = ("predict", "transform")


def called_value(failure: Failure) -> Iterator[Proposal]:
    """`person.name()`: `person.name`; `xs(0)`: `xs[0]`; `2(a + b)`: `2*(a + b)`; `[(1, 2) (3, 4)]`: a comma."""
    cell, match = failing_cell(failure), _NOT_CALLABLE.fullmatch(failure.error.evalue)
    if cell is None or match is None:
        return
    kind = match[1]
    for call in failing_nodes(failure, cell):
        if not isinstance(call, ast.Call):
            continue
        known = type_of(failure, call.func)
        place = opening(cell, call)
        if place < 0 or (known and known != kind):
            continue
        start, end = place, cell.span(call)[1]
        name = cell.text(call.func)
        literal = isinstance(call.func, (ast.Constant, ast.Tuple, ast.List, ast.JoinedStr, ast.Dict))
        if literal and kind not in _NUMBERS:
            why = "Between two values of a list there is a comma; without it the first is called with the second."
            yield from candidate(cell, [SpanEdit(cell.span(call.func)[1], start, ", ")], why, "missing comma", 0.9)
            if kind == "str" and "{" in name:
                why = "`format` puts values into a text."
                yield from candidate(cell, [SpanEdit(start, start, ".format")], why, "missing method", 0.6)
        elif not call.args and not call.keywords and not literal and isinstance(call.func, ast.Attribute):
            why = f"`{name}` is a value of type `{kind}`, not a function: it is not called."
            yield from candidate(cell, [SpanEdit(start, end, "")], why, "extra brackets", 0.92)
        elif kind in _NUMBERS and len(call.args) == 1 and not call.keywords:
            why = f"`{name}` is a number; to multiply, `*` must be written."
            prior = 0.3 if hasattr(builtins, name) else 0.9  # a number that hides a function of Python's
            yield from candidate(cell, [SpanEdit(start, start, "*")], why, "missing operator", prior)
        elif kind in _INDEXED and call.args and not call.keywords and not isinstance(call.args[0], ast.GeneratorExp):
            why = f"`{name}` is {a(f'`{kind}`')}, not a function: square brackets access what is in it."
            edits = [SpanEdit(start, start + 1, "["), SpanEdit(end - 1, end, "]")]
            yield from candidate(cell, edits, why, "brackets of an index", 0.9)
        elif call.args and kind[:1].isupper() and kind != "NoneType":
            for method in _FITTED:
                why = f"`{name}` is {a(f'`{kind}`')}, which is not called itself; `{method}` is one of its methods."
                yield from candidate(cell, [SpanEdit(start, start, f".{method}")], why, "missing method", 0.45)


def called_indexer(failure: Failure) -> Iterator[Proposal]:
    """`df.loc(0, "price")`: `df.loc[0, "price"]`."""
    cell = failing_cell(failure)
    if cell is None or not re.search(r"Indexer|No axis named|[Ll]ocation index|indexer", failure.error.evalue):
        return
    failing = list(failing_nodes(failure, cell))
    held = {node.id for node in failing if isinstance(node, ast.Name) and "Indexer" in type_of(failure, node)}
    assigned = [  # `first = df.iloc(0)` gave the indexer itself, and fails where it is used
        node.value
        for node in cell.every(ast.Assign)
        if any(isinstance(target, ast.Name) and target.id in held for target in node.targets)
    ]
    for call in [*failing, *assigned]:
        if isinstance(call, ast.Call) and last_name(call.func) in ("loc", "iloc", "at", "iat") and call.args:
            place, end = opening(cell, call), cell.span(call)[1]
            why = f"`{last_name(call.func)}` is asked with square brackets."
            edits = [SpanEdit(place, place + 1, "["), SpanEdit(end - 1, end, "]")]
            yield from candidate(cell, edits, why, "brackets of an index", 0.93)


def missing_comma_of_lists(failure: Failure) -> Iterator[Proposal]:
    """`[[1, 2] [3, 4]]`: `[[1, 2], [3, 4]]`, wherever the statement lacks it."""
    cell = failing_cell(failure)
    if cell is None or not _NO_INDEX.match(failure.error.evalue):
        return
    edits = [
        SpanEdit(end, end, ", " if cell.source[end : end + 1] == "[" else ",")
        for node in failing_nodes(failure, cell)
        if isinstance(node, ast.Subscript) and _is_list(node.value)
        for end in [cell.span(node.value)[1]]
    ]
    why = "Between two lists there is a comma; without it the second one is taken for an index of the first."
    yield from candidate(cell, edits, why, "missing comma", 0.95)


def _is_list(node: ast.expr) -> bool:
    return isinstance(node, ast.List) or (isinstance(node, ast.Subscript) and _is_list(node.value))
