"""The commonest statements, seen through in a µs or two: what is done with names, numbers, texts and their containers.

The rest of the analysis says the same of them at greater length; what is not understood here is left to it.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from typing import Any

from reflex_ipython.base.classes import module_name
from reflex_ipython.state.analysis.ends import ends_quietly
from reflex_ipython.state.analysis.plain import plain_keys
from reflex_ipython.state.analysis.quick_values import (
    COMPUTED,
    MADE,
    NOT,
    PRINT,
    Names,
    atoms_alone,
    builtin,
    is_atom,
    value,
)
from reflex_ipython.state.analysis.streams import stream_is_known
from reflex_ipython.state.kinds import operations
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.layout import type_name
from reflex_ipython.state.quiet import is_plain
from reflex_ipython.state.snapshots import Snapshot

Effects = tuple[list[Snapshot], tuple[str, ...]]
"""The snapshots that undo what a statement writes to, and the names that it binds."""


def quick(node: ast.stmt, names: Names) -> Effects | None:
    """What a statement will do; None if nobody knows that here.

    Parameters
    ----------
    node : ast.stmt
    names : dict
        The namespace.
    """
    look = _STATEMENTS.get(type(node))
    return None if look is None else look(node, names)


def _assign(node: ast.Assign, names: Names) -> Effects | None:
    if len(node.targets) != 1:
        return None
    target = node.targets[0]
    if type(target) is ast.Tuple:
        return _unpacked(target, node.value, names)
    if value(node.value, names) is NOT:
        return None
    if type(target) is ast.Name:
        return ([], (target.id,)) if _goes_quietly(names.get(target.id)) else None
    return _written(_item(target, names)) if type(target) is ast.Subscript else None


def _unpacked(target: ast.Tuple, source: ast.expr, names: Names) -> Effects | None:
    """`x, y = y, x`: what is bound meanwhile ends while the rest is still to come, so it must be atoms."""
    if type(source) is not ast.Tuple or len(source.elts) != len(target.elts):
        return None
    for each in target.elts:
        if type(each) is not ast.Name or not is_atom(names.get(each.id)):
            return None
    if value(source, names) is NOT:
        return None
    return [], tuple([each.id for each in target.elts])  # type: ignore[attr-defined]  # looked at above


def _goes_quietly(old: object) -> bool:
    return is_atom(old) or ends_quietly(old)


def _written(snapshot: Snapshot | None) -> Effects | None:
    return None if snapshot is None else ([snapshot], ())


def _item(target: ast.Subscript, names: Names) -> Snapshot | None:
    """What undoes a write to an item of a list or dict; None if it is not as simple as that."""
    o, key = value(target.value, names), value(target.slice, names)
    if key is COMPUTED or not is_atom(key):
        return None
    cls = type(o)
    if cls is list and type(key) is int:
        snapshot = operations.place(o, key)
    elif cls is dict and plain_keys(o):
        snapshot = operations.entry(o, key)
    else:
        return None
    if snapshot is None:
        return None
    old = snapshot[2][1]
    return snapshot if old is MISSING or _goes_quietly(old) else None


def _augmented(node: ast.AugAssign, names: Names) -> Effects | None:
    target = node.target
    if not is_atom(value(node.value, names)) or not is_atom(value(target, names)):
        return None
    if type(target) is ast.Name:
        return ([], (target.id,))
    return _written(_item(target, names)) if type(target) is ast.Subscript else None


def _expression(node: ast.Expr, names: Names) -> Effects | None:
    o = value(node.value, names)
    if o is not NOT:
        return ([], ()) if o is not MADE and (is_plain(o) or _is_flags(o)) else None  # it may be displayed
    call = node.value
    if type(call) is not ast.Call:
        return None
    func = call.func
    if type(func) is ast.Attribute:
        return _appended(call, func, names) if func.attr == "append" else None
    if type(func) is not ast.Name or func.id != "print" or builtin("print", names) is not PRINT:
        return None
    return ([], ()) if stream_is_known(sys.stdout) and atoms_alone(call, names) else None


def _is_flags(o: Any) -> bool:
    """Whether it is `X.flags` of an array."""
    return module_name(type(o)).startswith("numpy") and type_name(type(o)).endswith(".flagsobj")


def _appended(call: ast.Call, func: ast.Attribute, names: Names) -> Effects | None:
    o = value(func.value, names)
    if type(o) is not list or len(call.args) != 1 or call.keywords or value(call.args[0], names) is NOT:
        return None
    return ([operations.growth(o)], ())


_STATEMENTS: dict[type, Callable[[Any, Names], Effects | None]] = {
    ast.Assign: _assign,
    ast.AugAssign: _augmented,
    ast.Expr: _expression,
    ast.Pass: lambda node, names: ([], ()),
}
