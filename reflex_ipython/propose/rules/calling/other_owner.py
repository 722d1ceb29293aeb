"""Functions that are asked of the wrong module: `math.max`, `np.len`."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure, Lookup
from reflex_ipython.propose.rules.access.edits import candidate
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.misspelt_attribute import failing_accesses
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell

_MODULE = re.compile(r"module '([\w.]+)' has no attribute '(\w+)'")
_HOMES = ("numpy", "pandas", "math", "statistics", "matplotlib.pyplot", "random", "os.path", "itertools", "json")


def _others(cell: Cell, lookup: Lookup, taken: set[str]) -> Iterator[ast.Attribute]:
    """Python's own functions besides the first that the cell asks the same module for."""
    for call in cell.every(ast.Call):
        node = call.func
        if not isinstance(node, ast.Attribute) or ast.unparse(node.value) != lookup.owner:
            continue
        known = node.attr in {lookup.wanted, *lookup.available, *taken}
        if not known and callable(getattr(builtins, node.attr, None)):
            yield node


def function_of_another_module(failure: Failure) -> Iterator[Proposal]:
    """`math.max(a, b)`: `max(a, b)`; `math.mean(xs)`: `np.mean(xs)`, where numpy is imported."""
    lookup, cell = failure.lookup, failing_cell(failure)
    match = _MODULE.match(failure.error.evalue)
    if lookup is None or lookup.kind != "attribute" or cell is None or match is None:
        return
    accesses = failing_accesses(failure, cell)
    called = {node.func for node in cell.every(ast.Call)}
    if not accesses or any(node not in called for node in accesses):
        return
    taken = {*failure.situation.names, *cell.bound}
    if callable(getattr(builtins, match[2], None)) and match[2] not in taken:
        why = f"`{match[2]}` is not in `{match[1]}`: it is Python's own."
        edits = [SpanEdit(*cell.span(node), node.attr) for node in [*accesses, *_others(cell, lookup, taken)]]
        yield from candidate(cell, edits, why, "function of another module", 0.93)
    for name, meaning in failure.situation.meanings.items():
        if meaning in _HOMES and meaning != match[1]:
            why = f"`{match[2]}` is not in `{match[1]}`, but in `{meaning}`."
            edits = [SpanEdit(*cell.span(node), f"{name}.{match[2]}") for node in accesses]
            yield from candidate(cell, edits, why, "function of another module", 0.8)
