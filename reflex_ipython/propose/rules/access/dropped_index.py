"""Columns that `reset_index(drop=True)` has dropped: they were the index."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.edits import asked_labels, candidate, text_of
from reflex_ipython.propose.rules.calling.nodes import without_argument
from reflex_ipython.propose.rules.misspelt_key import constants
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes


def dropped_index(failure: Failure) -> Iterator[Proposal]:
    """`df.set_index("site").reset_index(drop=True)["site"]`: `reset_index()`, which makes a column of the index."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind not in ("column", "key", "attribute") or cell is None:
        return
    nodes = failing_nodes(failure, cell)
    asked = any(one.value == lookup.wanted for one in asked_labels(nodes))
    if not asked and not any(isinstance(one, ast.Attribute) and one.attr == lookup.wanted for one in nodes):
        return
    made = [node for node in cell.every(ast.Assign) if any(ast.unparse(one) == lookup.owner for one in node.targets)]
    roots = [*nodes, *(ast.walk(made[-1].value) if made else ())]
    for call in dict.fromkeys(one for one in roots if isinstance(one, ast.Call)):
        drop = next((one for one in call.keywords if one.arg == "drop"), None)
        is_reset = isinstance(call.func, ast.Attribute) and call.func.attr == "reset_index"
        if is_reset and drop is not None and isinstance(drop.value, ast.Constant) and drop.value.value is True:
            named = lookup.wanted in _index_of(call)
            why = f"`drop=True` threw the index away, which was {lookup.wanted!r}; without it, it becomes a column."
            if not named:
                why = f"`drop=True` threw the index away; without it, it becomes a column, perhaps {lookup.wanted!r}."
            yield from candidate(cell, [without_argument(cell, call, drop)], why, "index kept", 0.93 if named else 0.45)


def _index_of(call: ast.Call) -> list[object]:
    """What the index is called of which a chain of methods makes a column again."""
    found: list[object] = []
    for one in ast.walk(call):
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute):
            if one.func.attr in ("set_index", "groupby", "pivot", "pivot_table", "rename_axis"):
                given = [*one.args[:1], *(word.value for word in one.keywords if word.arg in ("by", "keys", "index"))]
                found += [label.value for node in given for label in constants(node)]
            elif one.func.attr == "value_counts" and isinstance(one.func.value, ast.Subscript):
                found.append(text_of(one.func.value.slice))
    return found
