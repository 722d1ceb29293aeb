"""A copy of a syntax tree, and of nothing else that hangs on its nodes."""

from __future__ import annotations

import ast
from typing import Any, TypeVar

Node = TypeVar("Node", bound=ast.AST)


def copied(node: Node) -> Node:
    """Copy what code says, and where it stands.

    `copy.deepcopy` takes all along: `executing`, with which IPython draws tracebacks, gives each node a parent, and a
    `Load` is one object in all trees, so that a name's copy would hold the tree of a whole library's module.
    """
    fields = {name: _copied_field(value) for name, value in ast.iter_fields(node)}
    places = {name: getattr(node, name) for name in node._attributes if hasattr(node, name)}
    return type(node)(**fields, **places)


def _copied_field(value: Any) -> Any:
    if isinstance(value, list):
        return [_copied_field(each) for each in value]
    return copied(value) if isinstance(value, ast.AST) else value
