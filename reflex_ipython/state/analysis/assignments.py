"""What assignments of all kinds do, and `del`."""

from __future__ import annotations

import ast

from reflex_ipython.state.analysis.analysis import STATEMENTS, Analysis
from reflex_ipython.state.analysis.attributes import attribute
from reflex_ipython.state.analysis.expressions import TARGETS, bind_target, operated
from reflex_ipython.state.analysis.items import element, subscript
from reflex_ipython.state.analysis.values import (
    ATOM,
    BOX,
    DATA,
    SOMETHING,
    Unknown,
    Value,
)
from reflex_ipython.state.analysis.writes import (
    grow,
    put,
    set_attribute,
    set_item,
    stored,
    write_data,
    write_whole,
)
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.operations import contents


def _assign(a: Analysis, node: ast.Assign) -> None:
    value = a.value(node.value)
    for target in node.targets:
        TARGETS[type(target)](a, target, value)


def _to_name(a: Analysis, target: ast.Name, value: Value) -> None:
    a.bind(target.id, value)


def _to_sequence(a: Analysis, target: ast.Tuple | ast.List, value: Value) -> None:
    parts = value.parts if value.fresh else None
    starred = any(type(each) is ast.Starred for each in target.elts)
    if parts is not None and len(parts) == len(target.elts) and not starred:
        for each, part in zip(target.elts, parts):
            bind_target(a, each, part)
        return
    if value.form not in (BOX,):
        a.use(value)
    item = element(a, value)
    for each in target.elts:
        if type(each) is ast.Starred:
            bind_target(a, each.value, SOMETHING)
        else:
            bind_target(a, each, item)


def _to_item(a: Analysis, target: ast.Subscript, value: Value) -> None:
    receiver = a.value(target.value)
    set_item(a, receiver, a.value(target.slice), value)


def _to_attribute(a: Analysis, target: ast.Attribute, value: Value) -> None:
    set_attribute(a, a.value(target.value), target.attr, value)


TARGETS.update(
    {
        ast.Name: _to_name,
        ast.Tuple: _to_sequence,
        ast.List: _to_sequence,
        ast.Subscript: _to_item,
        ast.Attribute: _to_attribute,
    }
)


def _annotated(a: Analysis, node: ast.AnnAssign) -> None:
    if node.value is not None:
        bind_target(a, node.target, a.value(node.value))
    if a.frame is not a.top:
        return
    a.value(node.annotation)
    if type(node.target) is ast.Name and node.simple:
        annotations = a.namespace.get("__annotations__")
        if type(annotations) is dict:
            a.snapshot(annotations, None, contents(annotations))
        else:
            a.binds["__annotations__"] = None


def _augmented(a: Analysis, node: ast.AugAssign) -> None:
    target = node.target
    if type(target) is ast.Name:
        old = a.name(target.id)
        a.bind(target.id, _changed(a, old, a.value(node.value), node.op))
    elif type(target) is ast.Subscript:
        receiver, key = a.value(target.value), a.value(target.slice)
        old = subscript(a, receiver, key)
        set_item(a, receiver, key, _changed(a, old, a.value(node.value), node.op))
    elif type(target) is ast.Attribute:
        receiver = a.value(target.value)
        old = attribute(a, receiver, target.attr)
        set_attribute(a, receiver, target.attr, _changed(a, old, a.value(node.value), node.op))


def _changed(a: Analysis, old: Value, value: Value, operator: ast.operator) -> Value:
    """What `old += value` gives: something new, or the old object itself with other contents."""
    a.use(value)
    if old.form == ATOM:
        return operated(a, old, value, operator)
    if old.form == BOX:
        return _changed_box(a, old, value, operator)
    if old.form == DATA:
        a.use(old)
        if old.fresh:
            return old
        write_data(a, old, "inplace")
        return old
    raise Unknown("an operator in place")


def _changed_box(a: Analysis, old: Value, value: Value, operator: ast.operator) -> Value:
    cls = old.cls or type(old.o)
    if cls is tuple or cls is frozenset:
        return operated(a, old, value, operator)
    item = element(a, value)
    if old.fresh:
        put(a, old, item)
        return old
    if old.o is MISSING:
        raise Unknown("a write to some container")
    stored(a, old.o, item)
    if cls is list and type(operator) is ast.Add:
        grow(a, old.o)
    else:
        a.use(old)
        write_whole(a, old.o)
    return old


def _delete(a: Analysis, node: ast.Delete) -> None:
    for target in node.targets:
        if type(target) is ast.Name:
            a.bind(target.id, SOMETHING)
        elif type(target) is ast.Subscript:
            receiver, key = a.value(target.value), a.value(target.slice)
            a.use(key)
            _delete_item(a, receiver)
        else:
            raise Unknown("del of that")


def _delete_item(a: Analysis, receiver: Value) -> None:
    if receiver.form == BOX and receiver.fresh:
        receiver.parts = None
    elif receiver.form == BOX and receiver.o is not MISSING:
        write_whole(a, receiver.o)
    elif receiver.form == DATA:
        write_data(a, receiver, "item")
    else:
        raise Unknown("del of an item")


STATEMENTS.update(
    {
        ast.Assign: _assign,
        ast.AnnAssign: _annotated,
        ast.AugAssign: _augmented,
        ast.Delete: _delete,
    }
)
