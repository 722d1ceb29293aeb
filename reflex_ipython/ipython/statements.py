"""When a shell begins to run a top-level statement of a cell.

IPython compiles a cell's statements one by one, and hands each code object to `exec` or `eval`. Both raise an audit
event. So the shell need not be wrapped: no frame of ours stands below the user's, no profiler, tracer or traceback sees
one, and there is no transformer of syntax trees, which would have IPython walk through each tree once more.

The trees are those in the list that IPython goes through, which stands in its frame: looked up with the first statement
of a cell, and gone through in step with it from there on.
"""

from __future__ import annotations

import ast
import dataclasses
import operator
import sys
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from reflex_ipython.ipython.interrupts import hand_on
from reflex_ipython.state import audit


@dataclasses.dataclass(frozen=True)
class UnderWay:
    """A cell that runs.

    Parameters
    ----------
    to_run : list of (ast.stmt, str)
        IPython's own list of its statements: those that have not begun can be replaced in it.
    begun : int
        How many have begun.
    filename : str
        The name of its code.
    runs : callable
        Whether it is that statement which runs now.
    """

    to_run: list[tuple[ast.stmt, str]]
    begun: int
    filename: str
    runs: Callable[[ast.stmt], bool]


Begins = Callable[[CodeType, "ast.stmt | None"], "Follows | None"]
Follows = Callable[[CodeType, ast.stmt], bool]
_RUNNER = InteractiveShell.run_code.__code__
_ITERATES = InteractiveShell.run_ast_nodes.__code__
_getframe = sys._getframe
_ABOVE = 2
"""Frames from `_executed` to the one that called `exec`: there is the hook in between."""
Trees = Iterator["tuple[ast.stmt, str]"]


class Statements:
    """Listens until it is told to stop.

    Parameters
    ----------
    begins : callable
        Called with the code and the tree of each statement that a shell is about to run, on its thread; with None where
        its tree can't be told. If it is interrupted, the statement is instead.

        What it gives says that more statements of the cell are to be told of. Unless it is `after_all`, the statement
        runs nothing but itself, and what it gives is called with the next one: if that says yes, it is the same with
        that one; if no, `begins` is called as well.
    broken : callable
        Is told of what one of these has raised.
    """

    def __init__(self, begins: Begins, broken: Callable[[BaseException], None]) -> None:
        self._begins = begins
        self._broken = broken
        self._frame: FrameType | None = None
        """The frame that goes through the statements of a cell."""
        self._trees: Trees = iter(())
        """What is left of these."""
        self._file: str | None = None
        """While statements run that run nothing but themselves: the file of their code, this very object. Whatever code
        of it runs next is the next statement, and nobody need look at the frames, which is an audit event.
        """
        self._follows: Follows = after_all
        self._to_run: list[tuple[ast.stmt, str]] | None = None
        self._name = ""
        audit.hand_on[:] = [self._interrupted]
        self.close = audit.listen(["exec"], self._executed)
        """Stop listening."""

    def under_way(self) -> UnderWay | None:
        """The cell that runs, asked on any thread; None if none is watched."""
        to_run, left = self._to_run, self._trees
        if to_run is None or self._frame is None:
            return None
        return UnderWay(to_run, len(to_run) - operator.length_hint(left), self._name, self._runs)

    def _runs(self, node: ast.stmt) -> bool:
        frame = self._frame
        return frame is not None and frame.f_locals.get("node") is node

    def cell_is_over(self) -> None:
        """Let go of the cell's frame."""
        self._frame = self._file = self._to_run = None
        self._trees, self._follows = iter(()), after_all

    def _interrupted(self) -> None:
        """An interrupt struck in the hook: maybe before it came to us, so that we are out of step."""
        self.cell_is_over()
        hand_on()

    def _executed(self, _: str, args: tuple[Any, ...]) -> None:
        """Code is about to run: a statement of a cell, if it is the shell that runs it, and not the user's code."""
        code = args[0]
        is_statement = code.co_filename is self._file
        try:
            if is_statement:
                for node, _ in self._trees:
                    if not self._follows(code, node):
                        self._begin(code, node)
                    return
            try:
                runner = _getframe(_ABOVE)
            except ValueError:  # `exec` itself is what a thread runs
                return
            frame = runner.f_back
            if frame is not None and frame is self._frame:
                is_statement = True
                self._begin(code, next(self._trees)[0])
            elif runner.f_code is _RUNNER:  # to ask for it is an audit event
                is_statement = True
                self._frame = frame
                tree, self._to_run, self._trees = trees_of(frame)
                self._name = code.co_filename
                self._begin(code, tree)
        except (Exception, KeyboardInterrupt) as error:
            self.cell_is_over()  # it may be out of step
            if is_statement:
                self._broken(error)
            if isinstance(error, KeyboardInterrupt):  # nothing else may reach the cell
                raise

    def _begin(self, code: CodeType, node: ast.stmt | None) -> None:
        """The statement is the first one of a cell, or one that takes more time."""
        self._file = None
        follows = self._begins(code, node)
        if follows is None or node is None:
            self.cell_is_over()
        elif follows is not after_all:
            self._file, self._follows = code.co_filename, follows


def after_all(code: CodeType, node: ast.stmt) -> bool:
    """Nothing is known of the next statement before all that this one runs is over."""
    return False


def trees_of(frame: FrameType | None) -> tuple[ast.stmt | None, list[tuple[ast.stmt, str]] | None, Trees]:
    """The tree of the statement that runs, all of the cell, and those behind it, by the frame that runs them."""
    if frame is None or frame.f_code is not _ITERATES:
        return None, None, iter(())
    names = frame.f_locals
    node, to_run = names.get("node"), names.get("to_run")
    if not isinstance(node, ast.stmt) or type(to_run) is not list:  # another IPython than those that are known
        return None, None, iter(())
    trees: Trees = iter(to_run)
    for tree, _ in trees:
        if tree is node:
            break
    return node, to_run, trees
