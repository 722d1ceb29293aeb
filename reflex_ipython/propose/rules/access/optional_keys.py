"""A key that some records lack: what stands for its value, or leaving those records out, is for a person to say."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.absent_keys import MAPPINGS
from reflex_ipython.propose.rules.access.edits import enclosed
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_nodes
from reflex_ipython.propose.rules.values.reading import Reading, reading

_RULE = "key that may be missing"
_OWNERS = (*MAPPINGS, "os._Environ", "collections.Counter")
_ADDED = (ast.Add, ast.Sub)
_OF_TEXT = frozenset(name for name in dir(str) if not hasattr(list, name) and not hasattr(dict, name))


def optional_key(failure: Failure) -> Iterator[Proposal]:
    """`person["age"]`, where some have none: `person.get("age")`, with a default, or without such members."""
    lookup, read = failure.lookup, reading(failure)
    if lookup is None or lookup.kind != "key" or read is None or "Error" not in failure.error.ename:
        return
    if lookup.owner_type not in _OWNERS:
        return
    for node in failing_nodes(failure, read.cell):
        if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
            continue
        if ast.unparse(node.value) == lookup.owner and not isinstance(node.slice, (ast.Slice, ast.Tuple)):
            yield from _given(read, node, f"`{lookup.owner}` has no key {lookup.wanted!r}; `get` gives")
            yield from _left_out(read, node)


def _given(read: Reading, node: ast.Subscript, why: str) -> Iterator[Proposal]:
    """None for a key that is not there, or what nothing is where the value is used."""
    got, key = f"{enclosed(read.cell, node.value)}.get", read.text(node.slice)
    yield from read.propose(read.replace(node, f"{got}({key})"), f"{why} None for it.", _RULE, 0.4)
    first = _nothing(read, node)
    if first:
        made = read.replace(node, f"{got}({key}, {first})")
        yield from read.propose(made, f"{why} {first} for it.", _RULE, 0.39)


def _nothing(read: Reading, node: ast.Subscript) -> str:
    """What adds nothing where the value is used; empty if that is not known."""
    user = read.parent(node)
    if isinstance(user, ast.Attribute):
        return '""' if user.attr in _OF_TEXT else ""
    if isinstance(user, ast.BinOp) and isinstance(user.op, _ADDED):
        other = user.left if user.right is node else user.right
        return {"str": '""', "list": "[]"}.get(read.type(other), "0")
    if isinstance(user, ast.AugAssign) and isinstance(user.op, _ADDED):
        return {"str": '""', "list": "[]"}.get(read.type(user.target), "0")
    call = read.parent(user) if isinstance(user, (ast.GeneratorExp, ast.ListComp)) else None
    return "0" if isinstance(call, ast.Call) and read.called(call) == "sum" else ""


def _left_out(read: Reading, node: ast.Subscript) -> Iterator[Proposal]:
    """Without the members of a comprehension, or the rounds of a loop, that do not have the key."""
    why = f"Those of which `{read.text(node.value)}` has no such key are left out."
    key, owner = read.text(node.slice), read.text(node.value)
    around = next(
        (one for one in read.above(node) if isinstance(one, (ast.ListComp, ast.GeneratorExp, ast.SetComp))), None
    )
    if around is not None and len(around.generators) == 1:
        loop = around.generators[0]
        if any(part is node for part in ast.walk(around.elt)) and _goes_over(loop, node):
            place = read.cell.span((loop.ifs or [loop.iter])[-1])[1]
            word = "and" if loop.ifs else "if"
            yield from read.propose([SpanEdit(place, place, f" {word} {key} in {owner}")], why, _RULE, 0.38)
        return
    statement = read.statement
    rounds = read.parent(statement) if statement is not None else None
    if isinstance(rounds, ast.For) and statement in rounds.body and _goes_over(rounds, node):
        indent = " " * statement.col_offset
        line = f"if {key} not in {owner}:{read.cell.newline}{indent}    continue"
        yield from read.propose(read.insert_above(statement, line), why, _RULE, 0.38)


def _goes_over(loop: ast.For | ast.comprehension, node: ast.Subscript) -> bool:
    """Whether the loop gives the name whose key is wanted its values."""
    return isinstance(loop.target, ast.Name) and isinstance(node.value, ast.Name) and loop.target.id == node.value.id
