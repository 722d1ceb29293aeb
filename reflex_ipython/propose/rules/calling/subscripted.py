"""Functions that are asked with square brackets, and iterators that have no places."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.article import a
from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.edits import candidate
from reflex_ipython.propose.rules.calling.nodes import last_name
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes, variable_type

_FUNCTION = re.compile(
    r"'(?:method|function|builtin_function_or_method|type|ABCMeta|numpy\._ArrayFunctionDispatcher|numpy\.ufunc)' object"
    r" is not subscriptable|type '\w+' is not subscriptable"
)
_LAZY = (
    "dict_keys|dict_values|dict_items|odict_keys|odict_values|map|filter|zip|generator|set|frozenset|reversed|enumerate"
)
_NO_PLACES = re.compile(rf"'({_LAZY}|[\w.]*iterator)' object is not subscriptable")
_NO_LENGTH = re.compile(rf"object of type '({_LAZY}|[\w.]*iterator)' has no len\(\)")
# Functions that take one list of what they work on.
_TAKE_A_LIST = frozenset(
    {"array", "asarray", "sum", "max", "min", "mean", "median", "std", "list", "set", "tuple", "sorted", "concat"}
    | {"concatenate", "DataFrame", "Series", "vstack", "hstack", "stack", "deque", "any", "all", "sqrt", "exp", "log"}
)
_RULE = "brackets of a call"


def subscripted_function(failure: Failure) -> Iterator[Proposal]:
    """`area[3, 4]`: `area(3, 4)`; `np.array[1, 2]`: `np.array([1, 2])`; `name.upper[0]`: `name.upper()[0]`."""
    cell = failing_cell(failure)
    if cell is None or not _FUNCTION.fullmatch(failure.error.evalue):
        return
    for node in failing_nodes(failure, cell):
        if not isinstance(node, ast.Subscript) or not isinstance(node.value, (ast.Name, ast.Attribute)):
            continue
        if not isinstance(node.ctx, ast.Load):
            continue
        name, (start, end) = last_name(node.value), cell.span(node)
        start = cell.span(node.value)[1]
        if cell.source[start : start + 1] != "[" or isinstance(node.slice, ast.Slice):
            continue
        why = f"`{cell.text(node.value)}` is a function: it is called with round brackets."
        call = [SpanEdit(start, start + 1, "("), SpanEdit(end - 1, end, ")")]
        whole = [SpanEdit(start, start, "("), SpanEdit(end, end, ")")]
        takes_list = name in _TAKE_A_LIST
        yield from candidate(cell, whole, why, _RULE, 0.93 if takes_list else 0.4)
        yield from candidate(cell, call, why, _RULE, 0.4 if takes_list else 0.9)
        if isinstance(node.value, ast.Attribute):
            why = f"`{cell.text(node.value)}` is a function: `()` calls it, and gives what the index is for."
            yield from candidate(cell, [SpanEdit(start, start, "()")], why, _RULE, 0.85)
            if name in ("keys", "values", "items"):
                text = f"list({cell.text(node.value)}())"
                yield from candidate(cell, [SpanEdit(cell.span(node.value)[0], start, text)], why, _RULE, 0.85)


def without_places(failure: Failure) -> Iterator[Proposal]:
    """`data.keys()[0]`: `list(data.keys())[0]`; `len(zip(a, b))`: `len(list(zip(a, b)))`."""
    cell, text = failing_cell(failure), failure.error.evalue
    match = _NO_PLACES.fullmatch(text) or _NO_LENGTH.fullmatch(text)
    if cell is None or match is None:
        return
    kind, length = match[1], "len()" in text
    for node in failing_nodes(failure, cell):
        value = None
        if not length and isinstance(node, ast.Subscript):
            value = node.value
        elif length and isinstance(node, ast.Call) and last_name(node.func) == "len" and len(node.args) == 1:
            value = node.args[0]
        if value is None or (isinstance(value, ast.Name) and variable_type(failure, value.id) not in ("", kind)):
            continue
        made = f"list({cell.text(value).removeprefix('(').removesuffix(')') if _bare(value) else cell.text(value)})"
        has = "length" if length else "places that could be asked for"
        why = f"{a(f'`{kind}`', capital=True)} has no {has}; `list` puts what it gives into a list."
        yield from candidate(
            cell, [SpanEdit(*cell.span(value), made)], why, "list of an iterator", 0.6 if "set" in kind else 0.92
        )


def _bare(value: ast.expr) -> bool:
    """Whether it is a generator, whose brackets those of the call can be."""
    return isinstance(value, ast.GeneratorExp)
