"""Names that a loop, or an assignment of another language, was meant to set."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.lookups.missing import Missing, accesses, missing_attribute, missing_name
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell

_FIRST = {"iterrows": "_", "groupby": "_", "enumerate": "i", "items": "key"}
"""What gives pairs, and a name for the first part of one."""
_PAIRS = frozenset({"enumerate", "items", "zip", "iterrows", "product", "combinations", "most_common"})


def variable_of_a_loop(failure: Failure) -> Iterator[Proposal]:
    """`[(i, v) for v in enumerate(xs)]`: `for i, v in`; `[x * 2 for n in xs]` is a slip that others know."""
    missing = missing_name(failure)
    if missing is None or missing.is_unassigned:
        return
    for read in missing.reads():
        for loop in _loops_around(missing, read):
            name = _iterated_by(loop)
            if name not in _PAIRS or not isinstance(loop.target, ast.Name):
                continue
            start, end = missing.cell.span(loop.target)
            own = missing.cell.source[start:end]
            first = missing.wanted in ("i", "index", "idx", "k", "key", "name", "n", "j") or name == "enumerate"
            names = f"{missing.wanted}, {own}" if first else f"{own}, {missing.wanted}"
            why = f"`{name}` gives pairs, and the loop takes both parts of one: `for {names} in`."
            yield from missing.changed([SpanEdit(start, end, names)], why, "variables of a loop", 0.93)
            return


def part_of_a_pair(failure: Failure) -> Iterator[Proposal]:
    """`for row in df.iterrows(): row.price`: `for _, row in df.iterrows():`."""
    missing = missing_attribute(failure)
    nodes = accesses(missing) if missing is not None and missing.lookup.owner_type == "tuple" else []
    if missing is None or not nodes or not isinstance(nodes[0].value, ast.Name):
        return
    for loop in _loops_around(missing, nodes[0].value):
        name = _iterated_by(loop)
        other = _FIRST.get(name)
        if other is None or not isinstance(loop.target, ast.Name) or loop.target.id != nodes[0].value.id:
            continue
        why = f"`{name}` gives pairs; `{loop.target.id}` is meant to be the second part of one."
        edits = [SpanEdit(*missing.cell.span(loop.target), f"{other}, {loop.target.id}")]
        yield from missing.changed(edits, why, "variables of a loop", 0.93)


def arrow_of_r(failure: Failure) -> Iterator[Proposal]:
    """`heights <- [170, 182]`: `heights = [170, 182]`, wherever the cell has it as a statement."""
    cell = failing_cell(failure)
    if cell is None or failure.error.ename not in ("NameError", "TypeError") or "<-" not in cell.source:
        return
    edits = [edit for node in cell.every(ast.Expr) if (edit := _arrow(cell, node)) is not None]
    if edits:
        why = "`<-` compares with a negative number in Python; a name gets its value with `=`."
        yield Proposal(apply(cell.source, edits), why, "assignment", 0.95)


def _arrow(cell: Cell, node: ast.Expr) -> SpanEdit | None:
    compared = node.value
    if not isinstance(compared, ast.Compare) or len(compared.ops) != 1 or not isinstance(compared.ops[0], ast.Lt):
        return None
    if not isinstance(compared.left, (ast.Name, ast.Subscript, ast.Attribute)):
        return None
    end = cell.span(compared.left)[1]
    sign = re.match(r"\s*<-\s*", cell.source[end:])
    if sign is None or not isinstance(compared.comparators[0], (ast.UnaryOp, ast.BinOp)):
        return None
    return SpanEdit(end, end + sign.end(), " = ")


def _iterated_by(loop: ast.For | ast.comprehension) -> str:
    """The name of the function or method that gives a loop its values; empty if it is no call."""
    called = loop.iter.func if isinstance(loop.iter, ast.Call) else None
    return str(getattr(called, "id", getattr(called, "attr", "")))


def _loops_around(missing: Missing, read: ast.Name) -> Iterator[ast.For | ast.comprehension]:
    """The loops that the read may have a variable of, the innermost first."""
    for node in missing.cell.around(read):
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            yield from reversed(node.generators)
        elif isinstance(node, ast.For):
            yield node
