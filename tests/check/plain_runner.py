"""Runs cells in a trial without IPython."""

from __future__ import annotations

import ast
import inspect
from types import CodeType
from typing import Any

from reflex_ipython.base.running_loop import loop_is_running
from reflex_ipython.check.trial.outputs import Outputs
from reflex_ipython.models import CellChanges, Edit, Replay


class PlainRunner:
    """Runs Python without IPython: statement by statement, with `await` at the top.

    Parameters
    ----------
    namespace : dict
        The user's names.
    """

    def __init__(self, namespace: dict[str, Any]) -> None:
        self._namespace = namespace

    @property
    def namespace(self) -> dict[str, Any]:
        """The user's names."""
        return self._namespace

    @property
    def own_files(self) -> tuple[str, ...]:
        """None."""
        return ()

    def detach(self) -> None:
        """Nothing: there is no front end."""

    def rewind(self, changes: CellChanges) -> None:
        """Nothing: there is no journal."""

    def watch(self) -> list[tuple[Any, str]]:
        """Nothing: no other code runs the cell."""
        return []

    def forget(self, edit: Edit) -> None:
        """Nothing: no name is known to be a cell's."""

    async def apply(self, edit: Edit, outputs: Outputs) -> BaseException | None:
        """Run the new text."""
        return await self.run(edit.source, outputs)

    async def run(self, source: str, outputs: Outputs) -> BaseException | None:
        """Run the text; the last expression's `repr` is the result."""
        try:
            tree = compile(source, "<cell>", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            await self._evaluate(compile(tree, "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT))
            if last is not None:
                body = ast.Expression(last.value)
                value = await self._evaluate(compile(body, "<cell>", "eval", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT))
                if value is not None:
                    outputs.result({"text/plain": repr(value)})
        except BaseException as error:  # noqa: BLE001 - whatever ends the cell is what we want to know
            return error
        return None

    async def replay(self, seconds: float) -> Replay | None:
        """Nothing was recorded."""
        return None

    async def _evaluate(self, code: CodeType) -> Any:
        value = eval(code, self._namespace)
        if not code.co_flags & inspect.CO_COROUTINE:
            return value
        if loop_is_running():
            return await value
        import asyncio  # 30 ms, and only a cell that awaits needs it

        return asyncio.run(value)
