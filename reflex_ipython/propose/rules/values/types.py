"""Types and plain values of expressions, told from their text and from what was noted of the variables."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

from reflex_ipython.base.syntax_trees import literal_value
from reflex_ipython.base.working_cache import working_cache
from reflex_ipython.models import ValueSummary

UNKNOWN: Any = type("Unknown", (), {"__repr__": lambda self: "UNKNOWN"})()
"""No value: it can't be told."""

INTEGERS = frozenset({"int", "bool", *(f"numpy.{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))})
NUMBERS = INTEGERS | {"float", "numpy.float64", "numpy.float32"}
LAZY = frozenset(
    {"map", "zip", "filter", "generator", "enumerate", "range_iterator", "reversed", "list_reverseiterator"}
)
"""What gives its items once only."""
VIEWS = frozenset({"dict_keys", "dict_values", "dict_items"})

_DISPLAYS: dict[type[ast.AST], str] = {
    ast.JoinedStr: "str",
    ast.List: "list",
    ast.ListComp: "list",
    ast.Tuple: "tuple",
    ast.Set: "set",
    ast.SetComp: "set",
    ast.Dict: "dict",
    ast.DictComp: "dict",
    ast.GeneratorExp: "generator",
    ast.Lambda: "function",
    ast.Compare: "bool",
}
_CALLS = {
    **{name: name for name in ("int", "float", "str", "list", "tuple", "set", "dict", "bool", "bytes", "range")},
    **{name: name for name in ("map", "zip", "filter", "enumerate", "frozenset")},
    **{"input": "str", "repr": "str", "chr": "str", "hex": "str", "bin": "str", "format": "str", "len": "int"},
    **{"ord": "int", "sorted": "list", "print": "NoneType"},
}
_METHODS = {
    **dict.fromkeys(("split", "splitlines", "rsplit", "readlines", "tolist", "findall"), "list"),
    **dict.fromkeys(("strip", "lstrip", "rstrip", "upper", "lower", "title", "capitalize", "join", "format"), "str"),
    **dict.fromkeys(("strftime", "isoformat", "zfill", "hexdigest", "swapcase"), "str"),
    **{"keys": "dict_keys", "values": "dict_values", "items": "dict_items", "encode": "bytes", "decode": "str"},
    **dict.fromkeys(("sort", "append", "extend", "reverse", "shuffle"), "NoneType"),
}
_COUNTED = re.compile(r"[\w.]+ of [\d,]+: ", re.ASCII)


def type_of(node: ast.AST, variables: Mapping[str, ValueSummary]) -> str:
    """The short name of an expression's type; empty if it is not known."""
    if isinstance(node, ast.Constant):
        return type(node.value).__name__
    if isinstance(node, ast.Name):
        found = variables.get(node.id)
        return found.type.removeprefix("builtins.") if found is not None else ""
    if type(node) in _DISPLAYS:
        return _DISPLAYS[type(node)]
    value = value_of(node, variables)
    if value is not UNKNOWN:
        return type(value).__name__
    if isinstance(node, ast.Call):
        return _type_of_call(node, variables)
    if isinstance(node, ast.BinOp):
        return _type_of_operation(node, variables)
    if isinstance(node, ast.UnaryOp):
        return "bool" if isinstance(node.op, ast.Not) else type_of(node.operand, variables)
    return ""


def _type_of_call(node: ast.Call, variables: Mapping[str, ValueSummary]) -> str:
    if isinstance(node.func, ast.Name):
        if node.func.id in ("round", "abs") and node.args:
            return type_of(node.args[0], variables) if len(node.args) > 1 or node.func.id == "abs" else "int"
        return _CALLS.get(node.func.id, "") if node.func.id not in variables else ""
    if isinstance(node.func, ast.Attribute):
        if node.func.attr == "replace" and type_of(node.func.value, variables) == "str":
            return "str"
        owner = type_of(node.func.value, variables)
        foreign = owner.partition(".")[0] in ("pandas", "numpy") or ".str." in ast.unparse(node.func)
        return "" if foreign else _METHODS.get(node.func.attr, "")
    return ""


def _type_of_operation(node: ast.BinOp, variables: Mapping[str, ValueSummary]) -> str:
    left, right = type_of(node.left, variables), type_of(node.right, variables)
    if isinstance(node.op, ast.Mod) and left == "str":
        return "str"
    if left in NUMBERS and right in NUMBERS:
        whole = left in INTEGERS and right in INTEGERS and not isinstance(node.op, ast.Div)
        return "int" if whole else "float"
    if isinstance(node.op, ast.Mult) and {left, right} & NUMBERS:
        return next((one for one in (left, right) if one in ("str", "list", "tuple")), "")
    return left if left == right and isinstance(node.op, ast.Add) else ""


def value_of(node: ast.AST, variables: Mapping[str, ValueSummary]) -> Any:
    """The plain value of an expression of constants, variables and items; else `UNKNOWN`."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        found = variables.get(node.id)
        return literal(found.text) if found is not None else UNKNOWN
    if isinstance(node, ast.Subscript):
        owner, key = value_of(node.value, variables), value_of(node.slice, variables)
        if owner is UNKNOWN and isinstance(node.value, (ast.Name, ast.Subscript)):
            owner = first_items(node.value, variables)
        return _item(owner, key)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        operand = value_of(node.operand, variables)
        return -operand if type(operand) in (int, float) else UNKNOWN
    if isinstance(node, (ast.List, ast.Tuple, ast.Set, ast.Dict)):
        try:
            return literal_value(node)
        except (ValueError, TypeError, RecursionError):
            return UNKNOWN
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return _method(node, variables)
    return UNKNOWN


def _method(node: ast.Call, variables: Mapping[str, ValueSummary]) -> Any:
    """What a plain method of a known text gives."""
    assert isinstance(node.func, ast.Attribute)
    owner = value_of(node.func.value, variables)
    if type(owner) is str and node.func.attr in ("strip", "split", "lower", "upper", "replace") and not node.keywords:
        given = [value_of(one, variables) for one in node.args]
        try:
            return getattr(owner, node.func.attr)(*given) if UNKNOWN not in given else UNKNOWN
        except (TypeError, ValueError):
            return UNKNOWN
    return UNKNOWN


def _item(owner: Any, key: Any) -> Any:
    if type(owner) in (list, tuple, str, dict) and type(key) in (int, str):
        try:
            return owner[key]
        except (LookupError, TypeError):
            return UNKNOWN
    return UNKNOWN


def first_items(node: ast.AST, variables: Mapping[str, ValueSummary]) -> Any:
    """A value of which only the beginning may be known."""
    value = value_of(node, variables)
    if value is UNKNOWN and isinstance(node, ast.Name) and node.id in variables:
        return literal(variables[node.id].text, whole=False)
    return value


def members(node: ast.AST, variables: Mapping[str, ValueSummary]) -> list[Any]:
    """The first members of a container, as far as they are plain values; a dict's keys."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
        owner = first_items(node.func.value, variables)
        if type(owner) is dict and node.func.attr in ("keys", "values", "items"):
            return list(getattr(owner, node.func.attr)())
    value = first_items(node, variables)
    return list(value) if type(value) in (list, tuple, set, dict, frozenset, str) else []


@working_cache(maxsize=64)
def literal(text: str, whole: bool = True) -> Any:
    """What a summary's text says, if that is a plain value.

    Parameters
    ----------
    text : str
        `'a'`, `list of 3: [1, 2, 3]`.
    whole : bool
        Whether a text that leaves something out says nothing.
    """
    text = text.split("\n")[0] if text.count("\n") and not text.startswith(("'", '"')) else text
    text = _COUNTED.sub("", text, count=1)
    if "…" in text:
        if whole:
            return UNKNOWN
        text = text.replace(", …", "")
    try:
        return literal_value(text)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return UNKNOWN
