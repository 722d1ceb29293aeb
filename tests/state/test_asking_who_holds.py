"""Code that asks how many references there are to an object gets the answer that it would get without us."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from reflex_ipython.state.journal import Journal
from tests.state.cells import namespace

SETUP = """\
import gc, sys
from sys import getrefcount as count
def ask(o): return sys.getrefcount(o)
class Part: pass
part = Part(); part.held = [[1], [2]]; items = part.held; table = {'a': items}
"""
CHANGES = [
    "items.pop()",
    "table['b'] = items",
    "table.pop('a')",
    "part.held.append([3])",
    "items.reverse()",
    "del items[0]",
]
ASKS = ["sys.getrefcount({})", "count({})", "ask({})", "len(gc.get_referrers({}))", "[count({}) for _ in 'ab']"]


def answer(cell: str, *, noted: bool) -> Any:
    names = namespace(SETUP)
    journal = Journal(names)
    for statement in ast.parse(cell).body:
        code = compile(ast.Module([statement], []), "<cell>", "exec")
        if noted:
            journal.before(code, statement)
        exec(code, names)
        if noted:
            journal.after()
    journal.finished()
    return names["answer"]


@pytest.mark.parametrize("asks", ASKS)
@pytest.mark.parametrize("change", CHANGES)
def test_who_asks_for_references_does_not_find_ours(change: str, asks: str) -> None:
    for o in ("items", "items[0]", "table"):
        cell = f"{change}\nanswer = {asks.format(o)}"
        assert answer(cell, noted=True) == answer(cell, noted=False)
