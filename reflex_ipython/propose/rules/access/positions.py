"""A position where a label is meant, and several labels where one is taken."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import LIKELY, Failure, Lookup
from reflex_ipython.propose.rules.access.edits import candidate, enclosed
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes, variable_type

_INTEGER = re.compile(r"-?\d+(?:, -?\d+)*|np\.int\d*\(-?\d+\)|\(-?\d+, -?\d+\)")
_NOT_A_PAIR = "indices must be integers or slices, not tuple"
_SEVERAL = "Cannot subset columns with a tuple"
_COMPARED = re.compile(r"'[<>]=?' not supported between instances of '(?:str|int|float)' and '(?:str|int|float)'")
_RULE = "position, not label"


def position_of_a_row(failure: Failure) -> Iterator[Proposal]:
    """`totals[0]`, where the labels are texts: `totals.iloc[0]`; `kept.loc[0]`: `kept.iloc[0]`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind not in ("key", "column") or cell is None:
        return
    if not lookup.owner_type.startswith("pandas.") or not _INTEGER.fullmatch(lookup.wanted):
        return
    nodes = [node for node in failing_nodes(failure, cell) if isinstance(node, ast.Subscript)]
    for node in nodes:
        indexer = node.value.attr if isinstance(node.value, ast.Attribute) else ""
        if indexer in ("iloc", "iat") or isinstance(node.ctx, ast.Store):
            continue
        if indexer in ("loc", "at"):
            yield from _with_positions(cell, node, indexer)
        elif not lookup.owner or ast.unparse(node.value) == lookup.owner:
            end, label = cell.span(node.value)[1], cell.text(node.slice)
            series = lookup.owner_type.endswith("Series")
            owner = f"`{lookup.owner}`" if lookup.owner else "The table"
            why = f"{owner} has no {'row' if series else 'column'} that is called {lookup.wanted}; `iloc` counts rows."
            pair = isinstance(node.slice, ast.Tuple)
            row = _of_row(cell, node, lookup) if series else 0.9 if pair else 0.5
            yield from candidate(cell, [SpanEdit(end, end, ".iloc")], why, _RULE, row)
            if series and row < LIKELY:
                made = f"{enclosed(cell, node.value)}.get({label}, 0)"
                none = f"{owner} has no label {lookup.wanted}; `get` gives 0 for it."
                yield from candidate(cell, [SpanEdit(*cell.span(node), made)], none, "label that may be missing", row)
            if not series and not pair and not isinstance(node.slice, ast.Slice):
                why = f"{owner} has no column that is called {lookup.wanted}; `iloc[:, …]` counts columns."
                edits = [SpanEdit(end, cell.span(node)[1], f".iloc[:, {label}]")]
                yield from candidate(cell, edits, why, _RULE, 0.4)


def _of_row(cell: Cell, node: ast.Subscript, lookup: Lookup) -> float:
    """How likely a number is meant as a position: where the labels are numbers too, it may be one that is missing."""
    labels_are_numbers = any(_INTEGER.fullmatch(label) for label in lookup.others)
    if not labels_are_numbers:
        return 0.9
    if isinstance(node.slice, ast.Name):
        counted = {loop.target.id for loop in _counting(cell) if isinstance(loop.target, ast.Name)}
        return 0.85 if node.slice.id in counted else 0.45
    return 0.75 if lookup.wanted in ("0", "-1") else 0.45


def _counting(cell: Cell) -> Iterator[ast.For | ast.comprehension]:
    """The loops over the places of something: `for i in range(len(x))`."""
    loops: list[ast.For | ast.comprehension] = [*cell.every(ast.For), *cell.every(ast.comprehension)]
    for loop in loops:
        if ast.unparse(loop.iter).startswith("range("):
            yield loop


