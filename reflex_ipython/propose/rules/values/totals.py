"""A list where one number is meant: its sum, or how many members it has."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.article import a
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.operators import operations
from reflex_ipython.propose.rules.values.reading import reading, short
from reflex_ipython.propose.rules.values.types import NUMBERS

_LISTS = {"list", "tuple", "set", "dict_values"}


def number_of_a_list(failure: Failure) -> Iterator[Proposal]:
    """`total += amounts`: `total += sum(amounts)`; `total / amounts`: `total / len(amounts)`."""
    if failure.error.ename != "TypeError" or "unsupported operand type(s) for" not in failure.error.evalue:
        return
    read = reading(failure)
    for one in operations(read) if read else ():
        assert read is not None
        if one.left_type not in NUMBERS or one.right_type not in _LISTS or not read.free("sum", "len"):
            continue
        listed = short(read.text(one.right))
        if one.sign in ("+", "-"):
            prior = 0.85 if isinstance(one.node, ast.AugAssign) else 0.55
            why = f"`{listed}` is {a(one.right_type)}; `sum` adds up its members."
            yield from read.propose(read.wrap(one.right, "sum("), why, "sum of a list", prior)
        elif one.sign in ("/", "//", "%"):
            why = f"`{listed}` is {a(one.right_type)}; `len` gives how many members it has."
            yield from read.propose(read.wrap(one.right, "len("), why, "length of a list", 0.7)
