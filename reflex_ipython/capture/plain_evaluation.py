"""What an expression of plain values is worth, by Python's own operators: none of the user's code can run.

Plain are small values of the built-in types, through and through: no subclass, no object of the user's inside.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Iterable
from types import BuiltinMethodType, ModuleType
from typing import Any

from reflex_ipython.base.classes import is_exactly, module_vars
from reflex_ipython.capture.safe_inspection import MISSING

Variable = Callable[[str], Any]
"""What a name means, or `MISSING`."""

_ITEMS = 200  # that a value may have, those of its items included
_LONGEST = 2_000  # characters of a text
_BITS = 256  # of a number
_SMALL = 64  # an exponent; characters of a text that is repeated
_REPEATED = 100_000  # items of what a multiplication of a text or list may make

_COLLECTIONS = (list, tuple, set, frozenset)
_GONE_THROUGH = (*_COLLECTIONS, dict, str, bytes, range)
_FUNCTIONS = (
    *(int, float, str, bool, list, tuple, set, dict, len, abs, round, sum, min, max, sorted, ord, chr, range),
    *(math.sqrt, math.floor, math.ceil, math.exp, math.log, math.log2, math.log10, math.sin, math.cos, math.tan),
)
_METHODS: frozenset[str] = frozenset().union(
    ("lower", "upper", "title", "capitalize", "casefold", "swapcase", "strip", "lstrip", "rstrip"),
    ("split", "rsplit", "splitlines", "partition", "rpartition", "removeprefix", "removesuffix"),
    ("startswith", "endswith", "isdigit", "isnumeric", "isdecimal", "isalpha", "isalnum", "isspace", "islower"),
    ("isupper", "find", "rfind", "index", "rindex", "count", "get", "items", "keys", "values", "copy", "is_integer"),
)
"""They change nothing, and what they make is no larger than what they are asked of."""
_MAY_GROW = frozenset(("join", "replace"))
"""So do these, where the text that they repeat is short."""
_OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda item, owner: item in owner,
    ast.NotIn: lambda item, owner: item not in owner,
}
_WIDE = re.compile(r"\d{4}|\*")  # in a format: what it makes may be long


class NotPlain(Exception):
    """What the expression is worth can't be told."""


class RaisedError(Exception):
    """The expression raises `error`."""

    def __init__(self, error: Exception) -> None:
        super().__init__(error)
        self.error = error


def worth(node: ast.AST, variable: Variable) -> Any:
    """The value of an expression. It may be any object where the expression is a name.

    Raises
    ------
    RaisedError
        Evaluating it raises this.
    NotPlain
        It is not known.
    """
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return _known(variable(node.id))
    found = _KINDS.get(type(node))
    if found is None:
        raise NotPlain
    return found(node, variable)


