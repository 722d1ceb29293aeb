"""A column that is asked for as a date, where just one column of the table holds dates."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.edits import asked_labels, candidate, variable
from reflex_ipython.propose.rules.access.nearness import near
from reflex_ipython.propose.rules.misspelt_key import literal_edit
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes

_DATED = re.compile(r"^(?:'([^'\n]*)'|\"([^\"\n]*)\"|([\w.-]+)): datetime64", re.M)
_WORDS = re.compile(r"(?:^|_)(?:date|day|time|datetime|timestamp|when|month|dt)s?(?:$|_)", re.IGNORECASE)


def only_column_of_dates(failure: Failure) -> Iterator[Proposal]:
    """`orders.sort_values("date")`, where the only dates are in `ordered`: `orders.sort_values("ordered")`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "column" or cell is None or not _WORDS.search(lookup.wanted):
        return
    table = variable(failure, lookup.owner)
    dated = [next(filter(None, names)) for names in _DATED.findall(table.text)] if table is not None else []
    dated = [name for name in dated if name in lookup.available]
    if len(dated) != 1 or near(lookup.wanted, lookup.available):
        return
    places = [node for node in asked_labels(failing_nodes(failure, cell)) if node.value == lookup.wanted]
    edits = [edit for node in places if (edit := literal_edit(cell, node, dated[0])) is not None]
    why = f"`{lookup.owner}` has no column {lookup.wanted!r}; the only one that holds dates is {dated[0]!r}."
    yield from candidate(cell, edits, why, "column of dates", 0.6)
