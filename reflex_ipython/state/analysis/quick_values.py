"""The values of the commonest expressions: names, numbers, texts, and what is calculated of those.

A value is the very object where it exists already or is a constant, `COMPUTED` where it is some atom, `MADE` where it
is a fresh container. `NOT` stands for what is not understood here, as all that may run code of the user's is.
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

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.state.analysis.plain import plain_keys
from reflex_ipython.state.analysis.tables import STRING_METHODS
from reflex_ipython.state.kinds.interpreter_hooks import may_call
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.user_code import contents

Names = dict[str, Any]
_BUILTINS = vars(builtins)
LEN, PRINT = len, print  # Python's own: somebody may put others in their place
NOT: Any = object()
"""Stands for a value of which nobody knows here."""
COMPUTED: Any = complex(0, 0)
"""Stands for an atom that nobody knows."""
MADE: Any = object()
"""Stands for a container that the statement makes."""
ATOMS = frozenset(map(identity, (int, float, str, bool, bytes, complex, type(None), range)))
"""Atoms whose operators never warn, unlike numpy's."""
_LARGE = 1 << 40


def is_atom(o: object) -> bool:
    """Whether it is a number, a text … of Python's own."""
    return identity(type(o)) in ATOMS


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
    if not is_atom(left):
        return NOT
    right = value(node.right, names)
    return _calculated(left, right, type(node.op)) if is_atom(right) else NOT


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
    if not is_atom(o) or type(node.op) is ast.Invert:
        return NOT
    return -o if type(node.op) is ast.USub and type(o) is int else COMPUTED


def _compare(node: ast.Compare, names: Names) -> Any:
    if not is_atom(value(node.left, names)):
        return NOT
    for each in node.comparators:
        if not is_atom(value(each, names)):
            return NOT
    return COMPUTED


def _boolean(node: ast.BoolOp, names: Names) -> Any:
    for each in node.values:
        if not is_atom(value(each, names)):
            return NOT
    return COMPUTED


def _formatted(node: ast.JoinedStr, names: Names) -> Any:
    for each in node.values:
        if type(each) is ast.FormattedValue:
            if not is_atom(value(each.value, names)):
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
        if key is None or not is_atom(value(key, names)) or value(each, names) is NOT:
            return NOT
    return MADE


def _subscript(node: ast.Subscript, names: Names) -> Any:
    o, key = value(node.value, names), value(node.slice, names)
    cls = type(o)
    if not is_atom(key) or key is COMPUTED:
        return NOT
    if cls is list or cls is tuple:
        return o[key] if type(key) is int and -len(o) <= key < len(o) else NOT
    return o.get(key, NOT) if cls is dict and plain_keys(o) else NOT


ARRAY_ATTRIBUTES = frozenset(["shape", "ndim", "size", "nbytes", "itemsize", "strides", "flags"])


def _attribute(node: ast.Attribute, names: Names) -> Any:
    o = value(node.value, names)
    if type(o) is types.ModuleType:
        return contents(o).get(node.attr, NOT)
    return getattr(o, node.attr) if node.attr in ARRAY_ATTRIBUTES and is_array(o) else NOT


def is_array(o: Any) -> bool:
    """Whether it is one of numpy's own arrays."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and type(o) is numpy.ndarray


# ------------------------------------------------------------------------------------------ calls

PURE_FUNCTIONS = frozenset(
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
BOXES = (list, tuple, dict, set)


def _call(node: ast.Call, names: Names) -> Any:
    func = node.func
    if type(func) is ast.Name:
        function = builtin(func.id, names)
    else:
        function = _method(func, names) if type(func) is ast.Attribute else NOT
    if function is LEN and len(node.args) == 1 and not node.keywords:
        o = value(node.args[0], names)
        return len(o) if is_exactly(o, BOXES) else COMPUTED if is_atom(o) or is_array(o) else NOT
    if not is_pure(function, len(node.args)):
        return NOT
    return COMPUTED if atoms_alone(node, names) else NOT


def builtin(name: str, names: Names) -> Any:
    """What a name stands for that may be built in; `NOT` if nobody knows."""
    found = names.get(name, NOT)
    if found is NOT:
        usual = names.get("__builtins__", _BUILTINS)
        if usual is _BUILTINS or usual is builtins:
            return _BUILTINS.get(name, NOT)
    return found


def is_pure(function: Any, count: int) -> bool:
    """Whether a function gives an atom if it is given so many of them: `str` asks a codec then."""
    return identity(function) in PURE_FUNCTIONS and (count < 2 or function is not str)


def _method(func: ast.Attribute, names: Names) -> Any:
    """The function that is called; `str` for a method of a text."""
    o = value(func.value, names)
    if type(o) is str:
        return str if func.attr in _TEXT_METHODS and not (func.attr == "encode" and may_call()) else NOT
    return contents(o).get(func.attr, NOT) if type(o) is types.ModuleType else NOT


def atoms_alone(node: ast.Call, names: Names) -> bool:
    """Whether a function is given nothing but atoms, and no other function or stream."""
    for each in node.args:
        if not is_atom(value(each, names)):
            return False
    return not node.keywords or all(
        keyword.arg not in _OTHERS and is_atom(value(keyword.value, names)) for keyword in node.keywords
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