def _with_positions(cell: Cell, node: ast.Subscript, indexer: str) -> Iterator[Proposal]:
    """`kept.loc[0, "price"]`: `kept["price"].iloc[0]`."""
    assert isinstance(node.value, ast.Attribute)
    end, position = cell.span(node.value)[1], {"loc": "iloc", "at": "iat"}[indexer]
    why = f"`{indexer}` takes labels, and no label is that number; `{position}` counts."
    if isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 2:
        row, column = node.slice.elts
        text = f"{enclosed(cell, node.value.value)}[{cell.text(column)}].iloc[{cell.text(row)}]"
        yield from candidate(cell, [SpanEdit(*cell.span(node), text)], why, _RULE, 0.85)
    yield from candidate(cell, [SpanEdit(end - len(indexer), end, position)], why, _RULE, 0.88)


def rows_and_columns(failure: Failure) -> Iterator[Proposal]:
    """`df[:, "price"]`: `df.loc[:, "price"]`; `df[1:3, 2]`: `df.iloc[1:3, 2]`; `rows[0, 1]`: `rows[0][1]`."""
    cell, error = failing_cell(failure), failure.error
    pandas = error.ename == "InvalidIndexError" or "unhashable type: 'slice'" in error.evalue
    if cell is None or not (pandas or _NOT_A_PAIR in error.evalue):
        return
    for node in failing_nodes(failure, cell):
        if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Tuple) or len(node.slice.elts) != 2:
            continue
        end = cell.span(node.value)[1]
        if pandas and not isinstance(node.value, (ast.List, ast.Dict)):
            counted = all(map(_is_number, node.slice.elts))
            indexer = "iloc" if counted else "loc"
            why = f"`[…]` alone takes columns or a condition; rows and columns together need `{indexer}`."
            yield from candidate(cell, [SpanEdit(end, end, f".{indexer}")], why, "rows and columns", 0.9)
        elif not pandas and isinstance(node.value, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
            first, second = node.slice.elts
            why = "A list has one index; the second one is asked of what is found with the first."
            edits = [SpanEdit(cell.span(first)[1], cell.span(second)[0], "][")]
            yield from candidate(cell, edits, why, "index by index", 0.85)


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.Slice):
        return all(part is None or _is_number(part) for part in (node.lower, node.upper, node.step))
    if isinstance(node, ast.UnaryOp):
        return _is_number(node.operand)
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def columns_of_groups(failure: Failure) -> Iterator[Proposal]:
    """`df.groupby("a")["b", "c"]`: `df.groupby("a")[["b", "c"]]`."""
    cell = failing_cell(failure)
    if cell is None or _SEVERAL not in failure.error.evalue:
        return
    for node in failing_nodes(failure, cell):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
            start, end = cell.span(node.slice)
            if any(isinstance(part, ast.Slice) for part in node.slice.elts):
                continue
            if cell.source[start] != "(":
                why = "To select several columns, use a list: two pairs of brackets."
                yield from candidate(
                    cell, [SpanEdit(start, start, "["), SpanEdit(end, end, "]")], why, "list of columns", 0.95
                )


def condition_on_a_column(failure: Failure) -> Iterator[Proposal]:
    """`df["price" > 10]`: `df[df["price"] > 10]`."""
    cell = failing_cell(failure)
    if cell is None or failure.error.ename not in ("TypeError", "KeyError"):
        return
    if not (_COMPARED.search(failure.error.evalue) or failure.error.evalue in ("True", "False")):
        return
    for node in failing_nodes(failure, cell):
        if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
            continue
        if variable_type(failure, node.value.id).rpartition(".")[2] not in ("DataFrame", ""):
            continue
        edits = []
        for part in ast.walk(node.slice):
            if (
                isinstance(part, ast.Compare)
                and isinstance(part.left, ast.Constant)
                and isinstance(part.left.value, str)
            ):
                start, end = cell.span(part.left)
                edits += [SpanEdit(start, start, f"{node.value.id}["), SpanEdit(end, end, "]")]
        why = f"The text itself is compared; the column is `{node.value.id}[…]`."
        yield from candidate(cell, edits, why, "condition on a column", 0.95)
