"""More members drawn than there are."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.reading import reading, short


def larger_sample(failure: Failure) -> Iterator[Proposal]:
    """`random.sample(deck, 5)` of three: all there are, or each may come more than once."""
    if failure.error.ename != "ValueError" or not failure.error.evalue.startswith("Sample larger than population"):
        return
    read = reading(failure)
    for call in read.nodes(ast.Call) if read is not None else []:
        assert read is not None
        size = (
            call.args[1] if len(call.args) > 1 else next((one.value for one in call.keywords if one.arg == "k"), None)
        )
        if read.called(call) != "sample" or size is None or not call.args:
            continue
        drawn, wanted = read.text(call.args[0]), read.text(size)
        if read.free("min", "len"):
            why = f"`{short(drawn)}` has fewer members than {wanted}; this takes all of them then."
            edits = read.replace(size, f"min({wanted}, len({drawn}))")
            yield from read.propose(edits, why, "as many as there are", 0.55)
        owner = read.text(call.func).removesuffix("sample")
        why = f"`{short(drawn)}` has fewer members than {wanted}; `choices` may draw one more than once."
        made = f"{owner}choices({drawn}, k={wanted})"
        if isinstance(call.func, ast.Attribute):
            yield from read.propose(read.replace(call, made), why, "drawn more than once", 0.5)
