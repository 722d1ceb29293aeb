"""Numbers where the text of a number in some base is needed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.reading import reading, short


def text_of_a_base(failure: Failure) -> Iterator[Proposal]:
    """`int(101, 2)`: `int(str(101), 2)`."""
    wanted = failure.error.evalue == "int() can't convert non-string with explicit base"
    read = reading(failure) if wanted else None
    for call in read.nodes(ast.Call) if read is not None else []:
        assert read is not None
        if read.called(call) == "int" and len(call.args) + len(call.keywords) == 2 and read.free("str"):
            given = call.args[0]
            why = f"With a base `int` reads the digits of a text, and `{short(read.text(given))}` is none."
            yield from read.propose(read.wrap(given, "str("), why, "text of a number", 0.93)
