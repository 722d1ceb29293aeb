"""Putting a new text of an earlier cell into effect without running the cell: its functions are changed in place."""

from __future__ import annotations

import ast
import dataclasses
from typing import Any

from reflex_ipython.ipython.cells import CellLog
from reflex_ipython.ipython.trees import tree_of
from reflex_ipython.models import CellEdit
from reflex_ipython.state.changed import names_of
from reflex_ipython.state.definitions import CompiledCell
from reflex_ipython.state.hotswap import Swap, hot_swap
from reflex_ipython.state.restoration import listed

_DEFINING = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Import,
    ast.ImportFrom,
    ast.Assign,
    ast.AnnAssign,
)


@dataclasses.dataclass(frozen=True)
class Rewritten:
    """What came of it.

    Parameters
    ----------
    words : str
        For the user: "`area` runs its new code".
    error : BaseException or None
        What a definition raised that had to be executed again.
    """

    words: str
    error: BaseException | None = None


class EarlierCells:
    """The cells of a shell that have run.

    Parameters
    ----------
    shell : InteractiveShell
    log : CellLog
        Knows them, and is told of their new texts.
    """

    def __init__(self, shell: Any, log: CellLog) -> None:
        self._shell = shell
        self._log = log
        self._applied: list[tuple[CompiledCell, CompiledCell, ast.Module]] = []

    def apply(self, edit: CellEdit) -> Rewritten:
        """Give the living functions of a cell their new code, and execute what can't be changed so. On the main thread.

        Only definitions are executed: what else has changed in the cell is named.

        Parameters
        ----------
        edit : CellEdit
        """
        known = self._log.ran(edit.cell.id, edit.cell.execution_count, edit.expected)
        old, new = tree_of(self._shell, edit.expected), tree_of(self._shell, edit.source)
        if new is None:
            return Rewritten(f"the new {name_of(edit)} does not compile")
        if known is None or old is None:
            return Rewritten(f"{name_of(edit)} has to be run again")
        filename, cell = known
        before = CompiledCell(old, filename, self._shell.compile.flags)
        after = CompiledCell(new, self._cache(edit, cell.number), self._shell.compile.flags)
        try:
            swap = hot_swap(before, after)
        except SyntaxError as refused:  # of the kinds that only the compiler finds
            return Rewritten(f"the new {name_of(edit)} does not compile: {refused.msg}", refused)
        self._log.rewritten(filename, after.filename, edit.source, keep_old=bool(swap.refused))
        defining = [new.body[place] for place in swap.to_run if _can_run(new.body[place])]
        others = [new.body[place] for place in swap.to_run if not _can_run(new.body[place])]
        self._applied.append((before, after, ast.Module(defining, [])))
        error = self._execute(ast.Module(defining, []), after)
        return Rewritten(_words(edit, swap, defining, others, error), error)

    def apply_again(self) -> None:
        """What was put into effect was put back with the state of a cell that ran before it: do it once more."""
        for before, after, defining in self._applied:
            hot_swap(before, after)
            self._execute(defining, after)

    def settle(self) -> None:
        """The cell that they were changed for has run well: no state from before is put back any more."""
        self._applied.clear()

    def _cache(self, edit: CellEdit, number: int) -> str:
        """Have tracebacks find the new text; gives the name of its code."""
        shell = self._shell
        return str(shell.compile.cache(shell.transform_cell(edit.source), number, raw_code=edit.source))

    def _execute(self, tree: ast.Module, cell: CompiledCell) -> Exception | None:
        try:
            code = compile(tree, cell.filename, "exec", cell.flags, dont_inherit=True)
            exec(code, self._shell.user_global_ns, self._shell.user_ns)
        except Exception as error:  # noqa: BLE001 - the user's code may raise whatever it likes
            return error
        return None


def name_of(edit: CellEdit) -> str:
    """The cell as the notebook numbers it, `In [3]`."""
    count = edit.cell.execution_count
    return f"In [{count}]" if count is not None else "the earlier cell"


def _can_run(statement: ast.stmt) -> bool:
    """Whether executing it alone is what a definition needs; a statement that awaits can't be."""
    awaits = any(isinstance(node, (ast.Await, ast.AsyncFor, ast.AsyncWith)) for node in _own_nodes(statement))
    return isinstance(statement, _DEFINING) and not awaits


def _own_nodes(node: ast.AST) -> list[ast.AST]:
    """The nodes that run when the statement does: not those inside of functions."""
    found = [node]
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            found += _own_nodes(child)
    return found


def _words(
    edit: CellEdit, swap: Swap, defining: list[ast.stmt], others: list[ast.stmt], error: BaseException | None
) -> str:
    parts = []
    if swap.swapped:
        verb = "runs its" if len(swap.swapped) == 1 else "run their"
        parts.append(f"{listed(f'`{path}`' for path in swap.swapped)} {verb} new code")
    anew = [(path, reason) for path, reason in swap.refused if ".<locals>." not in path]  # the outer one says it
    parts += [f"`{path}` was defined anew, since {reason}" for path, reason in anew]
    told = {path.partition(".")[0] for path, _ in anew}
    names = dict.fromkeys(name for statement in defining for name in names_of(statement))
    parts += [f"`{name}` was defined" for name in names if name not in told]
    if others:
        lines = ", ".join(str(statement.lineno) for statement in others)
        parts.append(f"line {lines} of {name_of(edit)} was not run again")
    if error is not None:
        parts.append(f"the new {name_of(edit)} raised {type(error).__name__}")
    return ", ".join(parts) or f"{name_of(edit)} was rewritten"
