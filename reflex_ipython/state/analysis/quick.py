"""The commonest statements, seen through in a µs or two: what is done with names, numbers, texts and their containers.

The rest of the analysis says the same of them at greater length; what is not understood here is left to it. A value is
the very object where it exists already or is a constant, `COMPUTED` where it is some atom, `MADE` where it is fresh.
"""

from __future__ import annotations

import ast
import builtins
import math
import operator
import sys
import time
import types
from collections.abc import Callable
from typing import Any

from reflex_ipython.state.analysis.ends import ends_quietly
from reflex_ipython.state.analysis.plain import plain_keys
from reflex_ipython.state.analysis.streams import stream_is_known
from reflex_ipython.state.analysis.tables import STRING_METHODS
from reflex_ipython.state.kinds import operations
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.noted import Note
from reflex_ipython.state.owned import contents

Names = dict[str, Any]
Effects = tuple[list[Note], tuple[str, ...]]
"""The notes that undo what a statement writes to, and the names that it binds."""
_BUILTINS = vars(builtins)
_len, _print = len, print  # Python's own: somebody may put others in their place
NOT: Any = object()
"""Stands for a value of which nobody knows here."""
COMPUTED: Any = complex(0, 0)
"""Stands for an atom that nobody knows."""
MADE: Any = object()
"""Stands for a container that the statement makes."""
_ATOMS = frozenset(map(identity, (int, float, str, bool, bytes, complex, type(None), range)))
"""Atoms whose operators never warn, unlike numpy's."""
_LARGE = 1 << 40


def _is_atom(o: object) -> bool:
    return identity(type(o)) in _ATOMS


# ------------------------------------------------------------------------------------------ values


def value(node: ast.expr, names: Names) -> Any:
    """The value of an expression that does nothing but give it; `NOT` if nobody knows that here."""
    look = _VALUES.get(type(node))
    return NOT if look is None else look(node, names)


def _name(node: ast.Name, names: Names) -> Any:
    return names.get(node.id, NOT)


def _constant(node: ast.Constant, names: Names) -> Any:
    return node.value


def _binary(node: ast.BinOp, names: Names) -> Any:
    left = value(node.left, names)
    if not _is_atom(left):
        return NOT
    right = value(node.right, names)
    return _calculated(left, right, type(node.op)) if _is_atom(right) else NOT


def _calculated(left: Any, right: Any, how: type) -> Any:
    if type(left) is int and type(right) is int and -_LARGE < left < _LARGE and 0 < right < _LARGE:
        calculate = _EXACT.get(how)  # `a[i % 3] = 0`
        if calculate is not None:
            return calculate(left, right)
    return COMPUTED


_EXACT: dict[type, Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Mod: operator.mod,
    ast.FloorDiv: operator.floordiv,
}


def _unary(node: ast.UnaryOp, names: Names) -> Any:
    o = value(node.operand, names)
    if not _is_atom(o) or type(node.op) is ast.Invert:
        return NOT
    return -o if type(node.op) is ast.USub and type(o) is int else COMPUTED


def _compare(node: ast.Compare, names: Names) -> Any:
    if not _is_atom(value(node.left, names)):
        return NOT
    for each in node.comparators:
        if not _is_atom(value(each, names)):
            return NOT
    return COMPUTED


def _boolean(node: ast.BoolOp, names: Names) -> Any:
    for each in node.values:
        if not _is_atom(value(each, names)):
            return NOT
    return COMPUTED


def _formatted(node: ast.JoinedStr, names: Names) -> Any:
    for each in node.values:
        if type(each) is ast.FormattedValue:
            if not _is_atom(value(each.value, names)):
                return NOT
            if each.format_spec is not None and value(each.format_spec, names) is NOT:
                return NOT
    return COMPUTED


def _display(node: ast.Tuple | ast.List, names: Names) -> Any:
    for each in node.elts:
        if type(each) is not ast.Constant and value(each, names) is NOT:
            return NOT
    return MADE


def _dict(node: ast.Dict, names: Names) -> Any:
    for key, each in zip(node.keys, node.values):
        if key is None or not _is_atom(value(key, names)) or value(each, names) is NOT:
            return NOT
    return MADE


def _subscript(node: ast.Subscript, names: Names) -> Any:
    o, key = value(node.value, names), value(node.slice, names)
    cls = type(o)
    if not _is_atom(key) or key is COMPUTED:
        return NOT
    if cls is list or cls is tuple:
        return o[key] if type(key) is int and -len(o) <= key < len(o) else NOT
    return o.get(key, NOT) if cls is dict and plain_keys(o) else NOT


def _attribute(node: ast.Attribute, names: Names) -> Any:
    o = value(node.value, names)
    return contents(o).get(node.attr, NOT) if type(o) is types.ModuleType else NOT


# ------------------------------------------------------------------------------------------ calls

