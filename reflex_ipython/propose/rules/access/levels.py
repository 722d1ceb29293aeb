"""What is no column any more because it is in the index now, and columns that have several levels."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.base.syntax_trees import literal_value
from reflex_ipython.models import Failure, Lookup
from reflex_ipython.propose.rules.access.edits import asked_labels, candidate, enclosed, in_place_of
from reflex_ipython.propose.rules.access.nearness import near
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.closeness import fold
from reflex_ipython.propose.rules.misspelt_key import constants, literal_edit
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes

_NO_LEVEL = re.compile(r"[Ll]evel (?:name )?'?(\w[^']*?)'? (?:not found|does not match|is not)")
_NEED_COLUMNS = frozenset(
    {
        "set_index",
        "plot",
        "hist",
        "boxplot",
        "melt",
        "pivot",
        "pivot_table",
        "to_dict",
        "bar",
        "line",
        "scatter",
        "barh",
    }
)


def in_the_index(failure: Failure) -> Iterator[Proposal]:
    """`totals["region"]` after `totals = df.groupby("region").sum()`: `totals.reset_index()["region"]`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.wanted not in lookup.levels or cell is None or lookup.wanted in lookup.available:
        return
    series = lookup.owner_type.endswith("Series")
    for node in failing_nodes(failure, cell):
        if isinstance(node, ast.Call):
            yield from _of_a_call(cell, lookup, node)
        if not isinstance(node, (ast.Subscript, ast.Attribute)) or isinstance(node.ctx, ast.Store):
            continue
        if isinstance(node.value, ast.Attribute) and node.value.attr in ("loc", "iloc", "at"):
            continue
        if lookup.owner and ast.unparse(node.value) != lookup.owner:
            continue
        table, why = enclosed(cell, node.value), _why(lookup)
        alone = isinstance(node, ast.Attribute) or isinstance(node.slice, ast.Constant)
        asked = [node.attr] if isinstance(node, ast.Attribute) else [one.value for one in constants(node.slice)]
        if lookup.wanted not in asked:
            continue
        rest = cell.source[cell.span(node.value)[1] : cell.span(node)[1]]
        edits = [SpanEdit(*cell.span(node), f"{table}.reset_index(){rest}")]
        # What chooses rows must have the labels of the table itself.
        mask = alone and len(lookup.levels) == 1 and _chooses_rows(cell, node)
        yield from candidate(cell, edits, why, "column in the index", 0.3 if series or mask else 0.8)
        if alone:
            several = f".get_level_values({lookup.wanted!r})" if len(lookup.levels) > 1 else ""
            edits = [SpanEdit(*cell.span(node), f"{table}.index{several}")]
            if mask:
                why = f"{lookup.wanted!r} is no column of `{lookup.owner}`: it is the name of its index."
            yield from candidate(cell, edits, why, "column in the index", 0.8 if series or mask else 0.35)


def _chooses_rows(cell: Cell, node: ast.expr) -> bool:
    """Whether a column stands in a condition on its own table: `df[df["day"] == "Mon"]`."""
    inner: ast.AST = node
    for outer in cell.around(node):
        if isinstance(outer, ast.Subscript) and outer.slice is inner and isinstance(inner, (ast.Compare, ast.BinOp)):
            return True
        if not isinstance(outer, (ast.Compare, ast.BinOp, ast.UnaryOp)):
            return False
        inner = outer
    return False


def _of_a_call(cell: Cell, lookup: Lookup, call: ast.Call) -> Iterator[Proposal]:
    """`totals.plot(x="region")`, `sns.barplot(data=totals, x="region")`."""
    given = [*call.args, *(one.value for one in call.keywords)]
    if not any(one.value == lookup.wanted for argument in given for one in constants(argument)):
        return
    tables = [keyword.value for keyword in call.keywords if keyword.arg == "data"]
    if isinstance(call.func, ast.Attribute) and _methods(call.func) & _NEED_COLUMNS:
        tables.append(_receiver(call.func))
    for table in tables:
        if ast.unparse(table) == lookup.owner or not lookup.owner:
            edits = [SpanEdit(*cell.span(table), f"{enclosed(cell, table)}.reset_index()")]
            yield from candidate(cell, edits, _why(lookup), "column in the index", 0.8)


def _methods(function: ast.Attribute) -> set[str]:
    inner = function.value.attr if isinstance(function.value, ast.Attribute) else ""
    return {function.attr, inner}


def _receiver(function: ast.Attribute) -> ast.expr:
    value = function.value
    return value.value if isinstance(value, ast.Attribute) and value.attr == "plot" else value


def _why(lookup: Lookup) -> str:
    owner = f"`{lookup.owner}`" if lookup.owner else "the table"
    return f"{lookup.wanted!r} is no column of {owner}: it is the name of its index. `reset_index()` makes it one."


def levels_of_columns(failure: Failure) -> Iterator[Proposal]:
    """`stats["price_mean"]` where the columns are pairs: `stats[("price", "mean")]`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind not in ("column", "key") or cell is None or not lookup.others:
        return
    pairs = [pair for pair in map(_pair, lookup.others) if pair]
    exact = [pair for pair in pairs if fold("".join(pair)) == fold(lookup.wanted)]
    inner = [
        pair for pair in pairs if lookup.wanted in pair[1:] or fold("".join(reversed(pair))) == fold(lookup.wanted)
    ]
    found = exact or inner
    for pair in found[:3]:
        edits = [
            edit
            for node in asked_labels(failing_nodes(failure, cell))
            if node.value == lookup.wanted
            for edit in in_place_of(cell, node, repr(pair))
        ]
        why = f"The columns of `{lookup.owner}` have several levels; this one is {pair!r}."
        yield from candidate(cell, edits, why, "column of several levels", 0.9 if len(found) == 1 else 0.45)


def _pair(text: str) -> tuple[str, ...]:
    try:
        value = literal_value(text)
    except (ValueError, SyntaxError):
        return ()
    return value if isinstance(value, tuple) and all(isinstance(part, str) for part in value) else ()


def misspelt_level(failure: Failure) -> Iterator[Proposal]:
    """`totals.unstack("Product")`: `totals.unstack("product")`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    match = _NO_LEVEL.search(failure.error.evalue) if failure.error.ename in ("KeyError", "ValueError") else None
    if match is None or lookup is None or cell is None:
        return
    places = [node for node in asked_labels(failing_nodes(failure, cell)) if node.value == match[1]]
    for found in near(match[1], lookup.levels):
        edits = [edit for node in places for edit in [literal_edit(cell, node, found.word)] if edit]
        why = f"The index has no level {match[1]!r}; its levels are {', '.join(map(repr, lookup.levels))}."
        yield from candidate(cell, edits, why, "closest level", found.prior)
