"""When a shell begins to run a top-level statement of a cell.

IPython compiles a cell's statements one by one, and hands each code object to `exec` or `eval`. Both raise an audit
event. So the shell need not be wrapped: no frame of ours stands below the user's, no profiler, tracer or traceback sees
one, and there is no transformer of syntax trees, which would have IPython walk through each tree once more.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from threading import get_ident
from types import CodeType
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from reflex_ipython.ipython.interrupts import hand_on
from reflex_ipython.state import audit

Begins = Callable[[CodeType, ast.stmt], None]
_RUNNER = InteractiveShell.run_code.__code__
_ABOVE = 2
"""Frames from `executed` to the one that called `exec`: there is the hook in between."""
_TREES = frozenset({ast.Module, ast.Interactive})


class _Statements:
    """Listens until it is told to stop.

    Parameters
    ----------
    begins : callable
    """

    def __init__(self, begins: Begins) -> None:
        self._begins = begins
        self._compiled: dict[int, ast.stmt] = {}
        """The statement that each thread has compiled last and not run: others may compile something meanwhile."""

    def compiled(self, _: str, args: tuple[Any, ...]) -> None:
        """Something is about to be compiled: a statement of a cell, if it is a tree of one."""
        tree = args[0]
        if type(tree) in _TREES and len(tree.body) == 1:
            self._compiled[get_ident()] = tree.body[0]

    def executed(self, _: str, args: tuple[Any, ...]) -> None:
        """Code is about to run: a statement of a cell, if it is the shell that runs it, and not the user's code."""
        node = self._compiled.get(get_ident())
        if node is not None and sys._getframe(_ABOVE).f_code is _RUNNER:
            del self._compiled[get_ident()]
            try:
                self._begins(args[0], node)
            except Exception:  # noqa: BLE001 - nothing of ours may break a cell; `begins` tells what it can
                return


def on_statement(begins: Begins) -> Callable[[], None]:
    """Call `begins` with the code and the tree of each statement that a shell is about to run, on its thread.

    Parameters
    ----------
    begins : callable
        What it raises is nobody's. If it is interrupted, the statement is instead.

    Returns
    -------
    callable
        Call it to end that.
    """
    audit.hand_on[:] = [hand_on]
    statements = _Statements(begins)
    stops = audit.listen(["compile"], statements.compiled), audit.listen(["exec"], statements.executed)

    def stop() -> None:
        for each in stops:
            each()

    return stop
