"""A misspelt keyword argument."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.closeness import closest
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes


def misspelt_argument(failure: Failure) -> Iterator[Proposal]:
    """`plt.figure(figszie=(3, 2))`: `figsize`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "argument" or cell is None:
        return
    from reflex_ipython.propose.rules.calling.moved_arguments import REPLACED  # which imports this module

    if (lookup.owner.rpartition(".")[2], lookup.wanted) in REPLACED:
        return  # no slip: it is known what the argument is called now
    word = closest(lookup.wanted, lookup.available, fixed=True)
    keyword = failing_keyword(failure, cell) if word else None
    if word and keyword:
        start = cell.span(keyword)[0]
        why = f"`{lookup.owner or 'The function'}` takes no argument `{lookup.wanted}`; the closest is `{word}`."
        edit = SpanEdit(start, start + len(lookup.wanted), word)
        yield Proposal(apply(cell.source, [edit]), why, "closest argument")


def failing_keyword(failure: Failure, cell: Cell) -> ast.keyword | None:
    """The keyword argument that was refused, unless two could be meant or the right one is given as well."""
    lookup = failure.lookup
    assert lookup is not None
    found = [
        (call, keyword)
        for call in failing_nodes(failure, cell)
        if isinstance(call, ast.Call)
        for keyword in call.keywords
        if keyword.arg == lookup.wanted
    ]
    if len(found) > 1:
        function = lookup.owner.rpartition(".")[2]
        found = [(call, keyword) for call, keyword in found if ast.unparse(call.func).rpartition(".")[2] == function]
    if len(found) != 1:
        return None
    keyword = found[0][1]
    start = cell.span(keyword)[0]
    return keyword if cell.source.startswith(lookup.wanted, start) else None
