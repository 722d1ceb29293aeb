"""A key that a dict does not have yet, where something is added to its value."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.reading import Reading, reading, short

_EMPTY = {"append": "[]", "extend": "[]", "add": "set()", "update": "{}"}


def first_of_a_key(failure: Failure) -> Iterator[Proposal]:
    """`counts[word] += 1`, `groups[key].append(x)` for the first time."""
    read = reading(failure) if failure.error.ename == "KeyError" else None
    if read is None:
        return
    for node in read.nodes(ast.Subscript):
        if read.type(node.value) in ("", "dict"):
            yield from _added(read, node)


def _added(read: Reading, node: ast.Subscript) -> Iterator[Proposal]:
    statement, owner, key = read.statement, read.text(node.value), read.text(node.slice)
    text = short(f"{owner}[{key}]")
    if isinstance(statement, ast.AugAssign) and statement.target is node:
        start = _start(read, statement)
        sign = ast.unparse(ast.BinOp(ast.Name("a"), statement.op, ast.Name("b")))[2:-2]
        made = f"{owner}[{key}] = {owner}.get({key}, {start}) {sign} {read.atom(statement.value)}"
        why = f"`{text}` has no value yet; `get` gives {start} for the first time."
        yield from read.propose(read.replace(statement, made), why, "first of a key", 0.88)
        return
    method = next((one.attr for one in read.here if isinstance(one, ast.Attribute) and one.value is node), "")
    empty = _EMPTY.get(method)
    if empty is not None and isinstance(node.ctx, ast.Load):
        why = f"`{text}` has no value yet; `setdefault` puts {empty} there for the first time."
        made = f"{owner}.setdefault({key}, {empty})"
        yield from read.propose(read.replace(node, made), why, "first of a key", 0.88)


def _start(read: Reading, statement: ast.AugAssign) -> str:
    """What nothing is, of the kind that is added."""
    if isinstance(statement.op, ast.Mult):
        return "1"
    return {"str": '""', "list": "[]", "tuple": "()"}.get(read.type(statement.value), "0")
