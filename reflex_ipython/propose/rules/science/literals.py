"""The literal that an argument is, or that its name was given in this cell."""

from __future__ import annotations

import ast

from reflex_ipython.propose.rules.science.scene import Scene


def literal_of(scene: Scene, node: ast.expr) -> ast.expr:
    """What a name was given last above the failing statement, if that is a literal; else the node itself.

    An edit of that literal mends the cell where the mistake was written.
    """
    if not isinstance(node, ast.Name):
        return node
    statement = scene.statement()
    before = getattr(statement, "lineno", 0)
    given = [
        one.value
        for one in scene.cell.every(ast.Assign)
        if one.lineno < before and any(isinstance(target, ast.Name) and target.id == node.id for target in one.targets)
    ]
    found = given[-1] if given else node
    return found if isinstance(found, (ast.List, ast.Tuple, ast.Dict, ast.Set, ast.Constant)) else node
