"""A name that a later statement of the same cell sets."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit, first_line
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.lookups.missing import Missing, bound_names, missing_name
from reflex_ipython.propose.rules.proposal import Proposal

_DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def name_set_later(failure: Failure) -> Iterator[Proposal]:
    """`print(total)` above `total = 5`: the statement that sets it, and what that needs, comes first."""
    missing = missing_name(failure)
    if missing is None or missing.is_unassigned or missing.wanted not in missing.cell.bound:
        return
    assert missing.cell.tree is not None
    body, here = missing.cell.tree.body, missing.outer_statement()
    if here is None:
        return
    after = body[body.index(here) + 1 :]
    setting = next((node for node in after if missing.wanted in bound_names(node)), None)
    if setting is None:
        return
    needed = _needed(missing, setting, after)
    alone = [setting]
    defining = isinstance(setting, _DEFINING)
    for moved in [alone] if needed == alone else [needed, alone]:
        edits = _moved(missing.cell, moved, here)
        if edits:
            why = (
                f"`{missing.wanted}` is set on line {first_line(setting)} only, "
                f"after line {missing.failure.lineno} has used it."
            )
            yield from missing.changed(edits, why, "order of statements", 0.85 if defining else 0.75)


def _needed(missing: Missing, setting: ast.stmt, after: list[ast.stmt]) -> list[ast.stmt]:
    """The statement, and those between that set what it reads, in their order."""
    there = {*missing.failure.situation.names}
    wanted = {node.id for node in ast.walk(setting) if isinstance(node, ast.Name)}
    moved = [setting]
    for node in reversed(after[: after.index(setting)]):
        if bound_names(node) & (wanted - there):
            moved.insert(0, node)
            wanted |= {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    return moved


def _moved(cell: Cell, statements: list[ast.stmt], before: ast.stmt) -> list[SpanEdit]:
    """The edits that move whole lines up."""
    end = first_line(before) - 1
    texts: list[str] = []
    edits: list[SpanEdit] = []
    for node in statements:
        first, last = first_line(node), node.end_lineno or node.lineno
        if _shares_lines(cell, node, first, last):
            return []
        start = cell.starts[first - 1]
        stop = cell.starts[last] if last < len(cell.starts) else len(cell.source)
        text = cell.source[start:stop]
        texts.append(text if text.endswith(("\n", "\r")) else text + cell.newline)
        edits.append(SpanEdit(start, stop, ""))
    place = cell.starts[end]
    return [SpanEdit(place, place, "".join(texts)), *edits]


def _shares_lines(cell: Cell, statement: ast.stmt, first: int, last: int) -> bool:
    """Whether another statement stands on one of its lines."""
    assert cell.tree is not None
    return any(
        node is not statement and first_line(node) <= last and (node.end_lineno or node.lineno) >= first
        for node in cell.tree.body
    )
