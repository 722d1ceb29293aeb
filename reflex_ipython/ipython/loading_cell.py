"""What has run of the cell that loads Reflex, by then: the rest of it is noted as that of any other cell."""

from __future__ import annotations

import ast
import sys
from types import FrameType
from typing import NamedTuple

from IPython.core.interactiveshell import InteractiveShell

from reflex_ipython.ipython.statements import trees_of

WHAT, NOBODY_SAW_IT = "what ran before Reflex was loaded", "nobody saw it"
_RUNNER = InteractiveShell.run_code.__code__
_FUNCTIONS = {"filterwarnings", "simplefilter", "set_option"}
"""What cells call at their top that only sets something, by their last names."""
_LOADS = {"load_ext", "reload_ext"}
_SILENT = {*_LOADS, "autoreload"}
_SILENT_IF_TOLD = {"matplotlib", "config"}
"""Magics that show something only where they are asked: `%config`, `%matplotlib --list`."""
_PLAIN = (ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.Name, ast.UnaryOp, ast.unaryop, ast.expr_context)


class Unseen(NamedTuple):
    """A statement that nobody has seen run.

    Parameters
    ----------
    node : ast.stmt
    only_binds : bool
        Whether it is taken to bind or set something, and to show nothing and do nothing else: else what it has shown is
        not kept, and what it has done would be done a second time.
    only_loads : bool
        Whether it does nothing but load us: there is nothing of it to be undone.
    """

    node: ast.stmt
    only_binds: bool
    only_loads: bool


def ran_unseen() -> list[Unseen]:
    """The statements that have run on this thread of the cell that loads us, up to the one that does now.

    Returns
    -------
    list of Unseen
        Empty if none follows, or if they can't be told.
    """
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_code is not _RUNNER:
        frame = frame.f_back
    node, to_run, left = trees_of(frame and frame.f_back)
    follow = len(list(left))
    if node is None or to_run is None or not follow:
        return []
    return [Unseen(tree, _only_binds(tree), tree is node and _only_loads(tree)) for tree, _ in to_run[:-follow]]


def _only_loads(node: ast.stmt) -> bool:
    """Whether it is `%load_ext reflex_ipython`."""
    name, told = _magic(node.value) if isinstance(node, ast.Expr) else ("", "")
    return name in _LOADS and told.strip() == "reflex_ipython"


def _only_binds(node: ast.stmt) -> bool:
    """Whether it is an import, a definition, the binding of plain values, or sets something. (An import may print.)"""
    if isinstance(node, ast.ClassDef):
        return not (node.decorator_list or node.bases or node.keywords) and all(map(_only_binds, node.body))
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return not node.decorator_list
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return all(map(_is_plain, targets)) and (node.value is None or _is_plain(node.value))
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) or _only_sets(node.value)
    return isinstance(node, (ast.Import, ast.ImportFrom, ast.Pass))


def _is_plain(node: ast.expr) -> bool:
    """Whether nothing of the user's runs for an expression."""
    return all(isinstance(each, _PLAIN) for each in ast.walk(node))


def _only_sets(node: ast.expr) -> bool:
    """Whether a call only sets something."""
    name, told = _magic(node)
    if name:
        return name in _SILENT or (name in _SILENT_IF_TOLD and ("=" in told or told in ("inline", "widget")))
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _FUNCTIONS


def _magic(node: ast.expr) -> tuple[str, str]:
    """The name of a magic and what it was told, if a statement is one: `get_ipython().run_line_magic(…, …)`."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "run_line_magic":
        return "", ""
    said = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return (said[0], said[1]) if len(said) == 2 else ("", "")
