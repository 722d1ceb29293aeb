"""Which of the names that a cell has changed are results of it: by what its text does with them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from reflex_ipython.base.magics import as_ipython
from reflex_ipython.base.parsing import parse_once
from reflex_ipython.models import NameChange, Trial

_SHOWING = ("print", "display")
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.comprehension)
_TOOLS, _FILES = ("function", "type"), "_io."
"""What is made to be used below."""
_PICTURES = "matplotlib."


def results(trial: Trial, sources: Sequence[str]) -> list[NameChange]:
    """The changes that are told: what is set last comes first.

    Loop variables, functions and open files are left out, and so is what was shown already.

    Parameters
    ----------
    trial : Trial
    sources : sequence of str
        The texts that ran, the failing cell's last.
    """
    found = (parse_once(source) or parse_once(as_ipython(source).python()) for source in sources)
    trees = [tree for tree in found if tree is not None]
    places, loops = _places(trees)
    shown = _shown(trees[-1]) if trees else {}
    return [
        change
        for change in sorted(trial.changes, key=lambda change: -places.get(change.name, -1))
        if not (change.name in loops and change.name not in places)
        and not _is_tool(change)
        and not _is_shown(change, trial, shown)
    ]


def _places(trees: Sequence[ast.Module]) -> tuple[dict[str, int], set[str]]:
    """Where each name, or a part of what it stands for, is set last; and the names that loops set."""
    places: dict[str, int] = {}
    loops: set[str] = set()
    for number, node in enumerate(node for tree in trees for node in _inside(tree)):
        if isinstance(node, (ast.For, ast.AsyncFor)):
            loops.update(_names(node.target))
        for target in _targets(node):
            places.update(dict.fromkeys(_names(target), number))
    return places, loops


def _targets(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return node.targets
    if isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.NamedExpr)):
        return [node.target]
    if isinstance(node, ast.withitem):
        return [node.optional_vars] if node.optional_vars is not None else []
    return []


def _names(target: ast.expr) -> Iterator[str]:
    """The names in `a, (b, *c)`; of `df["x"]` and `self.x`, whose."""
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            yield from _names(part)
    elif isinstance(target, (ast.Starred, ast.Subscript, ast.Attribute)):
        yield from _names(target.value)


def _inside(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes in the order of the text: not those that have names of their own."""
    for child in ast.iter_child_nodes(tree):
        if not isinstance(child, _SCOPES):
            yield child
            yield from _inside(child)


def _shown(tree: ast.Module) -> dict[str, bool]:
    """The names in what the cell shows at its end or prints, and whether one is all that is shown."""
    found: dict[str, bool] = {}
    last = tree.body[-1] if tree.body else None
    exprs = [last.value] if isinstance(last, ast.Expr) else []
    calls = (node for node in _inside(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name))
    exprs += [argument for call in calls if _called(call) in _SHOWING for argument in call.args]
    for expr in exprs:
        for node in ast.walk(expr):
            if isinstance(node, ast.Name):
                found[node.id] = found.get(node.id, False) or node is expr
    return found


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _is_tool(change: NameChange) -> bool:
    return change.after is not None and (change.after.type in _TOOLS or change.after.type.startswith(_FILES))


def _is_shown(change: NameChange, trial: Trial, shown: dict[str, bool]) -> bool:
    """Whether a value was shown: all of it, or within what is shown of it."""
    after = change.after
    if after is None:
        return False
    if after.type.startswith(_PICTURES):
        return trial.figures > 0
    if change.name not in shown:
        return False
    return after.text.strip("'\"") in trial.stdout + trial.result if after.text else shown[change.name]
