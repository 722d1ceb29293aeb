"""Putting a new text of an earlier cell into effect without running the cell: its functions are changed in place."""

from __future__ import annotations

import ast
from types import FunctionType
from typing import Any

from reflex_ipython.capture.dataflow import names
from reflex_ipython.ipython.cells import CellLog
from reflex_ipython.ipython.trees import tree_of
from reflex_ipython.models import Edit, FileRef
from reflex_ipython.state.changed import names_of
from reflex_ipython.state.definitions import CompiledCell
from reflex_ipython.state.new_text import NewText, Place, Rewritten


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
        self._applied: list[NewText] = []

    def apply(self, edit: Edit, *, back: bool = False) -> Rewritten:
        """Give the living functions of a cell their new code, and execute what can't be changed so. On the main thread.

        Only definitions are executed, and only those whose names belong to the cell; what else has changed is named.

        Parameters
        ----------
        edit : Edit
        back : bool
            Whether this takes such an edit back.
        """
        known = self._log.ran(edit.cell.id, edit.cell.execution_count, edit.expected)
        old, new = tree_of(self._shell, edit.expected), tree_of(self._shell, edit.source)
        if new is None:
            return Rewritten(f"the new {name_of(edit)} does not compile", took_effect=False)
        if known is None or old is None:
            words = f"{name_of(edit)} has run with a different text since then, so it was left alone"
            return Rewritten(words, took_effect=False)
        filename, cell = known
        before = CompiledCell(old, filename, self._shell.compile.flags)
        after = CompiledCell(new, self._cache(edit, cell.number), self._shell.compile.flags)
        text = NewText(before, after, Place(name_of(edit), self._shell.user_ns, self._shell.user_global_ns))
        try:
            swap = text.swap()
        except SyntaxError as refused:
            return Rewritten(f"the new {name_of(edit)} does not compile: {refused.msg}", refused, took_effect=False)
        self._log.rewritten(filename, after.filename, edit.source, keep_old=bool(swap.refused))
        self._applied.append(text)
        error = text.define(lambda statement: self._is_own(statement, before, after))
        return Rewritten(text.words(error, back=back), error)

    def forget(self, edit: Edit) -> None:
        """Take away the names that only the old text of a cell has given, as `max = 0`: it is about to run again."""
        others = [cell.source for cell in self._log.all() if cell.source not in (edit.expected, edit.source)]
        kept = names(edit.source).defines.union(*(names(source).defines for source in others))
        for name in names(edit.expected).defines - kept:
            self._shell.user_ns.pop(name, None)

    def _is_own(self, statement: ast.stmt, *cells: CompiledCell) -> bool:
        """Whether the names that a definition gives are free, or this cell's: not what another cell made of them."""
        there = self._shell.user_ns
        found = [there[name] for name in names_of(statement) if name in there]
        files = {o.__code__.co_filename for o in found if type(o) is FunctionType}
        own = files <= {cell.filename for cell in cells} or not any(map(self._log.find, files))
        return own or not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef))

    def apply_again(self) -> None:
        """What was put into effect was put back with the state of a cell that ran before it: do it once more."""
        for text in self._applied:
            text.again()

    def settle(self) -> None:
        """The cell that they were changed for has run well: no state from before is put back any more."""
        self._applied.clear()

    def _cache(self, edit: Edit, number: int) -> str:
        """Have tracebacks find the new text; gives the name of its code."""
        shell = self._shell
        return str(shell.compile.cache(shell.transform_cell(edit.source), number, raw_code=edit.source))


def name_of(edit: Edit) -> str:
    """What it rewrites: the cell as the notebook numbers it, `In [3]`; the file's name, `shapes.py`."""
    if isinstance(edit.target, FileRef):
        return edit.target.name
    count = edit.cell.execution_count
    return f"In [{count}]" if count is not None else "the earlier cell"
