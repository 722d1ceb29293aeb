"""What is known of the values of expressions, calls excepted."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.state.analysis.analysis import EXPRESSIONS, Analysis
from reflex_ipython.state.analysis.attributes import attribute
from reflex_ipython.state.analysis.items import element, subscript
from reflex_ipython.state.analysis.joins import join
from reflex_ipython.state.analysis.patched import is_own, shows_itself
from reflex_ipython.state.analysis.values import (
    ATOM,
    BOX,
    DATA,
    FRESH_DATA,
    ITERATOR,
    SOME_ATOM,
    SOME_DATA,
    SOMETHING,
    TEXT,
    Unknown,
    Value,
    box,
    constant,
)
from reflex_ipython.state.analysis.writes import put
from reflex_ipython.state.kinds.instances import MISSING

_CONSTANT = frozenset([ast.Constant])
_MOST_NODES = 2_000
"""Items of a display that are looked at, where they are no constants."""


def _name(a: Analysis, node: ast.Name) -> Value:
    return a.name(node.id)


def _constant(a: Analysis, node: ast.Constant) -> Value:
    return constant(node.value)


def _binary(a: Analysis, node: ast.BinOp) -> Value:
    left, right = a.value(node.left), a.value(node.right)
    return operated(a, left, right, node.op)


def operated(a: Analysis, left: Value, right: Value, operator: ast.operator) -> Value:
    """What an operator gives, which makes something new of two plain values."""
    if left.form == right.form == ATOM:
        if not (_never_warns(left) and _never_warns(right)):
            a.warns = True
        return _calculated(left.o, right.o, operator)
    a.use(left)
    a.use(right)
    if DATA in (left.form, right.form) and not is_own(_OPERATORS[type(operator)]):
        raise Unknown("an operator that somebody put there")
    if left.form <= DATA and right.form <= DATA:
        return FRESH_DATA if _is_array(left) and _is_array(right) else SOME_DATA
    cls = left.cls or type(left.o)
    if left.form == BOX and cls is (right.cls or type(right.o)):
        joined = join(element(a, left), element(a, right))
        return box(cls, joined)
    if left.form == BOX and right.form == ATOM:  # times so many, or `%`
        return box(cls, element(a, left))
    if type(operator) is ast.Mod and (left.cls is str or type(left.o) is str):
        return TEXT
    if BOX in (left.form, right.form) and DATA in (left.form, right.form):
        return SOME_DATA
    raise Unknown("an operator between such values")


def _never_warns(value: Value) -> bool:
    """Whether it is surely none of numpy's numbers, whose operators warn."""
    return is_exactly(value.o, _PYTHONS) or value.cls is str


_PYTHONS = (int, float, str, bool, bytes, complex, type(None))


def _is_array(value: Value) -> bool:
    """Whether it is surely none of the containers whose items go over into what an operator gives."""
    return value.form == ATOM or value.fresh or value.o is not MISSING or value.owner is not None


_OPERATORS = {
    ast.Add: "__add__",
    ast.Sub: "__sub__",
    ast.Mult: "__mul__",
    ast.Div: "__truediv__",
    ast.FloorDiv: "__floordiv__",
    ast.Mod: "__mod__",
    ast.Pow: "__pow__",
    ast.MatMult: "__matmul__",
    ast.BitAnd: "__and__",
    ast.BitOr: "__or__",
    ast.BitXor: "__xor__",
    ast.LShift: "__lshift__",
    ast.RShift: "__rshift__",
}


def _calculated(left: Any, right: Any, operator: ast.operator) -> Value:
    if type(left) is int and type(right) is int:  # `a[i + 1] = 0`
        if type(operator) is ast.Add:
            return constant(left + right)
        if type(operator) is ast.Sub:
            return constant(left - right)
    return TEXT if type(left) is str else SOME_ATOM


def _unary(a: Analysis, node: ast.UnaryOp) -> Value:
    value = a.value(node.operand)
    a.use(value)
    if type(node.op) is ast.Not:
        return SOME_ATOM
    if type(node.op) is ast.USub and is_exactly(value.o, (int, float)):
        return constant(-value.o)
    return SOME_ATOM if value.form == ATOM else FRESH_DATA


