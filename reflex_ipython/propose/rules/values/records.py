"""Dataclasses and named tuples: defaults that are shared, fields in a wrong order, fields that can't be set."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.operators import OPERATORS
from reflex_ipython.propose.rules.values.reading import Reading, reading

_SHARED = re.compile(r"mutable default <class '[\w.]+'> for field (\w+) is not allowed")
_ORDER = re.compile(r"non-default argument '(\w+)' follows default argument")
_FROZEN = re.compile(r"cannot assign to field '(\w+)'")
_NO_SETTER = re.compile(r"can't set attribute")


def record(failure: Failure) -> Iterator[Proposal]:
    """`xs: list = []`: `field(default_factory=list)`; `p.x = 5` of a named tuple: `p = p._replace(x=5)`."""
    text = failure.error.evalue
    shared, order = _SHARED.match(text), _ORDER.match(text)
    fixed = _FROZEN.match(text) or _NO_SETTER.match(text)
    read = reading(failure) if shared or order or fixed else None
    if read is None:
        return
    if fixed:
        yield from _replaced(read, frozen=fixed.re is _FROZEN)
    for owner in read.cell.every(ast.ClassDef):
        fields = [node for node in owner.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)]
        if shared:
            yield from _factories(read, fields, shared[1])
        elif order:
            yield from _order(read, fields, order[1])


def _factories(read: Reading, fields: list[ast.AnnAssign], wanted: str) -> Iterator[Proposal]:
    """Every default of the class that can be changed, made anew for each object."""
    if not any(ast.unparse(one.target) == wanted for one in fields):
        return
    field = read.module("dataclasses.field") or ("field" if "field" in read.cell.bound else "")
    edits = []
    for one in fields:
        if isinstance(one.value, (ast.List, ast.Dict, ast.Set, ast.Call)):
            text, value = read.text(one.value), one.value
            if isinstance(value, ast.Call) and (value.args or value.keywords or not isinstance(value.func, ast.Name)):
                continue
            empty = {"[]": "list", "{}": "dict", "list()": "list", "dict()": "dict", "set()": "set"}
            if isinstance(value, ast.Call) and text not in empty:
                continue
            factory = empty.get(text, f"lambda: {text}")
            edits += read.replace(value, f"{field or 'field'}(default_factory={factory})")
    why = f"Every object would share the default of `{wanted}`; `default_factory` makes a new one for each."
    imports = () if field else ("from dataclasses import field",)
    yield from read.propose(edits, why, "default of a field", 0.95, imports=imports)


def _order(read: Reading, fields: list[ast.AnnAssign], wanted: str) -> Iterator[Proposal]:
    """Fields without a default come first, or get one."""
    if not any(ast.unparse(one.target) == wanted for one in fields):
        return
    first = next((place for place, one in enumerate(fields) if one.value is not None), len(fields))
    late = [one for one in fields[first:] if one.value is None]
    named = ", ".join(f"`{ast.unparse(one.target)}`" for one in late)
    texts = [read.text(one) for one in (*late, *(one for one in fields[first:] if one.value is not None))]
    edits = [edit for one, text in zip(fields[first:], texts) for edit in read.replace(one, text)]
    why = f"Fields without a default come first: {named}."
    yield from read.propose(edits, why, "order of fields", 0.6)
    edits = [SpanEdit(end, end, " = None") for one in late for end in [read.cell.span(one)[1]]]
    why = f"{named} stands behind a field that has a default, and so needs one too."
    yield from read.propose(edits, why, "default of a field", 0.45)


def _replaced(read: Reading, *, frozen: bool) -> Iterator[Proposal]:
    """`p.x = 5`: a new object with that field, under the same name."""
    node = read.statement
    target = (
        node.targets[0] if isinstance(node, ast.Assign) else node.target if isinstance(node, ast.AugAssign) else None
    )
    if not isinstance(target, ast.Attribute) or not isinstance(target.value, ast.Name):
        return
    assert isinstance(node, (ast.Assign, ast.AugAssign))
    owner, value = target.value.id, read.text(node.value)
    if isinstance(node, ast.AugAssign):
        value = f"{read.text(target)} {OPERATORS.get(type(node.op), '+')} {read.atom(node.value)}"
    why = f"The fields of `{owner}` can't be set; this is a new one with another `{target.attr}`."
    if frozen:
        replace = read.module("dataclasses.replace")
        name = replace or "replace"
        imports = () if replace else ("from dataclasses import replace",)
        made = f"{owner} = {name}({owner}, {target.attr}={value})"
        yield from read.propose(read.replace(node, made), why, "replaced field", 0.92, imports=imports)
    else:
        made = f"{owner} = {owner}._replace({target.attr}={value})"
        yield from read.propose(read.replace(node, made), why, "replaced field", 0.92)
