"""Attributes that a plain value does not have: those of its class are all that it can ever have."""

from __future__ import annotations

import ast
from typing import Any

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.foreseen import live
from reflex_ipython.foreseen.changed import PossibleChanges

_CLOSED = (str, int, float, bool, complex, bytes, list, tuple, dict, set, frozenset, type(None))
"""Classes whose instances get no attributes of their own, and which nobody can give one."""


def find(
    node: ast.expr, namespace: dict[str, Any], changed: PossibleChanges, inside: PossibleChanges
) -> AttributeError | None:
    """What asking a value for an attribute raises."""
    if not (isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name)):
        return None
    name = node.value.id
    if name in changed.bound or name in inside.bound or not dict.__contains__(namespace, name):
        return None
    owner = dict.get(namespace, name)
    kind = type(owner)
    if not (is_exactly(owner, _CLOSED) or live.is_of(owner, "numpy", "ndarray")) or node.attr in dir(kind):
        return None
    shown = f"{kind.__module__}.{kind.__name__}" if kind.__module__ != "builtins" else kind.__name__
    return AttributeError(f"{shown!r} object has no attribute {node.attr!r}", name=node.attr, obj=owner)