def _boolean(a: Analysis, node: ast.BoolOp) -> Value:
    result = None
    for each in node.values:
        value = a.value(each)
        a.use(value)
        result = value if result is None else join(result, value)
    assert result is not None
    return result


def _compare(a: Analysis, node: ast.Compare) -> Value:
    values = [a.value(node.left), *map(a.value, node.comparators)]
    if not all(type(op) is ast.Is or type(op) is ast.IsNot for op in node.ops):
        for value in values:
            a.use(value)
    return SOME_ATOM if all(value.form != DATA for value in values) else FRESH_DATA


def _choice(a: Analysis, node: ast.IfExp) -> Value:
    a.use(a.value(node.test))
    return join(a.value(node.body), a.value(node.orelse))


# ------------------------------------------------------------------------------------------ displays


def _sequence(cls: type) -> Callable[[Analysis, Any], Value]:
    def handler(a: Analysis, node: Any) -> Value:
        if len(node.elts) > _MOST_NODES // 10 and _CONSTANT.issuperset(map(type, node.elts)):
            return box(cls, SOME_ATOM)
        if len(node.elts) > _MOST_NODES:
            raise Unknown("too long")
        made = box(cls)
        parts: list[Value] | None = []
        for each in node.elts:
            if type(each) is ast.Starred:
                items = a.value(each.value)
                a.use(items)
                value = element(a, items)
                parts = None
            else:
                value = later(a.value(each))
                if parts is not None:
                    parts.append(value)
            if cls is set:
                a.use(value)
            made.inner = value if made.inner is None else join(made.inner, value)
        made.parts = None if parts is None or cls is set else tuple(parts)
        return made

    return handler


def later(value: Value) -> Value:
    """A value that is kept; of what is computed when it is read, later on, nothing is known."""
    return SOMETHING if value.form == ITERATOR else value


def _dict(a: Analysis, node: ast.Dict) -> Value:
    if len(node.keys) > _MOST_NODES:
        raise Unknown("too long")
    made = box(dict)
    for key, each in zip(node.keys, node.values):
        value = later(a.value(each))
        if key is None:
            a.use(value)
            value = element(a, value)
        else:
            found = a.value(key)
            a.use(found)
            put(a, made, found)
        put(a, made, value)
    return made


def _formatted(a: Analysis, node: ast.JoinedStr) -> Value:
    for each in node.values:
        if type(each) is ast.FormattedValue:
            value = a.value(each.value)
            a.use(value)
            if value.form in (DATA, BOX) and not shows_itself(value.o if value.form == DATA else MISSING):
                raise Unknown("a text that somebody put there")
            if each.format_spec is not None:
                a.value(each.format_spec)
    return TEXT


# ------------------------------------------------------------------------------------------ parts


def _attribute(a: Analysis, node: ast.Attribute) -> Value:
    return attribute(a, a.value(node.value), node.attr)


def _subscript(a: Analysis, node: ast.Subscript) -> Value:
    return subscript(a, a.value(node.value), a.value(node.slice))


def _slice(a: Analysis, node: ast.Slice) -> Value:
    bounds = []
    for each in (node.lower, node.upper, node.step):
        value = constant(None) if each is None else a.value(each)
        a.use(value)
        bounds.append(value)
    if all(value.form == ATOM and value.o is not MISSING for value in bounds):
        return constant(slice(*(value.o for value in bounds)))
    return Value(ATOM, fresh=True, cls=slice)


# ------------------------------------------------------------------------------------------ targets


def bind_target(a: Analysis, target: ast.expr, value: Value) -> None:
    """What stands left of `in` or `=`, and is no part of anything, is bound."""
    TARGETS[type(target)](a, target, value)


TARGETS: dict[type, Callable[[Analysis, Any, Value], None]] = {}
"""Who understands which target; `statements` fills it."""

EXPRESSIONS.update(
    {
        ast.Name: _name,
        ast.Constant: _constant,
        ast.BinOp: _binary,
        ast.UnaryOp: _unary,
        ast.BoolOp: _boolean,
        ast.Compare: _compare,
        ast.IfExp: _choice,
        ast.List: _sequence(list),
        ast.Tuple: _sequence(tuple),
        ast.Set: _sequence(set),
        ast.Dict: _dict,
        ast.JoinedStr: _formatted,
        ast.Attribute: _attribute,
        ast.Subscript: _subscript,
        ast.Slice: _slice,
    }
)
