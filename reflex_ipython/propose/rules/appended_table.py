"""`append`, which pandas 2 removed from its tables."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.misspelt_attribute import failing_accesses
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, variable_type

_TABLES = ("pandas.DataFrame", "pandas.Series")


def appended_table(failure: Failure) -> Iterator[Proposal]:
    """`df.append(other)`: `pd.concat([df, other])`, where both are known to be tables."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or (lookup.kind, lookup.wanted) != ("attribute", "append") or cell is None:
        return
    if lookup.owner_type not in _TABLES or "pd" not in failure.situation.names:
        return
    accesses = failing_accesses(failure, cell)
    calls = [node for node in cell.every(ast.Call) if node.func in accesses]
    edits = [edit for call in calls for edit in _edits(failure, cell, call, lookup.owner_type)]
    if edits and len(calls) == len(accesses) == len(edits):
        why = "pandas 2 removed `append` from its tables; `pd.concat` joins them instead."
        yield Proposal(apply(cell.source, edits), why, "moved name")


def _edits(failure: Failure, cell: Cell, call: ast.Call, kind: str) -> Iterator[SpanEdit]:
    """The edit of a call whose one argument is a table of the same kind."""
    argument = call.args[0] if len(call.args) == 1 else None
    if not isinstance(call.func, ast.Attribute) or not isinstance(argument, ast.Name):
        return
    if variable_type(failure, argument.id) == kind:
        yield SpanEdit(
            cell.span(call)[0],
            cell.span(argument)[1],
            f"pd.concat([{cell.text(call.func.value)}, {cell.text(argument)}]",
        )
