"""Whether a cell's last expression, which has run without being shown, may run once more so that it is."""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
from collections.abc import Collection, Mapping
from types import FunctionType, MemberDescriptorType, ModuleType
from typing import Any

from reflex_ipython.base.classes import class_vars, classes, is_exactly

_PLAIN = (int, float, complex, bool, str, bytes, type(None))
_CONTAINERS = (list, tuple, dict, str, bytes, range)
_UNSEEN = object()
"""A value that can be had without doing anything; it was not looked at."""
_UNKNOWN = object()
"""A value that nobody knows: it can be shown, and nothing else."""
_SOME = float("nan")
"""Some value of a plain type."""

# Of arrays and tables, what only looks at them.
_LOOKS = {
    *("T", "columns", "dtype", "dtypes", "empty", "index", "name", "nbytes", "ndim", "shape", "size", "values"),
    *("at", "iat", "iloc", "loc", "count", "describe", "head", "max", "mean", "median", "min", "nunique", "std"),
    *("sum", "tail", "value_counts", "var"),
}
_SILENT: dict[int, set[str]] = {
    id(list): {"append", "clear", "extend", "insert", "remove", "reverse", "sort"},
    id(dict): {"clear", "update"},
    id(set): {"add", "clear", "discard", "remove", "update"},
}


class _Unsure(Exception):
    """Nobody knows what it would do."""


def repeats_nothing(expression: ast.expr, namespace: Mapping[str, Any], unknown: Collection[str] = ()) -> bool:
    """Whether to evaluate an expression a second time surely does nothing that could be noticed.

    Parameters
    ----------
    expression : ast.expr
    namespace : mapping
        What the names mean.
    unknown : collection of str
        Names that may mean something else by then.
    """
    try:
        _value(expression, {name: o for name, o in namespace.items() if name not in unknown}, frozenset(unknown))
    except (_Unsure, RecursionError):
        return False
    return True


def shows_nothing(expression: ast.expr, namespace: Mapping[str, Any]) -> bool:
    """Whether the value of an expression is surely None, which is not displayed."""
    if not isinstance(expression, ast.Call):
        return False
    function = expression.func
    if isinstance(function, ast.Name):
        return function.id in ("print", "display") and function.id not in _rebound(namespace)
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        return function.attr in _SILENT.get(id(type(namespace.get(function.value.id))), set())
    return False


def _rebound(namespace: Mapping[str, Any]) -> set[str]:
    """Which of the two functions that print are the user's own."""
    own = {"print"} if "print" in namespace else set()
    shown = namespace.get("display")
    return own | ({"display"} if shown is not None and not _is_ipythons(shown) else set())


def _is_ipythons(function: Any) -> bool:
    return type(function) is FunctionType and str(function.__module__).startswith("IPython.")


def _value(node: ast.expr, there: Mapping[str, Any], unknown: frozenset[str]) -> Any:
    """The value, or `_UNSEEN`.

    Raises
    ------
    _Unsure
    """
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return _UNKNOWN if node.id in unknown else there.get(node.id, vars(builtins).get(node.id, _UNKNOWN))
    parts = [_value(part, there, unknown) for part in _parts(node)]
    if isinstance(node, ast.Attribute):
        return _attribute(parts[0], node.attr)
    if isinstance(node, ast.Subscript):
        return _item(parts[0], parts[1])
    if isinstance(node, ast.Call):
        return _call(node, parts)
    if isinstance(node, ast.Slice):
        return slice(None)
    operator = isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.JoinedStr, ast.FormattedValue))
    if operator and all(is_exactly(part, _PLAIN) for part in parts):
        return _SOME
    if isinstance(node, (ast.Tuple, ast.List, ast.Dict)) and not operator:
        keys = (
            [_value(key, there, unknown) for key in node.keys if key is not None] if isinstance(node, ast.Dict) else []
        )
        if all(is_exactly(key, _PLAIN) for key in keys):
            return _UNSEEN
    raise _Unsure


def _parts(node: ast.expr) -> list[ast.expr]:
    """The expressions that an expression is made of."""
    if isinstance(node, ast.Call):
        return [node.func, *node.args, *(keyword.value for keyword in node.keywords)]
    if isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        raise _Unsure
    return [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]


def _attribute(o: Any, name: str) -> Any:
    if type(o) is ModuleType:
        if name in vars(o):
            return vars(o)[name]
        raise _Unsure
    if _is_table(o):
        if name in _LOOKS:
            return _UNSEEN
        raise _Unsure
    own_way = any("__getattribute__" in class_vars(one) for one in classes(type(o))[:-1])
    if o is _UNSEEN or o is _UNKNOWN or (own_way and type(o) is not type):
        raise _Unsure
    found = inspect.getattr_static(o, name, _UNSEEN)
    if found is _UNSEEN:
        raise _Unsure
    if type(found) is MemberDescriptorType:
        return _UNSEEN
    if any("__get__" in class_vars(one) for one in classes(type(found))):
        return _method(o, found)
    return found


def _method(o: Any, found: Any) -> Any:
    """A method is bound without running anything; properties and other descriptors run."""
    if type(found) is FunctionType:
        return _UNSEEN
    raise _Unsure


def _item(o: Any, key: Any) -> Any:
    if not is_exactly(o, _CONTAINERS) and not _is_table(o):
        raise _Unsure
    plain = is_exactly(key, (*_PLAIN, slice))
    if not plain and not (_is_table(o) and (key is _UNSEEN or _is_table(key))):
        raise _Unsure
    if is_exactly(o, (list, tuple)) and type(key) is int and -len(o) <= key < len(o):
        return o[key]
    if type(o) is dict and type(key) is str and all(type(one) is str for one in o):
        return o.get(key, _UNSEEN)
    return _UNSEEN


def _call(node: ast.Call, parts: list[Any]) -> Any:
    """`len(rows)`, `type(x)` and what tables tell of themselves: `df.head()`."""
    function, arguments = parts[0], parts[1:]
    one = arguments[0] if len(arguments) == 1 else None
    if function is len and (is_exactly(one, (*_CONTAINERS, set, frozenset)) or _is_table(one)):
        return _SOME
    if function is type and len(arguments) == 1:
        return _UNSEEN
    asked = node.func.value if isinstance(node.func, ast.Attribute) and node.func.attr in _LOOKS else None
    if isinstance(asked, ast.Name) and function is _UNSEEN and all(is_exactly(given, _PLAIN) for given in arguments):
        return _UNSEEN
    raise _Unsure


def _is_table(o: Any) -> bool:
    """Whether it is exactly an array or a table; a class of the user's may do anything when it is asked."""
    found = [("numpy", "ndarray"), ("pandas", "DataFrame"), ("pandas", "Series")]
    types = [vars(sys.modules[module]).get(name) for module, name in found if module in sys.modules]
    return any(type(o) is one for one in types)
