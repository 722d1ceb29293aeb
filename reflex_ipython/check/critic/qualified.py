"""Full names of what a piece of code refers to: `r` after `from os import remove as r` is `os.remove`."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from reflex_ipython.check.cell import Cell, read
from reflex_ipython.models import Failure

_IMPORTERS = ("__import__", "importlib.import_module")


def imported(cells: Iterable[Cell]) -> dict[str, str]:
    """Which name stands for which module or member, by the imports of some cells."""
    found: dict[str, str] = {}
    for cell in cells:
        for node in cell.nodes():
            if isinstance(node, ast.Import):
                for alias in node.names:
                    found[alias.asname or alias.name.partition(".")[0]] = (
                        alias.name if alias.asname else alias.name.partition(".")[0]
                    )
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                for alias in node.names:
                    found[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return found


def known_imports(failure: Failure, cell: Cell) -> dict[str, str]:
    """The imports that a cell of a fix sees: of the earlier cells, and its own."""
    return imported([*(read(earlier.source) for earlier in failure.earlier), read(failure.source), cell])


def qualified(node: ast.AST, aliases: dict[str, str]) -> str:
    """The full name of an expression. What an attribute is of, where that can't be told, is "?"."""
    if isinstance(node, ast.Name):
        return aliases.get(node.id, node.id)
    if isinstance(node, ast.Attribute):
        return f"{qualified(node.value, aliases)}.{node.attr}"
    if isinstance(node, ast.Call):
        function = qualified(node.func, aliases)
        if function in _IMPORTERS and (name := _text(node.args[:1])):
            return name
        if function == "getattr" and len(node.args) >= 2 and (name := _text(node.args[1:2])):
            return f"{qualified(node.args[0], aliases)}.{name}"
        return f"{function}()"
    return "?"


def _text(nodes: list[ast.expr]) -> str:
    value = nodes[0].value if nodes and isinstance(nodes[0], ast.Constant) else None
    return value if isinstance(value, str) else ""
