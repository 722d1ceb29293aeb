"""What orders: `sort` and `sorted` take it by name, as a key, and no comparison of two."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.edits import candidate
from reflex_ipython.propose.rules.calling.nodes import calls_in
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.placement import import_edit
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes

_BY_PLACE = re.compile(r"sort\(\) takes no positional arguments|sorted expected 1 argument, got [23]")
_COMPARED = re.compile(r"'cmp' is an invalid keyword argument for \w+\(\)|unexpected keyword argument 'cmp'")


def key_of_a_sort(failure: Failure) -> Iterator[Proposal]:
    """`xs.sort(len)`: `xs.sort(key=len)`; `sorted(xs, cmp=f)`: `sorted(xs, key=functools.cmp_to_key(f))`."""
    text = failure.error.evalue
    by_place, compared = _BY_PLACE.search(text), _COMPARED.search(text)
    cell = failing_cell(failure) if failure.error.ename == "TypeError" and (by_place or compared) else None
    if cell is None:
        return
    for call in calls_in(failing_nodes(failure, cell), "sort", "sorted"):
        given = call.args[0 if isinstance(call.func, ast.Attribute) else 1 :]
        if by_place and given:
            if len(given) == 1 and isinstance(given[0], ast.Lambda) and len(given[0].args.args) == 2:
                yield _by_comparison(failure, cell, given[0])
                continue
            flag = isinstance(given[-1], ast.Constant) and isinstance(given[-1].value, bool)
            names = ("key", "reverse") if len(given) == 2 else ("reverse" if flag else "key",)
            starts = [cell.span(node)[0] for node in given]
            edits = [SpanEdit(start, start, f"{name}=") for start, name in zip(starts, names)]
            why = f"What orders is taken by name only: {' and '.join(f'`{name}=`' for name in names)}."
            yield from candidate(cell, edits, why, "argument by name", 0.93)
        for keyword in call.keywords if compared else ():
            if keyword.arg == "cmp":
                yield _by_comparison(failure, cell, keyword)


def _by_comparison(failure: Failure, cell: Cell, given: ast.expr | ast.keyword) -> Proposal:
    """The argument that compares two, as a key."""
    compares = given.value if isinstance(given, ast.keyword) else given
    made = f"key=functools.cmp_to_key({cell.text(compares)})"
    source = apply(cell.source, [SpanEdit(*cell.span(given), made)])
    if "functools" not in failure.situation.names:
        source = apply(source, [import_edit(read(source), ["import functools"])])
    why = "Python 3 orders by a key; `cmp_to_key` makes one of a function that compares two."
    return Proposal(source, why, "changed argument", 0.93)
