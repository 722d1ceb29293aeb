"""Keys that are not there yet, or need not be there: counting, grouping, removing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.base.syntax_trees import literal_value
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.edits import candidate, enclosed, told_value, variable
from reflex_ipython.propose.rules.access.nearness import near
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.misspelt_key import literal_edit
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_line, failing_nodes, statement_at

MAPPINGS = ("dict", "collections.OrderedDict", "")
# What a value must be at first, by what is done to it.
_FIRST = {"append": "[]", "extend": "[]", "insert": "[]", "add": "set()", "update": "{}", "setdefault": "{}"}
_NOT_IN_LIST = "not in list"


def first_value(failure: Failure) -> Iterator[Proposal]:
    """`counts[word] += 1`: `counts[word] = counts.get(word, 0) + 1`; `groups[key].append(x)`: `setdefault`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "key" or lookup.owner_type not in MAPPINGS or cell is None:
        return
    statement = statement_at(cell, failing_line(failure))
    nodes = failing_nodes(failure, cell)
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Subscript):
        literal = isinstance(statement.target.slice, ast.Constant) and lookup.available
        yield from _counted(cell, statement, statement.target, 0.6 if literal else 0.88)
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        for node in nodes:
            reads = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load)
            if isinstance(node, ast.Subscript) and reads and ast.unparse(node) == ast.unparse(target):
                yield from _got(cell, node, _zero_of(statement.value), 0.85)
    here = list(_first_values(cell, nodes, lookup.owner))
    for _, first in here[:1]:
        why = f"A new key of `{lookup.owner}` has no value yet; `setdefault` gives it `{first}` first."
        everywhere = _first_values(cell, list(cell.nodes()), lookup.owner) if lookup.owner else here
        yield from candidate(cell, [edit for edit, _ in everywhere], why, "first value of a key", 0.9)
        yield from candidate(cell, [edit for edit, _ in here], why, "first value of a key", 0.4)


def _first_values(cell: Cell, nodes: list[ast.AST], owner: str) -> Iterator[tuple[SpanEdit, str]]:
    """Where the value of a key is changed at once, as it is changed with a first value."""
    for node in nodes:
        inner = None
        if isinstance(node, ast.Attribute) and node.attr in _FIRST:
            inner, first = node.value, _FIRST[node.attr]
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            inner, first = node.value, "{}"
        if not isinstance(inner, ast.Subscript) or not isinstance(inner.ctx, ast.Load):
            continue
        if not owner or ast.unparse(inner.value) == owner:
            made = f"{enclosed(cell, inner.value)}.setdefault({cell.text(inner.slice)}, {first})"
            yield SpanEdit(*cell.span(inner), made), first


def _counted(cell: Cell, statement: ast.AugAssign, target: ast.Subscript, prior: float) -> Iterator[Proposal]:
    place, first = cell.text(target), _zero_of(statement.value)
    if isinstance(target.slice, (ast.Slice, ast.Tuple)) and not cell.text(target.slice).startswith("("):
        return
    sign = cell.source[cell.span(target)[1] : cell.span(statement.value)[0]].strip()
    if not sign.endswith("=") or not isinstance(statement.op, (ast.Add, ast.Sub)):
        return
    value = cell.text(statement.value)
    if isinstance(statement.op, ast.Sub) and isinstance(statement.value, ast.BinOp):
        value = f"({value})"
    made = f"{place} = {enclosed(cell, target.value)}.get({cell.text(target.slice)}, {first}) {sign[:-1]} {value}"
    why = f"A new key has no value yet that could be added to; `get` gives {first} for it."
    yield from candidate(cell, [SpanEdit(*cell.span(statement), made)], why, "first value of a key", prior)


def _zero_of(value: ast.expr) -> str:
    """What a sum with this begins with."""
    for node in ast.walk(value):
        if isinstance(node, ast.List):
            return "[]"
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            return '""'
        if isinstance(node, (ast.Call, ast.Subscript)):
            break
    return "0"


def _got(cell: Cell, node: ast.Subscript, first: str, prior: float) -> Iterator[Proposal]:
    made = f"{enclosed(cell, node.value)}.get({cell.text(node.slice)}, {first})"
    why = f"The key may be missing; `get` gives {first} then."
    yield from candidate(cell, [SpanEdit(*cell.span(node), made)], why, "first value of a key", prior)


