"""What statements do, definitions and imports excepted."""

from __future__ import annotations

import ast
from typing import Any

from reflex_ipython.state.analysis.analysis import PASSES, STATEMENTS, Analysis, Names
from reflex_ipython.state.analysis.attributes import attribute
from reflex_ipython.state.analysis.expressions import TARGETS, bind_target, operated
from reflex_ipython.state.analysis.items import element, subscript
from reflex_ipython.state.analysis.joins import join
from reflex_ipython.state.analysis.values import (
    ATOM,
    BOX,
    BUILTIN,
    CLASS,
    DATA,
    FUNCTION,
    LIBRARY,
    METHOD,
    MODULE,
    NONE,
    SOMETHING,
    TEXT,
    Unknown,
    Value,
    same_knowledge,
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

_QUIET_SHOWN = frozenset([FUNCTION, BUILTIN, LIBRARY, MODULE, METHOD])


def _expression(a: Analysis, node: ast.Expr) -> None:
    if type(node.value) is ast.Constant:
        return
    value = a.value(node.value)
    if a.frame is a.top and value is not NONE:  # it may be displayed
        if value.form in _QUIET_SHOWN or (value.form == CLASS and type(value.o) is type):
            return
        a.use(value)


# ------------------------------------------------------------------------------------------ assignments


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
            a.note(annotations, None, contents(annotations))
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


# ------------------------------------------------------------------------------------------ ways


def _if(a: Analysis, node: ast.If) -> None:
    a.use(a.value(node.test))
    before = dict(a.frame.names)
    a.run(node.body)
    after = a.frame.names
    a.frame.names = before
    a.run(node.orelse)
    a.frame.names = a.joined(after, a.frame.names)


def _for(a: Analysis, node: ast.For) -> None:
    items = a.value(node.iter)
    a.use(items)
    if items.form == BOX and items.o is not MISSING:
        items = Value(BOX, items.o, False, None, items.cls)
    outer, a.exits = a.exits, []
    for _ in range(PASSES):
        before, changes = dict(a.frame.names), a.changes
        bind_target(a, node.target, element(a, items))
        a.run(node.body)
        if _settled(a, before) and a.changes == changes:
            break
    else:
        raise Unknown("a loop that is not understood")
    a.exits = outer
    a.run(node.orelse)


def _while(a: Analysis, node: ast.While) -> None:
    outer, a.exits = a.exits, []
    for _ in range(PASSES):
        before, changes = dict(a.frame.names), a.changes
        a.use(a.value(node.test))
        a.run(node.body)
        if _settled(a, before) and a.changes == changes:
            break
    else:
        raise Unknown("a loop that is not understood")
    a.exits = outer
    a.run(node.orelse)


def _settled(a: Analysis, before: Names) -> bool:
    """Whether what is known at the loop's end, or where it was left, adds nothing to what was known before."""
    names = a.frame.names
    for early in a.exits or ():
        names = a.joined(names, early)
    names = a.frame.names = a.joined(before, names)
    if names.keys() != before.keys():
        return False
    return all(same_knowledge(before[name], value) for name, value in names.items())


def _leave(a: Analysis, node: ast.Break | ast.Continue) -> None:
    if a.exits is not None:
        a.exits.append(dict(a.frame.names))


def _return(a: Analysis, node: ast.Return) -> None:
    value = NONE if node.value is None else a.value(node.value)
    a.returned = value if a.returned is None else join(a.returned, value)


def _try(a: Analysis, node: ast.Try) -> None:
    before = dict(a.frame.names)
    outer, a.trail = a.trail, []
    a.run(node.body)
    trail = a.trail
    after = a.frame.names
    handled = dict(before)
    for name, value in trail:
        old = handled.get(name) or (a.outside(name) if a.frame is a.top else None)
        handled[name] = value if old is None else join(old, value)
    for handler in node.handlers:
        a.frame.names = dict(handled)
        if handler.type is not None:
            a.value(handler.type)
        if handler.name is not None:
            a.bind(handler.name, TEXT)
        a.run(handler.body)
        if handler.name is not None:
            a.bind(handler.name, SOMETHING)
        after = a.joined(after, a.frame.names)
    a.frame.names = after
    a.run(node.orelse)
    for name, value in a.trail:
        old = a.frame.names.get(name)
        a.frame.names[name] = value if old is None else join(old, value)
    inner, a.trail = a.trail, outer
    if outer is not None:
        outer += inner
    a.run(node.finalbody)


def _raise(a: Analysis, node: ast.Raise) -> None:
    for each in (node.exc, node.cause):
        if each is not None:
            a.value(each)


def _assert(a: Analysis, node: ast.Assert) -> None:
    a.use(a.value(node.test))
    if node.msg is not None:
        a.use(a.value(node.msg))


def _nothing(a: Analysis, node: Any) -> None:
    pass


STATEMENTS.update(
    {
        ast.Expr: _expression,
        ast.Assign: _assign,
        ast.AnnAssign: _annotated,
        ast.AugAssign: _augmented,
        ast.Delete: _delete,
        ast.If: _if,
        ast.For: _for,
        ast.While: _while,
        ast.Break: _leave,
        ast.Continue: _leave,
        ast.Return: _return,
        ast.Try: _try,
        ast.Raise: _raise,
        ast.Assert: _assert,
        ast.Pass: _nothing,
        ast.Global: _nothing,
    }
)
__all__ = ["DATA"]
