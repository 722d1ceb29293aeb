"""Columns and keys that stand in a variable: `features = ["Price"]` in an earlier cell, `df[features]` in this one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.edits import above, candidate, told_value, variable
from reflex_ipython.propose.rules.access.nearness import near, nearest
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes

_LESS = 0.9


def held_labels(failure: Failure) -> Iterator[Proposal]:
    """`df[target]` with `target = "Price"`: `target = "price"` in front of it."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind not in ("column", "key") or cell is None or not lookup.available:
        return
    reads = {node.id for node in failing_nodes(failure, cell) if isinstance(node, ast.Name)}
    for name in sorted(reads - cell.bound):
        held = told_value(variable(failure, name))
        words = [held] if isinstance(held, str) else list(held) if isinstance(held, (list, tuple)) else []
        if lookup.wanted not in words:
            continue
        for found in near(lookup.wanted, lookup.available):
            new = [found.word if word == lookup.wanted else _meant(word, lookup.available) or word for word in words]
            value = repr(new[0] if isinstance(held, str) else type(held)(new))  # type: ignore[call-arg]  # a list or tuple, as words come of no other
            why = f"`{name}` holds {lookup.wanted!r}, which `{lookup.owner}` does not have; it has {found.word!r}."
            edits = above(cell, failure, f"{name} = {value}")
            yield from candidate(cell, edits, why, "closest column", found.prior * _LESS)


def _meant(word: object, available: tuple[str, ...]) -> str | None:
    return nearest(word, available) if isinstance(word, str) and word not in available else None
