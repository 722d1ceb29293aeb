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
_ONLY_BIND = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef)
_FUNCTIONS = {"filterwarnings", "simplefilter", "set_option"}
"""What cells call at their top that only sets something, by their last names."""
_SILENT = {"load_ext", "reload_ext", "autoreload"}
_SILENT_IF_TOLD = {"matplotlib", "config"}
"""Magics that show something only where they are asked: `%config`, `%matplotlib --list`."""


class Unseen(NamedTuple):
    """A statement that nobody has seen run.

    Parameters
    ----------
    node : ast.stmt
    shows : bool
        Whether it may have shown something, which nobody has kept.
    missed : dict of str to str
        What of it is not undone, with the reason.
    """

    node: ast.stmt
    shows: bool
    missed: dict[str, str]


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
    return [_unseen(tree, runs=tree is node) for tree, _ in to_run[:-follow]]


def _unseen(node: ast.stmt, *, runs: bool) -> Unseen:
    shows = not _shows_nothing(node)
    only_loads = runs and not shows
    return Unseen(node, shows, {} if only_loads else {WHAT: NOBODY_SAW_IT})


def _shows_nothing(node: ast.stmt) -> bool:
    """Whether it is known to: an import, a definition, the binding of a constant, what sets something."""
    if isinstance(node, ast.ClassDef):
        return not node.decorator_list and not node.keywords and all(map(_shows_nothing, node.body))
    if isinstance(node, _ONLY_BIND):
        return not getattr(node, "decorator_list", ())
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        return node.value is None or isinstance(node.value, ast.Constant)
    return isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and _only_sets(node.value))


def _only_sets(node: ast.expr) -> bool:
    """Whether an expression at the top of a cell only sets something."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    return node.func.attr in _FUNCTIONS or (node.func.attr == "run_line_magic" and _is_silent(node))


def _is_silent(node: ast.Call) -> bool:
    """Whether it is `get_ipython().run_line_magic("load_ext", "reflex_ipython")`, or alike."""
    said = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    if len(said) != 2:
        return False
    name, told = said
    return name in _SILENT or (name in _SILENT_IF_TOLD and ("=" in told or told in ("inline", "widget")))
