"""Putting a new text of an earlier cell into effect without running the cell: its functions are changed in place."""

from __future__ import annotations

import ast
import dataclasses
from types import FunctionType
from typing import Any

from reflex_ipython.capture.dataflow import names
from reflex_ipython.ipython.cells import CellLog
from reflex_ipython.ipython.trees import tree_of
from reflex_ipython.models import Edit
from reflex_ipython.state.changed import names_of
from reflex_ipython.state.definitions import CompiledCell
from reflex_ipython.state.hotswap import Swap, hot_swap
from reflex_ipython.state.renewal import CannotRenew, check, kept_methods, renew
from reflex_ipython.state.restoration import listed

_DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)
_RUNS = (ast.Call, ast.Await, ast.AsyncFor, ast.AsyncWith, ast.Subscript, ast.Attribute)


@dataclasses.dataclass(frozen=True)
class Rewritten:
    """What came of it.

    Parameters
    ----------
    words : str
        For the user: "`area` runs its new code".
    error : BaseException or None
        What a definition raised that had to be executed again.
    took_effect : bool
        Whether the new text is in effect.
    """

    words: str
    error: BaseException | None = None
    took_effect: bool = True


@dataclasses.dataclass(frozen=True)
class _Applied:
    """A new text that was put into effect.

    Parameters
    ----------
    before, after : CompiledCell
    defining : list of ast.stmt
        The statements of the new text that were executed.
    swapped : frozenset of str
        The paths of the functions that were changed in place.
    renewed : set of str
        Classes that have got what their new definition has.
    refused : dict of str to str
        Those that have not, and why: the new one is another class.
    """

    before: CompiledCell
    after: CompiledCell
    defining: list[ast.stmt]
    swapped: frozenset[str]
    renewed: set[str] = dataclasses.field(default_factory=set)
    refused: dict[str, str] = dataclasses.field(default_factory=dict)


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
        self._applied: list[_Applied] = []

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
        try:
            swap = hot_swap(before, after)
        except SyntaxError as refused:  # of the kinds that only the compiler finds
            return Rewritten(f"the new {name_of(edit)} does not compile: {refused.msg}", refused, took_effect=False)
        self._log.rewritten(filename, after.filename, edit.source, keep_old=bool(swap.refused))
        changed = [new.body[place] for place in swap.to_run]
        done = [statement for statement in changed if _defines(statement) and self._is_own(statement, before, after)]
        applied = _Applied(before, after, done, frozenset(swap.swapped))
        self._applied.append(applied)
        error = self._execute(applied)
        return Rewritten(_words(edit, swap, changed, applied, error, back=back), error)

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
        for applied in self._applied:
            hot_swap(applied.before, applied.after)
            self._execute(applied)

    def settle(self) -> None:
        """The cell that they were changed for has run well: no state from before is put back any more."""
        self._applied.clear()

    def _cache(self, edit: Edit, number: int) -> str:
        """Have tracebacks find the new text; gives the name of its code."""
        shell = self._shell
        return str(shell.compile.cache(shell.transform_cell(edit.source), number, raw_code=edit.source))

    def _execute(self, applied: _Applied) -> Exception | None:
        """Execute the definitions. A class that lives gets what its new definition has, and stays the same class."""
        there, cell = self._shell.user_ns, applied.after
        applied.refused.clear()
        for statement in applied.defining:
            living = there.get(statement.name) if isinstance(statement, ast.ClassDef) else None
            try:
                code = compile(ast.Module([statement], []), cell.filename, "exec", cell.flags, dont_inherit=True)
                exec(code, self._shell.user_global_ns, there)
            except Exception as error:  # noqa: BLE001 - the user's code may raise whatever it likes
                return error
            if isinstance(statement, ast.ClassDef) and living is not None:
                self._renew(living, statement, applied)
        return None

    def _renew(self, living: Any, statement: ast.ClassDef, applied: _Applied) -> None:
        there, name = self._shell.user_ns, statement.name
        kept = kept_methods(applied.before.tree, applied.after.tree, name, applied.swapped)
        try:
            check(living, statement)
            renew(living, there[name], kept)
        except CannotRenew as reason:
            applied.refused[name] = str(reason)
        else:
            there[name] = living
            applied.renewed.add(name)


def name_of(edit: Edit) -> str:
    """The cell as the notebook numbers it, `In [3]`."""
    count = edit.cell.execution_count
    return f"In [{count}]" if count is not None else "the earlier cell"


def _defines(statement: ast.stmt) -> bool:
    """Whether executing a statement does nothing but give names a meaning: of assignments, those without calls."""
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return not any(isinstance(node, _RUNS) for node in _own_nodes(statement))
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
    edit: Edit,
    swap: Swap,
    changed: list[ast.stmt],
    applied: _Applied,
    error: BaseException | None,
    *,
    back: bool,
) -> str:
    parts = []
    if swap.swapped:
        one = len(swap.swapped) == 1
        verb = ("has its old code again" if one else "have their old code again") if back else ""
        verb = verb or ("runs its new code" if one else "run their new code")
        parts.append(f"{listed(f'`{path}`' for path in swap.swapped)} {verb}")
    reasons = {path: reason for path, reason in swap.refused if ".<locals>." not in path}  # the outer one says it
    for statement in applied.defining if error is None else []:
        for name in names_of(statement):
            if isinstance(statement, ast.ClassDef) and name in applied.renewed:
                parts.append(f"`{name}` has its {'old' if back else 'new'} definition, also for existing objects")
                continue
            why = [reason for path, reason in reasons.items() if path.partition(".")[0] == name]
            kept = ["existing objects keep the old class"] if isinstance(statement, ast.ClassDef) else []
            why = [applied.refused[name]] if name in applied.refused else why
            parts.append(f"`{name}` was redefined" + "".join(f": {text}" for text in (*why[:1], *kept)))
    left = [statement for statement in changed if statement not in applied.defining]
    if left:
        lines = ", ".join(str(statement.lineno) for statement in left)
        were = f"line {lines} of {name_of(edit)} was" if len(left) == 1 else f"lines {lines} of {name_of(edit)} were"
        parts.append(f"{were} not run again")
    if error is not None:
        parts.append(f"the new {name_of(edit)} raised {type(error).__name__}")
    return ", ".join(parts)