_OF_ATOMS = frozenset(
    map(
        identity,
        (
            *(o for o in vars(math).values() if type(o) is types.BuiltinFunctionType),
            *(time.time, time.perf_counter, time.monotonic),
            *(abs, ascii, bin, bool, chr, float, hex, int, len, max, min, oct, ord, range, repr, round, str),
        ),
    )
)
"""Functions that give an atom if they are given atoms."""
_TEXT_METHODS = STRING_METHODS & frozenset(vars(str)) - {"split", "rsplit", "partition", "rpartition", "join"}
_BOXES = (list, tuple, dict, set)


def _call(node: ast.Call, names: Names) -> Any:
    func = node.func
    if type(func) is ast.Name:
        function = names.get(func.id, NOT)
        if function is NOT and _usual_builtins(names):
            function = _BUILTINS.get(func.id, NOT)
    else:
        function = _method(func, names) if type(func) is ast.Attribute else NOT
    if function is _len and len(node.args) == 1 and not node.keywords:
        o = value(node.args[0], names)
        return len(o) if type(o) in _BOXES else COMPUTED if _is_atom(o) else NOT
    if identity(function) not in _OF_ATOMS:
        return NOT
    return COMPUTED if _atoms_alone(node, names) else NOT


def _usual_builtins(names: Names) -> bool:
    found = names.get("__builtins__", _BUILTINS)
    return found is _BUILTINS or found is builtins


def _method(func: ast.Attribute, names: Names) -> Any:
    """The function that is called; `str` for a method of a text."""
    o = value(func.value, names)
    if type(o) is str:
        return str if func.attr in _TEXT_METHODS else NOT
    return contents(o).get(func.attr, NOT) if type(o) is types.ModuleType else NOT


def _atoms_alone(node: ast.Call, names: Names) -> bool:
    for each in node.args:
        if not _is_atom(value(each, names)):
            return False
    return not node.keywords or all(
        keyword.arg not in _OTHERS and _is_atom(value(keyword.value, names)) for keyword in node.keywords
    )


_OTHERS = frozenset([None, "file", "key"])

_VALUES: dict[type, Callable[[Any, Names], Any]] = {
    ast.Name: _name,
    ast.Constant: _constant,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _boolean,
    ast.Compare: _compare,
    ast.JoinedStr: _formatted,
    ast.Tuple: _display,
    ast.List: _display,
    ast.Dict: _dict,
    ast.Subscript: _subscript,
    ast.Attribute: _attribute,
    ast.Call: _call,
}

# ------------------------------------------------------------------------------------------ statements


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
        if type(each) is not ast.Name or not _is_atom(names.get(each.id)):
            return None
    if value(source, names) is NOT:
        return None
    return [], tuple([each.id for each in target.elts])  # type: ignore[attr-defined]  # looked at above


def _goes_quietly(old: object) -> bool:
    return identity(type(old)) in _ATOMS or ends_quietly(old)


def _written(note: Note | None) -> Effects | None:
    return None if note is None else ([note], ())


def _item(target: ast.Subscript, names: Names) -> Note | None:
    """What undoes a write to an item of a list or dict; None if it is not as simple as that."""
    o, key = value(target.value, names), value(target.slice, names)
    if key is COMPUTED or not _is_atom(key):
        return None
    cls = type(o)
    if cls is list and type(key) is int:
        note = operations.place(o, key)
    elif cls is dict and plain_keys(o):
        note = operations.entry(o, key)
    else:
        return None
    if note is None:
        return None
    old = note[2][1]
    return note if old is MISSING or _goes_quietly(old) else None


def _augmented(node: ast.AugAssign, names: Names) -> Effects | None:
    target = node.target
    if not _is_atom(value(node.value, names)) or not _is_atom(value(target, names)):
        return None
    if type(target) is ast.Name:
        return ([], (target.id,))
    return _written(_item(target, names)) if type(target) is ast.Subscript else None


def _expression(node: ast.Expr, names: Names) -> Effects | None:
    o = value(node.value, names)
    if o is not NOT:
        return ([], ()) if _is_atom(o) else None  # it may be displayed
    call = node.value
    if type(call) is not ast.Call:
        return None
    func = call.func
    if type(func) is ast.Attribute:
        return _appended(call, func, names) if func.attr == "append" else None
    if type(func) is not ast.Name or func.id != "print" or "print" in names or _BUILTINS["print"] is not _print:
        return None
    if not _usual_builtins(names) or not stream_is_known(sys.stdout):
        return None
    return ([], ()) if _atoms_alone(call, names) else None


def _appended(call: ast.Call, func: ast.Attribute, names: Names) -> Effects | None:
    o = value(func.value, names)
    if type(o) is not list or len(call.args) != 1 or call.keywords or value(call.args[0], names) is NOT:
        return None
    return ([operations.growth(o)], ())


_STATEMENTS: dict[type, Callable[[Any, Names], Effects | None]] = {
    ast.Assign: _assign,
    ast.AugAssign: _augmented,
    ast.Expr: _expression,
}
