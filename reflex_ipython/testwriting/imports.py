"""The modules that texts import."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from reflex_ipython.base.parsing import parse


def imported(sources: Iterable[str]) -> list[str]:
    """The names of the modules, in their order, each once."""
    found: dict[str, None] = {}
    for source in sources:
        tree = parse(source)
        for node in ast.walk(tree) if tree is not None else ():
            if isinstance(node, ast.Import):
                found.update(dict.fromkeys(alias.name for alias in node.names))
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found[node.module] = None
    return [*found]