def removed_before(failure: Failure) -> Iterator[Proposal]:
    """`seen.remove(x)` of a set: `seen.discard(x)`; of a list, what is near, or only if it is there."""
    cell, error = failing_cell(failure), failure.error
    in_list = error.ename == "ValueError" and _NOT_IN_LIST in error.evalue
    if cell is None or not (in_list or (error.ename == "KeyError" and failure.lookup is not None)):
        return
    for call in failing_nodes(failure, cell):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or len(call.args) != 1:
            continue
        method, end = call.func.attr, cell.span(call.func)[1]
        owner, item = ast.unparse(call.func.value), cell.text(call.args[0])
        kind = failure.lookup.owner_type if failure.lookup else ""
        if method == "remove" and kind == "set" and not in_list:
            why = (
                f"`{owner}` has no {failure.lookup.wanted!r} to remove; `discard` leaves it at that."
                if failure.lookup
                else ""
            )
            yield from candidate(cell, [SpanEdit(end - 6, end, "discard")], why, "discard", 0.6)
        elif method == "pop" and kind == "dict":
            why = f"`{owner}` has no such key; with a second argument `pop` gives that instead."
            place = cell.span(call.args[0])[1]
            yield from candidate(cell, [SpanEdit(place, place, ", None")], why, "key that may be missing", 0.45)
        elif in_list and method in ("remove", "index"):
            yield from _near_item(failure, cell, call.func.value, call.args[0])
            statement = statement_at(cell, failing_line(failure))
            if method == "remove" and isinstance(statement, ast.Expr) and statement.value is call:
                why = f"`{owner}` has no {item} to remove; it is only removed if it is there."
                text = f"if {item} in {owner}: {cell.text(call)}"
                yield from candidate(cell, [SpanEdit(*cell.span(statement), text)], why, "remove if there", 0.45)


def _near_item(failure: Failure, cell: Cell, owner: ast.expr, item: ast.expr) -> Iterator[Proposal]:
    known = told_value(variable(failure, owner.id)) if isinstance(owner, ast.Name) else None
    items = [one for one in known if isinstance(one, str)] if isinstance(known, list) else []
    if isinstance(item, ast.Constant) and isinstance(item.value, str):
        for found in near(item.value, items):
            edit = literal_edit(cell, item, found.word)
            why = f"`{ast.unparse(owner)}` has no {item.value!r}; the closest is {found.word!r}."
            yield from candidate(cell, [edit] if edit else [], why, "closest item", found.prior)


def swapped_pair(failure: Failure) -> Iterator[Proposal]:
    """`distances["Bergen", "Oslo"]` of a dictionary that has `("Oslo", "Bergen")`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "key" or not lookup.wanted.startswith("(") or cell is None:
        return
    for node in failing_nodes(failure, cell):
        pair = node.slice if isinstance(node, ast.Subscript) else None
        if not isinstance(pair, ast.Tuple) or len(pair.elts) != 2:
            continue
        try:
            turned = repr(literal_value(lookup.wanted)[::-1])
        except (ValueError, SyntaxError):
            return
        if turned in lookup.others:
            first, second = pair.elts
            edits = [SpanEdit(*cell.span(first), cell.text(second)), SpanEdit(*cell.span(second), cell.text(first))]
            why = f"There is no key {lookup.wanted}; there is {turned}."
            yield from candidate(cell, edits, why, "pair in the other order", 0.92)


def field_of_template(failure: Failure) -> Iterator[Proposal]:
    """`template.format(order=7)` where the template says `{order_id}`: the argument of that name."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if failure.error.ename != "KeyError" or cell is None:
        return
    wanted = failure.error.evalue.strip("'")
    if not wanted.isidentifier() or (lookup is not None and lookup.owner):
        return
    for call in failing_nodes(failure, cell):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "format":
            continue
        given = {one.arg: one for one in call.keywords if one.arg}
        alike = [one.word for one in near(wanted, given)]
        alike += [one for one in given if one not in alike and (wanted.startswith(one) or one.startswith(wanted))]
        for name in alike[:2]:
            start = cell.span(given[name])[0]
            why = f"The text asks for `{wanted}`; it is given `{name}`."
            yield from candidate(cell, [SpanEdit(start, start + len(name), wanted)], why, "field of the text", 0.9)
        if not alike and wanted in failure.situation.names:
            end = cell.span(call)[1] - 1
            comma = ", " if call.args or call.keywords else ""
            why = f"The text asks for `{wanted}`, and there is a variable of that name."
            yield from candidate(
                cell, [SpanEdit(end, end, f"{comma}{wanted}={wanted}")], why, "field of the text", 0.92
            )
