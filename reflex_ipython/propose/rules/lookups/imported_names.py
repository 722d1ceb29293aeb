"""Names that a module has by another word: `from math import squareroot`."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_ipython.base.spans import apply
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.lookups.near_attributes import near_members
from reflex_ipython.propose.rules.misspelt_import import imported_name_edits
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell


def near_imported_name(failure: Failure) -> Iterator[Proposal]:
    """`from math import squareroot`: `from math import sqrt`; `from sklearn.metrics import r2`: `r2_score`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "import" or cell is None:
        return
    for word, prior in near_members(lookup.wanted, list(lookup.available), lookup.owner):
        edits = imported_name_edits(failure, cell, lookup.wanted, word)
        if edits and word != lookup.wanted and word.isidentifier():
            why = f"`{lookup.owner or 'The module'}` has no `{lookup.wanted}`; it has `{word}`."
            yield Proposal(apply(cell.source, edits), why, "near imported name", prior)
