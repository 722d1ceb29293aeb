"""When a shell begins to run a top-level statement of a cell.

IPython compiles a cell's statements one by one, and hands each code object to `exec` or `eval`. Both raise an audit
event. So the shell need not be wrapped: no frame of ours stands below the user's, no profiler, tracer or traceback sees
one, and there is no transformer of syntax trees, which would have IPython walk through each tree once more.

The trees are those in the list that IPython goes through, which stands in its frame: looked up with the first statement
of a cell, and gone through in step with it from there on.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from reflex_ipython.ipython.interrupts import hand_on
from reflex_ipython.state import audit

Begins = Callable[[CodeType, "ast.stmt | None"], "Follows | None"]
Follows = Callable[[CodeType, ast.stmt], bool]
_RUNNER = InteractiveShell.run_code.__code__
_ITERATES = InteractiveShell.run_ast_nodes.__code__
_getframe = sys._getframe
_ABOVE = 2
"""Frames from `_executed` to the one that called `exec`: there is the hook in between."""
_Trees = Iterator[tuple[ast.stmt, str]]


class Statements:
    """Listens until it is told to stop.

    Parameters
    ----------
    begins : callable
        Called with the code and the tree of each statement that a shell is about to run, on its thread; with None where
        its tree can't be told. If it is interrupted, the statement is instead.

        What it gives is called with those that follow in the same cell. If that says no, `begins` is called as well.
    broken : callable
        Is told of what one of these has raised.
    """

    def __init__(self, begins: Begins, broken: Callable[[BaseException], None]) -> None:
        self._begins = begins
        self._broken = broken
        self._cell: tuple[object, _Trees, Follows] = _NONE
        """The frame that goes through the statements of a cell, what is left of these, and what they are for."""
        audit.hand_on[:] = [self._interrupted]
        self.close = audit.listen(["exec"], self._executed)
        """Stop listening."""

    def cell_is_over(self) -> None:
        """Let go of the cell's frame."""
        self._cell = _NONE

    def _interrupted(self) -> None:
        """An interrupt struck in the hook: maybe before it came to us, so that we are out of step."""
        self._cell = _NONE
        hand_on()

    def _executed(self, _: str, args: tuple[Any, ...]) -> None:
        """Code is about to run: a statement of a cell, if it is the shell that runs it, and not the user's code."""
        try:
            runner = _getframe(_ABOVE)
        except ValueError:  # `exec` itself is what a thread runs
            return
        around = runner.f_back
        try:
            frame, trees, follows = self._cell
            if around is not frame:
                if runner.f_code is _RUNNER:  # to ask for it is an audit event
                    self._begin(args[0], around, *_trees(around))
                return
            node = next(trees)[0]
            if not follows(args[0], node):
                self._begin(args[0], around, node, trees)
        except (Exception, KeyboardInterrupt) as error:
            is_statement = around is self._cell[0] or runner.f_code is _RUNNER
            self._cell = _NONE  # it may be out of step
            if is_statement:
                self._broken(error)
            if isinstance(error, KeyboardInterrupt):  # nothing else may reach the cell
                raise

    def _begin(self, code: CodeType, frame: FrameType | None, node: ast.stmt | None, trees: _Trees) -> None:
        """The statement is the first one of a cell, or one that takes more time."""
        self._cell = _NONE
        follows = self._begins(code, node)
        if follows is not None and node is not None:
            self._cell = frame, trees, follows


_NONE: tuple[object, _Trees, Follows] = object(), iter(()), lambda code, node: False


def _trees(frame: FrameType | None) -> tuple[ast.stmt | None, _Trees]:
    """The tree of the statement that runs, and those behind it, by the frame that goes through them."""
    if frame is None or frame.f_code is not _ITERATES:
        return None, iter(())
    names = frame.f_locals
    node, to_run = names.get("node"), names.get("to_run")
    if not isinstance(node, ast.stmt) or type(to_run) is not list:  # another IPython than those that are known
        return None, iter(())
    trees: _Trees = iter(to_run)
    for tree, _ in trees:
        if tree is node:
            break
    return node, trees
