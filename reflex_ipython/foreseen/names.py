"""Names that will not be there."""

from __future__ import annotations

import ast
import builtins
from typing import Any

from reflex_ipython.foreseen.changed import PossibleChanges

_SHELLS = frozenset({"In", "Out", "exit", "quit", "get_ipython", "display", "open"})


def find(
    node: ast.expr, namespace: dict[str, Any], changed: PossibleChanges, inside: PossibleChanges
) -> NameError | None:
    """What reading or deleting a name raises."""
    if not isinstance(node, ast.Name):
        return None
    name = node.id
    if name.startswith("_") or name in _SHELLS or name in changed.bound:
        return None
    if isinstance(node.ctx, ast.Load) and name in inside.bound:  # by a `:=`, or by what it calls
        return None
    if dict.__contains__(namespace, name) or name in vars(builtins):
        return None
    return NameError(f"name {name!r} is not defined", name=name)
