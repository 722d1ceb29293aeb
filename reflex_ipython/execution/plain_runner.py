"""Runs code in a trial without IPython: statement by statement, with `await` at the top."""

from __future__ import annotations

import ast
import inspect
import linecache
import sys
from types import CodeType
from typing import Any

from reflex_ipython.base.running_loop import loop_is_running
from reflex_ipython.capture.second_look import second_look
from reflex_ipython.check.trial.events import tell
from reflex_ipython.check.trial.outputs import Outputs
from reflex_ipython.models import CellChanges, Edit, Lookup, Replay

_NAME = "<request>"


class PlainRunner:
    """Runs Python (`check.trial.runner.Runner`).

    Parameters
    ----------
    namespace : dict
        The names that the code finds. In the copy: what it does to them is seen nowhere else.
    """

    def __init__(self, namespace: dict[str, Any]) -> None:
        self._namespace = namespace

    @property
    def namespace(self) -> dict[str, Any]:
        """The names."""
        return self._namespace

    @property
    def own_files(self) -> tuple[str, ...]:
        """None."""
        return ()

    def detach(self) -> None:
        """Nothing leads to a front end; hooks of the caller's are not to hear what is shown here."""
        sys.displayhook, sys.excepthook = sys.__displayhook__, sys.__excepthook__

    def rewind(self, changes: CellChanges) -> None:
        """Nothing has run."""

    def watch(self) -> list[tuple[Any, str]]:
        """Nobody else's code runs it."""
        return [(type(self), "run")]

    def forget(self, edit: Edit) -> None:
        """No name is a cell's."""

    async def apply(self, edit: Edit, outputs: Outputs) -> BaseException | None:
        """Run the new text."""
        return await self.run(edit.source, outputs)

    async def run(self, source: str, outputs: Outputs) -> BaseException | None:
        """Run the text; the last expression's `repr` is the result."""
        linecache.cache[_NAME] = (len(source), None, source.splitlines(keepends=True), _NAME)
        told = tell
        try:
            tree = compile(source, _NAME, "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            await self._evaluate(compile(tree, _NAME, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT))
            if last is not None:
                body = ast.Expression(last.value)
                value = await self._evaluate(compile(body, _NAME, "eval", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT))
                if value is not None:
                    outputs.result({"text/plain": repr(value)})
        except BaseException as error:  # noqa: BLE001 - whatever ends the code is what we want to know
            told("raised")
            return error
        return None

    def look_up(self, error: BaseException) -> Lookup | None:
        """As the capture of a failure finds it."""
        return second_look(error)

    async def replay(self, seconds: float) -> Replay | None:
        """Nothing was recorded."""
        return None

    async def _evaluate(self, code: CodeType) -> Any:
        value = eval(code, self._namespace)
        if not code.co_flags & inspect.CO_COROUTINE:
            return value
        if loop_is_running():
            return await value
        import asyncio  # 30 ms, and only code that awaits needs it

        return asyncio.run(value)
