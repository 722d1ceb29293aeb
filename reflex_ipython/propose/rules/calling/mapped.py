"""Functions that are called for each member: of one list that holds several arguments, of several lists, of none."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.models import Failure
from reflex_ipython.propose.home import innermost
from reflex_ipython.propose.rules.access.edits import candidate
from reflex_ipython.propose.rules.calling.nodes import last_name, packed
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import expressions, failing_cell, failing_nodes, statement_at

_MISSING = re.compile(r"missing \d+ required positional arguments?:")
_SURPLUS = re.compile(r"takes 1 positional argument but \d+ were given")
_LISTS = r"'(list|tuple|range|dict_values|dict_keys)'"
_OF_A_LIST = re.compile(
    rf"unsupported operand type.*{_LISTS}|can only concatenate (list|tuple) \(not|not supported between .*{_LISTS}"
    rf"|must be (?:real number|a number|str).*, not (?:list|tuple)|not {_LISTS}|{_LISTS} object has no attribute"
    rf"|can't multiply sequence by|bad operand type .*{_LISTS}|type {_LISTS} doesn't define __round__"
)


def pairs_of_a_map(failure: Failure) -> Iterator[Proposal]:
    """`map(margin, pairs)`, which takes two: `[margin(*pair) for pair in pairs]`; `map(f, a, b)`: with `zip`."""
    text = failure.error.evalue
    few, many = _MISSING.search(text), _SURPLUS.search(text)
    cell = failing_cell(failure) if failure.error.ename == "TypeError" and (few or many) else None
    for call in failing_nodes(failure, cell) if cell else ():
        assert cell is not None
        if not isinstance(call, ast.Call) or last_name(call.func) != "map" or not isinstance(call.func, ast.Name):
            continue
        if many and len(call.args) > 2:
            why = f"`map` gives `{cell.text(call.args[0])[:40]}` a value of each list; `zip` makes one of them."
            edits = packed(cell, call.args[1:], "()")
            edits = [SpanEdit(edits[0].start, edits[0].end, "zip("), edits[1]]
            yield from candidate(cell, edits, why, "pairs of a map", 0.88)
        elif few and len(call.args) == 2:
            name = next(one for one in ("pair", "each", "item_") if one not in cell.bound)
            function, pairs = cell.text(call.args[0]), cell.text(call.args[1])
            function = f"({function})" if isinstance(call.args[0], ast.Lambda) else function
            made = f"{function}(*{name}) for {name} in {pairs}"
            outer = cell.parent(call)
            why = f"`map` hands over each member of `{pairs[:40]}` as one argument; `*` takes it apart."
            if isinstance(outer, ast.Call) and outer.func is not call and last_name(outer.func) == "list":
                yield from candidate(cell, [SpanEdit(*cell.span(outer), f"[{made}]")], why, "pairs of a map", 0.9)
            else:
                yield from candidate(cell, [SpanEdit(*cell.span(call), f"({made})")], why, "pairs of a map", 0.9)


def list_for_one_value(failure: Failure) -> Iterator[Proposal]:
    """`celsius(temperatures)`, which computes with one number: `[celsius(x) for x in temperatures]`."""
    inner = innermost(failure)
    if failure.error.ename not in ("TypeError", "AttributeError") or not _OF_A_LIST.search(failure.error.evalue):
        return
    cell = read(failure.situation.source)
    own = [one for one in failure.error.frames if one.cell == failure.situation.cell]
    if cell.tree is None or not own or inner is None or (own[0] is inner and len(failure.error.frames) == 1):
        return
    statement = statement_at(cell, own[0].lineno)
    kinds = {one.name: one.type.rpartition(".")[2] for one in (*failure.situation.values, *own[0].variables)}
    function = inner.function.rpartition(".")[2]
    for call in expressions(statement) if statement is not None else ():
        if isinstance(call, ast.Call) and last_name(call.func) == function and len(call.args) + len(call.keywords) > 0:
            yield from _each(cell, call, kinds)


def _each(cell: Cell, call: ast.Call, kinds: dict[str, str]) -> Iterator[Proposal]:
    given: list[ast.expr] = [*call.args, *(one.value for one in call.keywords)]
    listed = [
        one
        for one in given
        if isinstance(one, (ast.List, ast.Tuple))
        or (isinstance(one, ast.Name) and kinds.get(one.id) in ("list", "tuple", "range"))
    ]
    if not listed:
        return
    used = {node.id for node in cell.every(ast.Name)} | set(kinds)
    names = [one for one in ("x", "y", "z", "value", "other") if one not in used]
    if len(names) < len(listed):
        return
    start, end = cell.span(call)
    edits = [SpanEdit(*cell.span(one), name) for one, name in zip(listed, names)]
    moved = [SpanEdit(edit.start - start, edit.end - start, edit.text) for edit in edits]
    inside = apply(cell.source[start:end], moved)
    texts = [cell.text(one) for one in listed]
    loop = f"{names[0]} in {texts[0]}"
    if len(listed) > 1:
        loop = f"{', '.join(names[: len(listed)])} in zip({', '.join(texts)})"
    why = (
        f"`{last_name(call.func)}` computes with one value, and `{texts[0][:40]}` holds several; it is called for each."
    )
    yield from candidate(cell, [SpanEdit(start, end, f"[{inside} for {loop}]")], why, "each of a list", 0.9)
