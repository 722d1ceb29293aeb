"""`<`, `>`, sorting, smallest and largest of values that have no order."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from reflex_ipython.base.article import a
from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.cell import read as cell_of
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.conversion import is_prose, numeric, told
from reflex_ipython.propose.rules.values.operators import converted
from reflex_ipython.propose.rules.values.reading import UNKNOWN, Reading, reading, short
from reflex_ipython.propose.rules.values.types import NUMBERS

_NO_ORDER = re.compile(r"'(?:<|>|<=|>=)' not supported between instances of '([\w.]+)' and '([\w.]+)'")
_ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_SORTING = frozenset({"sorted", "max", "min"})
_CONTAINERS = frozenset({"list", "tuple", "dict", "set"})


def comparison(failure: Failure) -> Iterator[Proposal]:
    """`"5" > 3`, `items > 3`, `x.count > 3`."""
    match = _NO_ORDER.fullmatch(failure.error.evalue)
    read = reading(failure) if match and failure.error.ename == "TypeError" else None
    if read is None or match is None:
        return
    for node in read.nodes(ast.Compare):
        sides = [node.left, *node.comparators]
        for left, operator, right in zip(sides, node.ops, sides[1:]):
            fits = read.type(left) in ("", match[1]) and read.type(right) in ("", match[2])
            if isinstance(operator, _ORDERED) and fits and "NoneType" in (match[1], match[2]):
                yield from _first_value(read, node)
            elif isinstance(operator, _ORDERED) and fits:
                yield from _sides(read, ((left, match[1]), (right, match[2])))


def _first_value(read: Reading, node: ast.Compare) -> Iterator[Proposal]:
    """`if x > best` where `best` is None until there is one."""
    nothing = [one for one in (node.left, *node.comparators) if read.type(one) == "NoneType"]
    test = isinstance(read.parent(node), (ast.If, ast.While, ast.IfExp, ast.comprehension))
    if len(nothing) != 1 or len(node.ops) != 1 or not isinstance(nothing[0], ast.Name) or not test:
        return
    name, text = nothing[0].id, read.text(node)
    made = read.assigned(name)
    starts = made is not None and isinstance(made.value, ast.Constant) and read.loop_of(name) is None
    why = f"`{name}` is None and can't be compared; the first value counts."
    yield from read.propose(
        read.replace(node, f"{name} is None or {text}"), why, "first value", 0.85 if starts else 0.3
    )
    if read.loop_of(name) is not None:
        why = f"`{name}` is None and can't be compared; this leaves it out."
        edits = read.replace(node, f"{name} is not None and {text}")
        yield from read.propose(edits, why, "without None", 0.7)


def _sides(read: Reading, sides: tuple[tuple[ast.expr, str], ...]) -> Iterator[Proposal]:
    for (node, kind), (_, other_kind) in (sides, sides[::-1]):
        text = short(read.text(node))
        if kind == "str" and other_kind in NUMBERS:
            if not is_prose(read.value(node)):
                yield from converted(read, [node])
            if is_prose(read.value(node)) and read.free("len"):
                why = f"`len` gives how many characters `{text}` has."
                yield from read.propose(read.wrap(node, "len("), why, "length of a text", 0.45)
        elif kind in _CONTAINERS and other_kind in NUMBERS and read.free("len"):
            why = f"`{text}` is {a(kind)}; `len` gives how many members it has."
            yield from read.propose(read.wrap(node, "len("), why, f"length of {a(kind)}", 0.65)
            name, operation = read.fresh(), read.parent(node)
            if kind in ("list", "tuple") and isinstance(operation, ast.Compare) and len(operation.ops) == 1:
                parts = [
                    name if side is node else read.text(side) for side in (operation.left, operation.comparators[0])
                ]
                sign = ast.unparse(ast.Compare(ast.Name("a"), operation.ops, [ast.Name("b")]))[2:-2]
                made = f"{parts[0]} {sign} {parts[1]} for {name} in {read.text(node)}"
                why = f"`{text}` is {a(kind)}; this compares each member."
                test = isinstance(read.parent(operation), (ast.If, ast.While, ast.IfExp))
                if not test:
                    yield from read.propose(read.replace(operation, f"[{made}]"), why, "each member", 0.45)
                else:
                    for function in ("all", "any"):
                        edits = read.replace(operation, f"{function}({made})")
                        yield from read.propose(edits, why, f"{function} member", 0.28)
        elif kind in ("method", "builtin_function_or_method", "function") and other_kind in NUMBERS | {"str"}:
            why = f"`{text}` is a function; with `()` it is called."
            yield from read.propose(read.replace(node, f"{read.text(node)}()"), why, "call of a function", 0.8)


def sorting(failure: Failure) -> Iterator[Proposal]:
    """`sorted([3, "a"])`, `max(rows)`, `items.sort()` of a mixture."""
    match = _NO_ORDER.fullmatch(failure.error.evalue)
    read = reading(failure) if match and failure.error.ename == "TypeError" else None
    if read is None or match is None:
        return
    for call in read.nodes(ast.Call):
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        in_place = isinstance(call.func, ast.Attribute) and call.func.attr == "sort" and not call.args
        given = call.func.value if isinstance(call.func, ast.Attribute) else call.args[0] if call.args else None
        if given is None or not (in_place or name in _SORTING) or isinstance(given, ast.Starred):
            continue
        keys = [keyword.value for keyword in call.keywords if keyword.arg == "key"]
        if keys:
            yield from _existing_key(read, keys[0], {match[1], match[2]})
            continue
        if len(call.args) > 1:
            yield from _arguments(read, call)
        else:
            yield from _keys(read, call, given, {match[1], match[2]}, in_place=in_place)


def _existing_key(read: Reading, key: ast.expr, kinds: set[str]) -> Iterator[Proposal]:
    """`key=lambda p: p["age"]` that gives a mixture."""
    if not isinstance(key, ast.Lambda):
        return
    text = read.text(key.body)
    if "NoneType" in kinds:
        why = f"`{short(text)}` is None for some; this puts them last."
        edits = read.replace(key.body, f"({text} is None, {text})")
        yield from read.propose(edits, why, "None last", 0.75)
    elif "str" in kinds and kinds & NUMBERS:
        for function, prior in (("float", 0.6), ("int", 0.5), ("str", 0.2)):
            if read.free(function):
                why = f"`{short(text)}` is text for some and a number for others; `{function}` makes one kind of them."
                yield from read.propose(read.wrap(key.body, f"{function}("), why, f"order by {function}", prior)


def _arguments(read: Reading, call: ast.Call) -> Iterator[Proposal]:
    """`max("3", 5)`."""
    texts = [one for one in call.args if read.type(one) == "str"]
    for function, prior in numeric([read.value(one) for one in texts]) if texts else ():
        if read.free(function):
            edits = [edit for one in texts for edit in read.wrap(one, f"{function}(")]
            why = f"{' and '.join(told(read, one) for one in texts)}; `{function}` turns it into a number."
            yield from read.propose(edits, why, f"{function} of a text", prior)


def _keys(read: Reading, call: ast.Call, given: ast.expr, kinds: set[str], *, in_place: bool) -> Iterator[Proposal]:
    text, found = short(read.text(given)), read.members(given)
    end = read.cell.span(call)[1] - 1
    key = f"{', ' if call.args or call.keywords else ''}key="
    if read.cell.source[:end].rstrip().endswith(","):
        key = key.removeprefix(",").lstrip()

    def with_key(function: str, why: str, rule: str, prior: float) -> Iterator[Proposal]:
        edit = SpanEdit(end, end, f"{key}{function}")
        yield from read.propose([edit], why, rule, prior)

    if "NoneType" in kinds:
        name = read.fresh()
        made = f"[{name} for {name} in {read.text(given)} if {name} is not None]"
        why = f"`{text}` has None among its members; this leaves them out."
        if not in_place:
            yield from read.propose(read.replace(given, made), why, "without None", 0.6)
        why = f"`{text}` has None among its members; this puts them last."
        yield from with_key(f"lambda {name}: ({name} is None, {name})", why, "None last", 0.42 if not in_place else 0.7)
    elif "str" in kinds and kinds & NUMBERS:
        texts = [member for member in found if type(member) is str]
        words = any(map(is_prose, texts))
        for function, prior in () if words else numeric(texts or [UNKNOWN]):
            if read.free(function):
                why = f"`{text}` holds texts and numbers; this orders by the number that each stands for."
                yield from with_key(function, why, f"order by {function}", prior)
        if read.free("str"):
            why = f"`{text}` holds texts and numbers; this orders by the text of each."
            yield from with_key("str", why, "order by text", 0.7 if words else 0.3)
    elif kinds == {"dict"}:
        yield from _by_item(read, given, with_key)
    elif "list" in kinds or "tuple" in kinds:
        if read.free("len"):
            why = f"`{text}` holds lists and other things; this orders by length."
            yield from with_key("len", why, "order by length", 0.3)
    elif kinds & {"complex"}:
        yield from with_key("abs", "Complex numbers have no order; this orders by size.", "order by size", 0.7)
    elif len(kinds) == 1:
        yield from _by_attribute(read, given, kinds.pop(), with_key)


def _by_item(read: Reading, given: ast.expr, with_key: Any) -> Iterator[Proposal]:
    """Dicts by one of their keys."""
    rows = [member for member in read.members(given) if type(member) is dict]
    keys = list(rows[0]) if rows else []
    name = read.fresh()
    numbers = [key for key in keys if type(rows[0][key]) in (int, float)]
    text = short(read.text(given))
    for key in (*numbers, *(key for key in keys if key not in numbers))[:5]:
        prior = 0.8 if len(keys) == 1 else 0.48 if key in numbers and len(numbers) == 1 else 0.4
        why = f"`{text}` holds dicts, which have no order; this orders by their {key!r}."
        yield from with_key(f"lambda {name}: {name}[{key!r}]", why, "order by a key", prior)


def _by_attribute(read: Reading, given: ast.expr, kind: str, with_key: Any) -> Iterator[Proposal]:
    """Objects of a class of the notebook's by one of the attributes that its `__init__` sets."""
    cells = [read.cell.tree, *(cell_of(cell.source).tree for cell in read.failure.situation.earlier)]
    classes = [
        node
        for tree in cells
        if tree is not None
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and node.name == kind.rpartition(".")[2]
    ]
    found = dict.fromkeys(
        target.attr
        for cls in classes[-1:]
        for node in ast.walk(cls)
        for target in (node.targets if isinstance(node, ast.Assign) else ())
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self"
    )
    fields = [
        node.target.id
        for cls in classes[-1:]
        for node in cls.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    ]
    name = read.fresh()
    for attribute in [*found, *fields][:5]:
        why = f"`{kind.rpartition('.')[2]}` has no order; this orders by `{attribute}`."
        yield from with_key(f"lambda {name}: {name}.{attribute}", why, "order by an attribute", 0.4)
