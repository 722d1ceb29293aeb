"""Iterators that can be gone through once, and were: they are made again as they were made."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.article import a
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.reading import Reading, reading
from reflex_ipython.propose.rules.values.types import LAZY

_EMPTY = re.compile(
    r"empty (?:sequence|iterable)|iterable argument is empty|at least one data point|no (?:median|mode) "
)


def spent_iterator(failure: Failure) -> Iterator[Proposal]:
    """`max(numbers)`, where `numbers = map(int, texts)` was summed before: it is made again."""
    if failure.error.ename != "StopIteration" and not _EMPTY.search(failure.error.evalue):
        return
    read = reading(failure)
    if read is None or read.statement is None:
        return
    kinds = {*LAZY, "generator", "map", "filter", "zip"} - {"dict_keys", "dict_values", "dict_items", "range"}
    for node in read.here:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and read.type(node) in kinds:
            made = _made(read, node.id)
            if made:
                what = a(f"`{read.type(node)}`")
                why = f"`{node.id}` is {what}: it can be gone through once, and was; it is made again."
                edits = read.insert_above(read.statement, made)
                yield from read.propose(edits, why, "iterator made again", 0.85)
            return


def _made(read: Reading, name: str) -> str:
    """The statement of an earlier cell that made it; empty if it is not known. One of this cell is `no_more`'s."""
    if name in read.cell.bound:
        return ""
    earlier = read.assigned_earlier(name)
    return ast.unparse(earlier[1]) if earlier is not None else ""
