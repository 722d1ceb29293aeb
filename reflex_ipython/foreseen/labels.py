"""Columns that a table lacks, and keys that a dict lacks, where nothing that runs before could add them."""

from __future__ import annotations

import ast
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from reflex_ipython.base.classes import inherits, is_exactly
from reflex_ipython.foreseen import live
from reflex_ipython.foreseen.changed import PossibleChanges
from reflex_ipython.foreseen.reach import codes_of

_MANY = 2_000
"""Names of a namespace, and labels, beyond which it takes too long to look at them."""
_PLAIN = (str, int, float, bool, tuple, type(None))
_HOLD_NOTHING = (str, int, float, bytes, FunctionType, BuiltinFunctionType, ModuleType, type)
"""What refers to no object of the user's that nobody sees here."""


def find(
    node: ast.expr, namespace: dict[str, Any], changed: PossibleChanges, inside: PossibleChanges
) -> KeyError | None:
    """What asking for a label raises."""
    if not (isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name)):
        return None
    name, label = node.value.id, node.slice.value if isinstance(node.slice, ast.Constant) else None
    if type(label) is not str or name in changed.bound or name in inside.bound or len(namespace) > _MANY:
        return None
    owner = dict.get(namespace, name)
    if not _lacks(owner, label) or _may_change(owner, namespace, changed.used | inside.used):
        return None
    del owner
    return None if live.holders(name, namespace) or _is_read_elsewhere(name, namespace) else KeyError(label)


def _is_read_elsewhere(name: str, namespace: dict[str, Any]) -> bool:
    """Whether a function of the user's has that name in it: it may run in a thread, or as something is clicked."""
    functions = (o for _, o in live.values(namespace) if type(o) is FunctionType)
    return any(name in code.co_names for function in functions for code in codes_of(function))


def _lacks(owner: Any, label: str) -> bool:
    """Whether a plain dict or a table surely has no such label."""
    if type(owner) is dict:
        keys = list(owner) if len(owner) <= _MANY else [None, label]
        return all(is_exactly(key, _PLAIN) for key in keys) and label not in keys
    if not live.is_of(owner, "pandas", "DataFrame"):
        return False
    columns = owner.columns
    return type(columns).__name__ == "Index" and len(columns) <= _MANY and label not in set(columns)


def _may_change(owner: Any, namespace: dict[str, Any], used: set[str]) -> bool:
    """Whether what runs could reach an object, by whatever name; a container counts for all that is in it."""
    return any(o is owner or _may_hold(o) for _, o in live.values(namespace, sorted(used)))


def _may_hold(o: Any) -> bool:
    return not any(inherits(type(o), kind) for kind in _HOLD_NOTHING)