def items(node: ast.expr, variable: Variable) -> Iterable[Any]:
    """What a loop over the expression goes through, any objects; raises as `worth`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        function = variable(node.func.id)
        if function is enumerate and len(node.args) == 1:
            return enumerate(items(node.args[0], variable))
        if function is zip:
            return zip(*[items(one, variable) for one in node.args])
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args and not node.keywords:
        owner = worth(node.func.value, variable)
        if type(owner) is dict and node.func.attr in ("items", "keys", "values"):
            return getattr(owner, node.func.attr)()  # type: ignore[no-any-return]  # one of three known methods
    found = worth(node, variable)
    return found if is_exactly(found, _GONE_THROUGH) else _run(iter, _plain(found))  # type: ignore[no-any-return]  # that raises


def holds(node: ast.AST, variable: Variable) -> bool:
    """Whether a condition is met; raises as `worth`."""
    return bool(_plain(worth(node, variable)))


def may_change(node: ast.AST, variable: Variable) -> bool:
    """Whether evaluating the expression may change values: it sets names, waits, or calls what is not known here."""
    for one in ast.walk(node):
        if isinstance(one, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)):
            return True
        if isinstance(one, ast.Call) and not _changes_nothing(one.func, variable):
            return True
    return False


def is_plain(value: Any) -> bool:
    """Whether a value is plain."""
    room, todo = _ITEMS, [value]
    while todo:
        one = todo.pop()
        if is_exactly(one, (*_COLLECTIONS, dict)):
            room -= len(one) * (2 if type(one) is dict else 1)
            if room < 0:
                return False
            todo.extend([*dict.keys(one), *dict.values(one)] if type(one) is dict else one)
        elif not _is_small(one):
            return False
    return True


def _is_small(value: Any) -> bool:
    if type(value) is int:
        return value.bit_length() <= _BITS
    if is_exactly(value, (str, bytes)):
        return len(value) <= _LONGEST
    if type(value) is range:
        return all(abs(part) <= _ITEMS for part in (value.start, value.stop))
    return is_exactly(value, (float, bool, complex, type(None)))


def _known(value: Any) -> Any:
    if value is MISSING:
        raise NotPlain
    return value


def _plain(value: Any) -> Any:
    if not is_plain(value):
        raise NotPlain
    return value


def _run(function: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except Exception as error:  # noqa: BLE001 - it is what is looked for
        raise RaisedError(error) from None


def _operand(node: ast.AST, variable: Variable) -> Any:
    return _plain(worth(node, variable))


def _operation(operation: ast.AST, *operands: Any) -> Any:
    function = _OPERATORS.get(type(operation))
    if function is None or _is_large(operation, *operands):
        raise NotPlain
    return _run(function, *operands)


def _is_large(operation: ast.AST, left: Any, right: Any = None) -> bool:
    if isinstance(operation, ast.Pow):
        return type(right) is int and abs(right) > _SMALL
    if isinstance(operation, ast.Mod):
        return is_exactly(left, (str, bytes)) and (type(left) is bytes or _WIDE.search(left) is not None)
    if isinstance(operation, ast.Mult):
        pairs = ((left, right), (right, left))
        return any(is_exactly(a, _GONE_THROUGH) and type(b) is int and len(a) * b > _REPEATED for a, b in pairs)
    return False


def _binary(node: ast.BinOp, variable: Variable) -> Any:
    return _operation(node.op, _operand(node.left, variable), _operand(node.right, variable))


def _unary(node: ast.UnaryOp, variable: Variable) -> Any:
    return _operation(node.op, _operand(node.operand, variable))


def _bool(node: ast.BoolOp, variable: Variable) -> Any:
    ends = isinstance(node.op, ast.Or)
    for one in node.values[:-1]:
        found = _operand(one, variable)
        if bool(found) is ends:
            return found
    return worth(node.values[-1], variable)


def _compare(node: ast.Compare, variable: Variable) -> Any:
    left, found = worth(node.left, variable), True
    for operation, part in zip(node.ops, node.comparators):
        right = worth(part, variable)
        if not isinstance(operation, (ast.Is, ast.IsNot)):
            _plain(left), _plain(right)
        found, left = _operation(operation, left, right), right
        if not found:
            break
    return found


def _if(node: ast.IfExp, variable: Variable) -> Any:
    return worth(node.body if holds(node.test, variable) else node.orelse, variable)


def _subscript(node: ast.Subscript, variable: Variable) -> Any:
    owner = worth(node.value, variable)
    key = _operand(node.slice, variable) if not isinstance(node.slice, ast.Slice) else _slice(node.slice, variable)
    if not is_exactly(owner, (list, tuple)):  # the items of these are not asked anything
        _plain(owner)
    return _run(operator.getitem, owner, key)


def _slice(node: ast.Slice, variable: Variable) -> slice:
    return slice(*(one and _operand(one, variable) for one in (node.lower, node.upper, node.step)))


def _attribute(node: ast.Attribute, variable: Variable) -> Any:
    owner = worth(node.value, variable)
    if type(owner) is ModuleType:
        return _known(module_vars(owner).get(node.attr, MISSING))
    return _run(getattr, _plain(owner), node.attr)


def _call(node: ast.Call, variable: Variable) -> Any:
    if node.keywords or not _changes_nothing(node.func, variable):
        raise NotPlain
    function = worth(node.func, variable)
    method = (
        type(function) is BuiltinMethodType
        and function.__name__ in _METHODS | _MAY_GROW  # a module may have another one by such a name
        and is_plain(function.__self__)
    )
    if not method and not any(function is one for one in _FUNCTIONS):
        raise NotPlain
    given = [_operand(one, variable) for one in node.args]
    if method and function.__name__ in _MAY_GROW:
        texts = [one for one in (function.__self__, *given[1:]) if type(one) is str]
        if any(len(one) > _SMALL for one in texts[function.__name__ == "replace" :]):
            raise NotPlain
    return _run(function, *given)


def _changes_nothing(function: ast.expr, variable: Variable) -> bool:
    if isinstance(function, ast.Name):
        meant = variable(function.id)
        return any(meant is one for one in (*_FUNCTIONS, enumerate, zip, print, isinstance))
    if not isinstance(function, ast.Attribute):
        return False
    module = variable(function.value.id) if isinstance(function.value, ast.Name) else None
    return function.attr in _METHODS | _MAY_GROW or (module is math and hasattr(math, function.attr))


def _collection(node: ast.Tuple | ast.List | ast.Set, variable: Variable) -> Any:
    kind = {ast.Tuple: tuple, ast.List: list, ast.Set: set}[type(node)]
    return _run(kind, [_operand(one, variable) for one in node.elts])


def _dict(node: ast.Dict, variable: Variable) -> Any:
    keys = [_operand(one, variable) for one in node.keys if one is not None]
    if len(keys) != len(node.values):
        raise NotPlain
    return _run(dict, [(key, _operand(one, variable)) for key, one in zip(keys, node.values)])


def _joined(node: ast.JoinedStr, variable: Variable) -> str:
    return "".join(str(worth(one, variable)) for one in node.values)


def _formatted(node: ast.FormattedValue, variable: Variable) -> str:
    value = _operand(node.value, variable)
    shape = worth(node.format_spec, variable) if node.format_spec is not None else ""
    if node.conversion != -1 or _WIDE.search(shape):
        raise NotPlain
    return _run(format, value, shape)  # type: ignore[no-any-return]  # a text


_KINDS: dict[type[ast.AST], Callable[[Any, Variable], Any]] = {
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _bool,
    ast.Compare: _compare,
    ast.IfExp: _if,
    ast.Subscript: _subscript,
    ast.Attribute: _attribute,
    ast.Call: _call,
    ast.Tuple: _collection,
    ast.List: _collection,
    ast.Set: _collection,
    ast.Dict: _dict,
    ast.JoinedStr: _joined,
    ast.FormattedValue: _formatted,
}
