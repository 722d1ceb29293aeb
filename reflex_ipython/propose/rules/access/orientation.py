"""Rows where columns are meant, and the reverse: `drop` and `apply` without an axis, labels with `iloc`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.edits import candidate, enclosed
from reflex_ipython.propose.rules.access.nearness import near
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.misspelt_key import constants
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import expressions, failing_cell, failing_nodes, statement_at

_BY_POSITION = re.compile(
    r"Location based indexing can only|\.iloc requires numeric|index by location index with a non-integer"
    r"|iAt based indexing can only"
)
_SWAPPED = {"iloc": "loc", "iat": "at"}
_NOT_IN_AXIS = "not found in axis"


def axis_of_drop(failure: Failure) -> Iterator[Proposal]:
    """`df.drop("price")`: `df.drop(columns="price")`; `df.drop("b", axis=1)` for a row: `axis=0`."""
    cell = failing_cell(failure)
    if cell is None or failure.error.ename != "KeyError" or _NOT_IN_AXIS not in failure.error.evalue:
        return
    for call in failing_nodes(failure, cell):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "drop":
            continue
        given = {keyword.arg: keyword for keyword in call.keywords}
        if "errors" not in given and (call.args or call.keywords):
            everything: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
            end = max(cell.span(one)[1] for one in everything)
            why = 'It may be dropped already; with `errors="ignore"` nothing happens then.'
            prior = 0.6 if _run_again(failure, cell, call) else 0.35
            yield from candidate(cell, [SpanEdit(end, end, ', errors="ignore"')], why, "dropped already", prior)
        if len(call.args) == 1 and not given.keys() & {"axis", "columns", "index"}:
            start = cell.span(call.args[0])[0]
            why = "`drop` looks for rows unless it is told otherwise; `columns=` makes it look for columns."
            yield from candidate(cell, [SpanEdit(start, start, "columns=")], why, "columns, not rows", 0.92)
        elif "axis" in given:
            axis = given["axis"].value
            value = axis.value if isinstance(axis, ast.Constant) else None
            new = "0" if value in (1, "columns") else "1"
            why = f"`drop` found no such label along axis {value!r}; with `axis={new}` it does."
            yield from candidate(cell, [SpanEdit(*cell.span(axis), new)], why, "columns, not rows", 0.85)
        elif given.keys() & {"columns", "index"}:
            word = "index" if "columns" in given else "columns"
            start = cell.span(given[{"index": "columns", "columns": "index"}[word]])[0]
            end = cell.source.find("=", start)
            why = f"`drop` found no such {'column' if word == 'index' else 'row'}; as `{word}` it is there."
            yield from candidate(cell, [SpanEdit(start, end, word)], why, "columns, not rows", 0.75)


def _run_again(failure: Failure, cell: Cell, call: ast.Call) -> bool:
    """Whether `df = df.drop(…)` may have run before: nothing that is there is like what is to be dropped."""
    assigned = cell.parent(call)
    target = assigned.targets[0] if isinstance(assigned, ast.Assign) else None
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    lookup = failure.lookup
    alike = lookup is None or bool(near(lookup.wanted, lookup.available))
    same = target is not None and owner is not None and ast.unparse(target) == ast.unparse(owner)
    columns = any(keyword.arg in ("columns", "axis") for keyword in call.keywords)
    return same and columns and not alike


def axis_of_apply(failure: Failure) -> Iterator[Proposal]:
    """`df.apply(lambda row: row["price"] * 2)`, which is given columns: `axis=1`."""
    lookup = failure.lookup
    if lookup is None or lookup.kind not in ("key", "column", "attribute") or failure.stage == "syntax":
        return
    if lookup.owner_type and not lookup.owner_type.endswith("Series"):
        return
    cell = read(failure.situation.source)
    statement = statement_at(cell, failure.lineno) if cell.tree else None
    for call in expressions(statement) if statement else ():
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "apply":
            continue
        if any(keyword.arg == "axis" for keyword in call.keywords) or not call.args:
            continue
        end = cell.span(call.args[-1])[1]
        why = "`apply` hands on columns unless it is told otherwise; with `axis=1` it hands on rows."
        yield from candidate(cell, [SpanEdit(end, end, ", axis=1")], why, "rows, not columns", 0.85)


def labels_by_position(failure: Failure) -> Iterator[Proposal]:
    """`df.iloc[0, "price"]`: `df["price"].iloc[0]`; `df.iloc[:, ["a", "b"]]`: `df.loc[:, ["a", "b"]]`."""
    cell = failing_cell(failure)
    if cell is None or not _BY_POSITION.search(failure.error.evalue):
        return
    for node in failing_nodes(failure, cell):
        if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Attribute):
            continue
        label = _SWAPPED.get(node.value.attr)
        if label is None:
            continue
        end = cell.span(node.value)[1]
        old, table = node.value.attr, enclosed(cell, node.value.value)
        why = f"`{old}` takes positions, and the name of a column is none."
        if isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 2:
            row, column = node.slice.elts
            # The position stays a position: labels of rows may be numbers that mean something else.
            if isinstance(node.ctx, ast.Load) and not list(constants(row)) and not _is_all(row):
                text = f"{table}[{cell.text(column)}].{old}[{cell.text(row)}]"
                yield from candidate(cell, [SpanEdit(*cell.span(node), text)], why, "label, not position", 0.85)
        why = f"`{old}` takes positions, and a label is given; `{label}` takes labels."
        yield from candidate(cell, [SpanEdit(end - len(old), end, label)], why, "label, not position", 0.8)
        if list(constants(node.slice)) and not isinstance(node.slice, ast.Tuple):
            edits = [SpanEdit(cell.span(node.value.value)[1], end, "")]
            why = f"`{old}` takes positions; a column is asked for by its name alone."
            yield from candidate(cell, edits, why, "label, not position", 0.8)


def column_as_row(failure: Failure) -> Iterator[Proposal]:
    """`df.loc["price"]`: `df["price"]`; `df.loc["price", "b"]`: `df.loc["b", "price"]`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind not in ("key", "column") or cell is None or failure.error.ename != "KeyError":
        return
    for node in failing_nodes(failure, cell):
        if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Attribute):
            continue
        if node.value.attr not in ("loc", "at"):
            continue
        if isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 2:
            first, second = (cell.text(part) for part in node.slice.elts)
            if list(constants(node.slice)) or lookup.kind == "column":
                why = f"`{node.value.attr}` takes the row first and the column second."
                yield from candidate(
                    cell,
                    [SpanEdit(*_between(cell, node.slice), f"{second}, {first}")],
                    why,
                    "rows before columns",
                    0.85,
                )
        elif lookup.wanted in {one.value for one in constants(node.slice)}:
            edits = [SpanEdit(cell.span(node.value.value)[1], cell.span(node.value)[1], "")]
            why = f"`{node.value.attr}` asks for rows, and {lookup.wanted!r} is a column."
            yield from candidate(cell, edits, why, "column, not row", 0.85)


def _between(cell: Cell, pair: ast.Tuple) -> tuple[int, int]:
    """Where the two stand, without brackets around them."""
    return cell.span(pair.elts[0])[0], cell.span(pair.elts[-1])[1]


def _is_all(node: ast.expr) -> bool:
    return isinstance(node, ast.Slice) and node.lower is node.upper is node.step is None
