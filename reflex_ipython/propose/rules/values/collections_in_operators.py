"""Lists, tuples, sets and dicts on a side of an operator."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from reflex_ipython.base.article import a
from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.conversion import numeric
from reflex_ipython.propose.rules.values.operators import Operation, operations
from reflex_ipython.propose.rules.values.reading import UNKNOWN, Reading, reading, short
from reflex_ipython.propose.rules.values.types import INTEGERS, LAZY, NUMBERS, VIEWS

_LISTS = frozenset({"list", "tuple"})
_CONVERTED = LAZY | VIEWS | {"tuple", "set", "frozenset", "range", "numpy.ndarray", "collections.deque"}
_BITS = {"&": "intersection", "|": "union", "^": "symmetric difference", "-": "difference"}
_NOT_JOINED = re.compile(r"can only concatenate (?:list|tuple)")


def collections_in_operators(failure: Failure) -> Iterator[Proposal]:
    """`[1, 2] / 2`, `items + 1`, `a - b`, `d1 + d2`."""
    read = reading(failure) if failure.error.ename == "TypeError" else None
    if read is None:
        return
    for one in operations(read):
        left, right = one.left_type, one.right_type
        if left in ("str", "NoneType") or right == "NoneType":
            continue
        if left in _LISTS and one.sign == "+":
            yield from _appended(read, one)
        elif left in _GIVE_ITEMS and right == "list" and one.sign == "+" and read.free("list"):
            why = f"`{short(read.text(one.left))}` is {a(left)}; `list` makes a list of it, which another can join."
            yield from read.propose(read.wrap(one.left, "list("), why, "list of a value", 0.93)
        if isinstance(one.node, ast.BinOp):
            if left in _LISTS and right in NUMBERS | {"str"} and (one.sign != "+" or right != "str"):
                yield from _each(read, one.node, one.left, one.right)
            elif right in _LISTS and left in NUMBERS:
                yield from _each(read, one.node, one.right, one.left)
            elif left in _LISTS and right in _LISTS:
                yield from _pairs(read, one)
        if {left, right} & {"set", "frozenset", "dict_keys"} or (left in _LISTS and right in _LISTS):
            yield from _sets(read, one)
        if left == right and left in ("dict", "set", "frozenset") and one.sign == "+":
            yield from _merged(read, one)


_GIVE_ITEMS = frozenset({"range", "dict_keys", "dict_values", "dict_items", "map", "zip", "filter", "generator", "set"})


def _appended(read: Reading, one: Operation) -> Iterator[Proposal]:
    """`items + 1`: `items + [1]`; `items + (1, 2)`: `items + list((1, 2))`."""
    owner, text = short(read.text(one.left)), short(read.text(one.right))
    if one.right_type in _CONVERTED | {"list"} and one.right_type != one.left_type:
        if read.free(one.left_type):
            kinds = f"`{owner}` is {a(one.left_type)} and `{text}` {a(one.right_type)}"
            why = f"{kinds}; `{one.left_type}` turns it into one."
            yield from read.propose(read.wrap(one.right, f"{one.left_type}("), why, f"{one.left_type} of a value", 0.85)
        return
    found = read.members(one.left)
    same = not found or any(type(member).__name__ == one.right_type for member in found)
    numbers = one.right_type in NUMBERS
    made = f"[{read.text(one.right)}]" if one.left_type == "list" else f"({read.text(one.right)},)"
    why = f"`{owner}` is {a(one.left_type)}; `{made}` is one with `{text}` in it, which can be joined to it."
    prior = (0.6 if numbers else 0.8) if same else 0.4
    yield from read.propose(read.replace(one.right, made), why, "one more member", prior)


def _each(read: Reading, node: ast.BinOp, many: ast.expr, by: ast.expr) -> Iterator[Proposal]:
    """`prices * 1.2`: `[x * 1.2 for x in prices]`."""
    found = read.members(many)
    texts = [member for member in found if type(member) is str]
    if texts or (read.type(by) == "str"):
        return
    name = read.fresh()
    sides = [name if side is many else read.text(side) for side in (node.left, node.right)]
    between = read.cell.source[read.cell.span(node.left)[1] : read.cell.span(node.right)[0]]
    if "(" in between or ")" in between or "\n" in between:
        between = f" {_sign(node)} "
    made = f"[{sides[0]}{between}{sides[1]} for {name} in {read.text(many)}]"
    kind = read.type(many) or "list"
    if kind == "tuple":
        made = f"tuple({made[1:-1]})"
    numpy = read.module("numpy")
    what = f"`{short(read.text(many))}` is {a(kind)}, which has no arithmetic"
    added = isinstance(node.op, ast.Add)
    repeated = isinstance(node.op, ast.Mult) and bool(found) and len(set(map(repr, found))) == 1
    mean = isinstance(by, ast.Call) and read.called(by) == "len" and isinstance(node.op, ast.Div)
    prior = 0.3 if mean else 0.35 if added or repeated else 0.5 if numpy else 0.65
    yield from read.propose(read.replace(node, made), f"{what}; this computes each member.", "each member", prior)
    alias, imports = (numpy, ()) if numpy else ("np", ("import numpy as np",))
    array = read.replace(many, f"{alias}.array({read.text(many)})")
    why = f"{what}; an array of numpy has."
    yield from read.propose(
        array, why, "array of a list", (0.3 if added or repeated or mean else 0.5) if numpy else 0.25, imports=imports
    )
    if isinstance(node.op, ast.Mult) and read.free("int") and read.type(by) not in INTEGERS:
        why = f"{a(kind, capital=True)} can be repeated a whole number of times."
        yield from read.propose(read.wrap(by, "int("), why, "whole number", 0.8 if repeated else 0.15)
    if isinstance(node.op, (ast.Div, ast.Sub)) and read.free("len"):
        why = f"`len` gives how many members `{short(read.text(many))}` has."
        yield from read.propose(read.wrap(many, "len("), why, "length of a list", 0.1)
    if isinstance(node.op, (ast.Div, ast.FloorDiv)) and node.left is many and read.free("sum"):
        why = f"`sum` adds up the members of `{short(read.text(many))}`."
        yield from read.propose(read.wrap(many, "sum("), why, "sum of a list", 0.9 if mean else 0.15)


def _pairs(read: Reading, one: Operation) -> Iterator[Proposal]:
    """`a * b` of two lists: member by member."""
    assert isinstance(one.node, ast.BinOp)
    values: list[Any] = [read.value(one.left), read.value(one.right)]
    held = [*read.members(one.left), *read.members(one.right)]
    if one.sign in ("&", "|", "^") or any(isinstance(member, (str, dict, set)) for member in held):
        return
    lengths = {len(value) for value in values if value is not UNKNOWN}
    if len(lengths) > 1:
        return
    nested = any(isinstance(member, (list, tuple)) for member in held)
    first, second = ("a", "b") if read.free("a", "b") else ("x", "y")
    made = f"[{first} {one.sign} {second} for {first}, {second} in zip({read.text(one.left)}, {read.text(one.right)})]"
    prior = 0.42 if one.sign == "-" else 0.6
    numpy = read.module("numpy")
    what = "Lists have no arithmetic"
    if read.free("zip") and not nested:
        why = f"{what}; this goes through both at once."
        yield from read.propose(read.replace(one.node, made), why, "member by member", prior * (0.8 if numpy else 1))
    alias, imports = (numpy, ()) if numpy else ("np", ("import numpy as np",))
    arrays = [*read.replace(one.left, f"{alias}.array({read.text(one.left)})")]
    arrays += read.replace(one.right, f"{alias}.array({read.text(one.right)})")
    yield from read.propose(
        arrays,
        f"{what}; arrays of numpy have.",
        "arrays of lists",
        0.7 if nested else prior if numpy else 0.25,
        imports=imports,
    )


def _sets(read: Reading, one: Operation) -> Iterator[Proposal]:
    """`a - b`, `a & b` of lists: as sets, or without the members of the other."""
    if one.sign not in _BITS or not read.free("set"):
        return
    sides = [side for side, kind in ((one.left, one.left_type), (one.right, one.right_type)) if kind != "set"]
    if isinstance(one.node, ast.AugAssign) and one.left in sides:
        return
    held = [member for side in (one.left, one.right) for member in read.members(side)]
    numbers = any(type(member) in (int, float, list) for member in held)
    both = len(sides) == 2
    minus = one.sign == "-" and both
    edits = [edit for side in sides for edit in read.wrap(side, "set(")]
    why = f"Sets have the {_BITS[one.sign]} (`{one.sign}`), lists don't."
    yield from read.propose(edits, why, "sets", (0.25 if numbers else 0.3) if minus else 0.8)
    if minus and isinstance(one.node, ast.BinOp):
        name = read.fresh()
        made = f"[{name} for {name} in {read.text(one.left)} if {name} not in {read.text(one.right)}]"
        why = f"Lists can't be subtracted; this leaves out the members of `{short(read.text(one.right))}`."
        yield from read.propose(read.replace(one.node, made), why, "without the others", 0.38 if numbers else 0.65)


def _merged(read: Reading, one: Operation) -> Iterator[Proposal]:
    why = "Dicts are merged with `|`; where both have a key, the right one's value stays."
    if one.left_type != "dict":
        why = "Sets are joined with `|`."
    start, end = read.cell.span(one.left)[1], read.cell.span(one.right)[0]
    plus = [token for token in read.cell.tokens if token.text in ("+", "+=") and start <= token.start < end]
    if len(plus) == 1:
        sign = "|" if plus[0].text == "+" else "|="
        edit = SpanEdit(plus[0].start, plus[0].start + len(plus[0].text), sign)
        yield from read.propose([edit], why, f"joined {one.left_type}s", 0.85)


def _sign(node: ast.BinOp) -> str:
    return ast.unparse(ast.BinOp(ast.Name("a"), node.op, ast.Name("b")))[2:-2]


def sum_of_texts(failure: Failure) -> Iterator[Proposal]:
    """`sum(["1", "2"])`, `sum([[1], [2]])`."""
    match = re.fullmatch(r"unsupported operand type\(s\) for \+: '(int|float)' and '([\w.]+)'", failure.error.evalue)
    read = reading(failure) if match and failure.error.ename == "TypeError" else None
    if read is None or match is None:
        return
    for call in read.nodes(ast.Call):
        if not (isinstance(call.func, ast.Name) and call.func.id == "sum" and call.args):
            continue
        given, text = call.args[0], short(read.text(call.args[0]))
        if match[2] in _LISTS and len(call.args) == 1:
            start = "[]" if match[2] == "list" else "()"
            why = f"`{text}` holds {match[2]}s; `sum` joins them when it starts from an empty one."
            yield from read.propose(read.replace(given, f"{read.text(given)}, {start}"), why, "sum of lists", 0.6)
            name = read.fresh()
            why = f"`{text}` holds {match[2]}s; this gives the sum of each."
            edits = read.replace(call, f"[sum({name}) for {name} in {read.text(given)}]")
            yield from read.propose(edits, why, "sum of each", 0.4)
            why = f"`{text}` holds {match[2]}s; this adds up all that is in them."
            yield from read.propose(read.replace(call, f"sum(map(sum, {read.text(given)}))"), why, "sum of all", 0.5)
        elif match[2] == "str":
            yield from _sum_of_numbers(read, call, given)
        elif match[2] == "dict":
            yield from _sum_of_items(read, given)
        elif match[2] == "NoneType":
            name = read.fresh()
            made = f"{name} for {name} in {read.text(given)} if {name} is not None"
            why = f"`{text}` has None among its members; this leaves them out."
            counts = [
                one.args[0]
                for one in read.here
                if isinstance(one, ast.Call)
                and read.called(one) == "len"
                and read.text(one.args[0]) == read.text(given)
            ]
            edits = read.replace(given, f"[{made}]" if counts else made)
            edits += [edit for one in counts for edit in read.replace(one, f"[{made}]")]
            yield from read.propose(edits, why, "without None", 0.7)


def _sum_of_numbers(read: Reading, call: ast.Call, given: ast.expr) -> Iterator[Proposal]:
    texts, text = read.members(given), short(read.text(given))
    owner = read.type(given) == "dict"
    if owner:
        why = f"`{text}` is a dict: its keys are gone through; `values()` gives its values."
        yield from read.propose(read.replace(given, f"{read.atom(given)}.values()"), why, "values of a dict", 0.9)
        return
    kinds = [member for member in texts if type(member) is str]
    if isinstance(given, (ast.GeneratorExp, ast.ListComp)) and len(given.generators) == 1:
        sample = read.sample(given.elt, given.generators[0])
        kinds = [sample] if type(sample) is str else []
    for function, prior in numeric(kinds or [UNKNOWN]):
        if read.free(function):
            why = f"`{text}` holds texts; `{function}` turns each into a number."
            if isinstance(given, (ast.GeneratorExp, ast.ListComp)):
                edits = read.wrap(given.elt, f"{function}(")
            else:
                edits = read.replace(given, f"map({function}, {read.text(given)})")
            yield from read.propose(edits, why, f"{function} of each", prior)
    if not isinstance(given, ast.GeneratorExp):
        why = f"`{text}` holds texts; `join` makes one text of them."
        yield from read.propose(
            read.replace(call, f'"".join({read.text(given)})'),
            why,
            "texts joined",
            0.1 if kinds and numeric(kinds) else 0.6,
        )


def _sum_of_items(read: Reading, given: ast.expr) -> Iterator[Proposal]:
    """`sum(rows)` of dicts: of one of their keys."""
    rows = [member for member in read.members(given) if type(member) is dict]
    keys = [key for key, value in (rows[0].items() if rows else ()) if type(value) in (int, float)]
    name = read.fresh()
    for key in keys[:4]:
        why = f"`{short(read.text(given))}` holds dicts; this adds up their {key!r}."
        made = f"{name}[{key!r}] for {name} in {read.text(given)}"
        yield from read.propose(read.replace(given, made), why, "sum of a key", 0.8 if len(keys) == 1 else 0.4)
