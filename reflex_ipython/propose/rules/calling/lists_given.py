"""A list where a number, a file or a tuple is taken."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.edits import candidate
from reflex_ipython.propose.rules.calling.nodes import (
    calls_in,
    last_name,
    type_of,
)
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes

NOT_INTEGER = re.compile(r"'(tuple|list|numpy\.ndarray|Series|DataFrame)' object cannot be interpreted as an integer")
# The last one comes from `open` as IPython has it.
_NO_FILE = re.compile(r"os\.PathLike object, not (?:list|tuple)|object type: <class 'list'>|unhashable type: 'list'")


def range_of_list(failure: Failure) -> Iterator[Proposal]:
    """`for i in range(xs)`: `range(len(xs))` where `i` is an index, else `for i in xs`."""
    cell, text = failing_cell(failure), failure.error.evalue
    if cell is None or not (
        NOT_INTEGER.search(text) or "only integer scalar arrays" in text or "length-1 arrays" in text
    ):
        return
    for call in calls_in(failing_nodes(failure, cell), "range"):
        if len(call.args) != 1 or isinstance(call.args[0], (ast.Tuple, ast.List)):
            continue
        listed = cell.text(call.args[0])
        loops: list[ast.For | ast.comprehension] = [*cell.every(ast.For), *cell.every(ast.comprehension)]
        index = {loop.target.id for loop in loops if loop.iter is call and isinstance(loop.target, ast.Name)}
        used = any(isinstance(node.slice, ast.Name) and node.slice.id in index for node in cell.every(ast.Subscript))
        why = f"`range` takes a number; the places of `{listed}` are `range(len({listed}))`."
        edits = [SpanEdit(*cell.span(call.args[0]), f"len({listed})")]
        yield from candidate(cell, edits, why, "range of a list", 0.92 if used else 0.45)
        why = f"`range` takes a number; what is in `{listed}` is looped over without it."
        yield from candidate(cell, [SpanEdit(*cell.span(call), listed)], why, "range of a list", 0.2 if used else 0.7)


def list_as_file(failure: Failure) -> Iterator[Proposal]:
    """`open(files)`, a list: its first, or all of them."""
    cell, text = failing_cell(failure), failure.error.evalue
    if cell is None or not _NO_FILE.search(text):
        return
    for call in failing_nodes(failure, cell):
        name = last_name(call.func) if isinstance(call, ast.Call) else ""
        if (
            not isinstance(call, ast.Call)
            or not (name == "open" or name.startswith(("read_", "load")))
            or not call.args
        ):
            continue
        if type_of(failure, call.args[0]) not in ("list", "tuple", ""):
            continue
        listed, (start, end) = cell.text(call.args[0]), cell.span(call.args[0])
        why = f"`{name}` takes one file, and `{listed}` is a list of them."
        if name.startswith("read_") and "pd" in failure.situation.names:
            each = cell.source[cell.span(call)[0] : start] + "file" + cell.source[end : cell.span(call)[1]]
            made = f"pd.concat([{each} for file in {listed}])"
            yield from candidate(cell, [SpanEdit(*cell.span(call), made)], why, "each of a list", 0.48)
        yield from candidate(cell, [SpanEdit(end, end, "[0]")], why, "first of a list", 0.45)


def list_as_tuple(failure: Failure) -> Iterator[Proposal]:
    """`isinstance(x, [int, float])`: `(int, float)`; `name.startswith(["a", "b"])`: `("a", "b")`."""
    cell, text = failing_cell(failure), failure.error.evalue
    if cell is None or not re.search(r"arg 2 must be a (?:type|class)|first arg must be \w+ or a tuple of", text):
        return
    for call in calls_in(failing_nodes(failure, cell), "isinstance", "issubclass", "startswith", "endswith"):
        argument = call.args[-1] if call.args else None
        why = f"`{last_name(call.func)}` takes several as a tuple, in round brackets."
        if isinstance(argument, (ast.List, ast.Set)) and argument.elts:
            start, end = cell.span(argument)
            comma = "," if len(argument.elts) == 1 else ""
            edits = [SpanEdit(start, start + 1, "("), SpanEdit(end - 1, end, f"{comma})")]
            yield from candidate(cell, edits, why, "list as a tuple", 0.95)
        elif isinstance(argument, ast.Name) and type_of(failure, argument) in ("list", "set"):
            edits = [SpanEdit(*cell.span(argument), f"tuple({argument.id})")]
            yield from candidate(cell, edits, why, "list as a tuple", 0.95)
