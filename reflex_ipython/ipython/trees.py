"""A cell's syntax tree as IPython will compile it, and the door through which it passes on its way."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any


class Tap(ast.NodeTransformer):
    """IPython's door to a cell's syntax tree. It stands last, so that it sees what will be compiled.

    Parameters
    ----------
    tapped : callable
        Is given each cell's tree, and may change it.
    """

    def __init__(self, tapped: Callable[[ast.Module], None]) -> None:
        self._tapped = tapped

    def visit(self, node: ast.AST) -> ast.AST:
        """Called once for each tree."""
        if isinstance(node, ast.Module):
            self._tapped(node)
        return node


def tree_of(shell: Any, source: str) -> ast.Module | None:
    """The tree of a cell that is not to run now; None for one that does not compile."""
    try:
        tree = shell.compile.ast_parse(shell.transform_cell(source))
        for transformer in shell.ast_transformers:
            if not isinstance(transformer, Tap):
                tree = transformer.visit(tree)
    except Exception:  # noqa: BLE001 - foreign transformers; and a cell that does not compile can't be resumed
        return None
    return tree if isinstance(tree, ast.Module) else None
