"""Signs that stand for something else in Python: `^` for a power, `-` for taking a text out of another."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.operators import Operation, operations
from reflex_ipython.propose.rules.values.reading import UNKNOWN, Reading, reading, short


def another_sign(failure: Failure) -> Iterator[Proposal]:
    """`side ^ 2`: `side ** 2`; `"a.csv" - ".csv"`: `"a.csv".replace(".csv", "")`."""
    if failure.error.ename != "TypeError" or "unsupported operand type(s) for" not in failure.error.evalue:
        return
    read = reading(failure)
    for one in operations(read) if read else ():
        assert read is not None
        if one.sign == "^" and {one.left_type, one.right_type} & {"float", "numpy.float64"}:
            yield from _power(read, one)
        elif one.sign == "-" and {one.left_type, one.right_type} == {"str"} and isinstance(one.node, ast.BinOp):
            old, new = short(read.text(one.right)), read.text(one.right)
            why = f"A text has no `-`; `replace` takes {old} out of it."
            made = f'{read.atom(one.left)}.replace({new}, "")'
            known = UNKNOWN not in (read.value(one.left), read.value(one.right))
            yield from read.propose(read.replace(one.node, made), why, "text without another", 0.5 if known else 0.3)


def _power(read: Reading, one: Operation) -> Iterator[Proposal]:
    start, end = read.cell.span(one.left)[1], read.cell.span(one.right)[0]
    why = "`^` compares the bits of whole numbers in Python; `**` gives the power."
    signs = [token for token in read.cell.tokens if token.text in ("^", "^=") and start <= token.start < end]
    for sign in signs[:1]:
        edit = SpanEdit(sign.start, sign.end, sign.text.replace("^", "**"))
        yield from read.propose([edit], why, "power", 0.95)
        others = [token for token in read.cell.tokens if token.text in ("^", "^=")]
        if len(others) > 1:
            edits = [SpanEdit(token.start, token.end, token.text.replace("^", "**")) for token in others]
            yield from read.propose(edits, why, "power", 0.94)
