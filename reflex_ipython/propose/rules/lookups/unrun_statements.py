"""A name that an earlier cell sets, which failed before it came to that."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit, first_line
from reflex_ipython.models import CellSource, Failure
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.lookups.missing import Missing, bound_names, missing_name
from reflex_ipython.propose.rules.proposal import Proposal


def statement_that_did_not_run(failure: Failure) -> Iterator[Proposal]:
    """`total = 3`, which stands below a line of an earlier cell that raised, is run here, if it does not need that."""
    missing = missing_name(failure)
    here = missing.outer_statement() if missing is not None else None
    if missing is None or missing.is_unassigned or here is None:
        return
    for setter in reversed(missing.lookup.setters):
        cell = read(setter.source)
        statements = _not_run(missing, cell, setter)
        if statements:
            place = missing.cell.starts[first_line(here) - 1]
            text = "".join(f"{cell.text(node)}{missing.cell.newline}" for node in statements)
            count = setter.cell.execution_count
            name = "An earlier cell" if count is None else f"In [{count}]"
            why = (
                f"{name} sets `{missing.wanted}`, but failed before that: {setter.error}. This is what it did not run."
            )
            yield from missing.changed([SpanEdit(place, place, text)], why, "statement that did not run", 0.6)
            return


def _not_run(missing: Missing, cell: Cell, setter: CellSource) -> list[ast.stmt]:
    """The statement that sets the name, and those that it needs, none of which ran."""
    if cell.tree is None or setter.error_line is None:
        return []
    # What failed would fail again; what is in a line with it can't be told from it.
    after = [node for node in cell.tree.body if first_line(node) > setter.error_line]
    setting = [node for node in after if missing.wanted in bound_names(node)]
    if not setting or any(getattr(node, "decorator_list", ()) for node in setting[:1]):
        return []
    there = {*missing.failure.situation.names}
    kept, wanted = [setting[0]], _read(setting[0])
    for node in reversed(after[: after.index(setting[0])]):
        if bound_names(node) & (wanted - there):
            kept.insert(0, node)
            wanted |= _read(node)
    return kept


def _read(statement: ast.stmt) -> set[str]:
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
