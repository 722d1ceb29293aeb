"""When a shell begins to run a top-level statement of a cell.

IPython compiles a cell's statements one by one, and hands each code object to `exec` or `eval`. Both raise an audit
event. So the shell need not be wrapped: no frame of ours stands below the user's, no profiler, tracer or traceback sees
one, and there is no transformer of syntax trees, which would have IPython walk through each tree once more.
"""

from __future__ import annotations

import ast
import contextlib
import sys
from collections.abc import Callable
from types import CodeType
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from reflex_ipython.ipython.interrupts import hand_on
from reflex_ipython.state import audit

Begins = Callable[[CodeType, ast.stmt], None]
_RUNNER = InteractiveShell.run_code.__code__
_ABOVE = 3
"""Frames from `_is_cells` to the one that called `exec`: there are the listener and the hook in between."""
_TREES = frozenset({ast.Module, ast.Interactive})


class _Statements:
    """Listens until it is told to stop.

    Parameters
    ----------
    begins : callable
    """

    def __init__(self, begins: Begins) -> None:
        self._begins = begins
        self._compiled: ast.stmt | None = None
        """The statement that was compiled last and has not run."""
        self._file = ""
        """As which file the cell is compiled that runs."""

    def event(self, event: str, args: tuple[Any, ...]) -> None:
        if event == "compile":
            if type(args[0]) in _TREES and len(args[0].body) == 1:
                self._compiled = args[0].body[0]
        elif self._compiled is not None and self._is_cells(args[0].co_filename):
            node, self._compiled = self._compiled, None
            with contextlib.suppress(Exception):  # nothing of ours may break a cell; `begins` tells what it can
                self._begins(args[0], node)

    def _is_cells(self, file: str) -> bool:
        """Whether it is the shell that calls `exec`, and not an import in between. Asked once for each cell."""
        if file != self._file and sys._getframe(_ABOVE).f_code is _RUNNER:
            self._file = file
        return file == self._file


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
    return audit.listen(("compile", "exec"), _Statements(begins).event)
