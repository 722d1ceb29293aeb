"""A new text of living code is put into effect: functions get their new code in place, definitions are executed."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Callable
from typing import Any

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
class Place:
    """Where a text runs.

    Parameters
    ----------
    name : str
        In words: `In [3]`, `shapes.py`.
    names : dict
        What its names are bound in.
    outer : dict
        What its functions read: the same dict as a rule.
    """

    name: str
    names: dict[str, Any]
    outer: dict[str, Any]


class NewText:
    """A new text of a cell or a file whose old one has run.

    Parameters
    ----------
    before, after : CompiledCell
        The old text has the file name that the living functions have.
    place : Place
    """

    def __init__(self, before: CompiledCell, after: CompiledCell, place: Place) -> None:
        self.before = before
        self.after = after
        self.place = place
        self._defining: list[ast.stmt] = []
        self._left: list[ast.stmt] = []
        self._swap = Swap((), (), ())
        self._renewed: set[str] = set()  # classes that have got what their new definition has
        self._refused: dict[str, str] = {}  # those that have not, and why: the new one is another class

    def swap(self) -> Swap:
        """Give the living functions their new code.

        Raises
        ------
        SyntaxError
            Of the kinds that only the compiler finds. Nothing has changed then.
        """
        self._swap = hot_swap(self.before, self.after)
        return self._swap

    def define(
        self, is_own: Callable[[ast.stmt], bool] = lambda statement: True, *, runs_again: bool = False
    ) -> Exception | None:
        """Execute what could not be changed in place, if it is a definition; what else has changed is named.

        Parameters
        ----------
        is_own : callable
            Says whether the names that a definition gives belong to this text.
        runs_again : bool
            Whether all of this text is about to run: then nothing is left out, and nothing is named.

        Returns
        -------
        Exception or None
            What a definition has raised.
        """
        changed = [self.after.tree.body[place] for place in self._swap.to_run]
        self._defining = [statement for statement in changed if _defines(statement) and is_own(statement)]
        left = [statement for statement in changed if statement not in self._defining]
        self._left = [] if runs_again else left
        return self._execute()

    def again(self) -> None:
        """It was put into effect and put back with the state of a cell that ran before it: do it once more."""
        hot_swap(self.before, self.after)
        self._execute()

    def words(self, error: BaseException | None, *, back: bool) -> str:
        """What came of it. `back`: this takes an earlier new text back."""
        parts = []
        if self._swap.swapped:
            one = len(self._swap.swapped) == 1
            verb = ("has its old code again" if one else "have their old code again") if back else ""
            verb = verb or ("runs its new code" if one else "run their new code")
            parts.append(f"{listed(f'`{path}`' for path in self._swap.swapped)} {verb}")
        parts += self._said_of_definitions(back=back) if error is None else []
        if self._left:
            lines, name = ", ".join(str(statement.lineno) for statement in self._left), self.place.name
            were = f"line {lines} of {name} was" if len(self._left) == 1 else f"lines {lines} of {name} were"
            parts.append(f"{were} not run again")
        if error is not None:
            parts.append(f"the new {self.place.name} raised {type(error).__name__}")
        return ", ".join(parts)

    def _said_of_definitions(self, *, back: bool) -> list[str]:
        parts = []
        reasons = {path: reason for path, reason in self._swap.refused if ".<locals>." not in path}  # the outer says it
        for statement in self._defining:
            for name in names_of(statement):
                if isinstance(statement, ast.ClassDef) and name in self._renewed:
                    parts.append(f"`{name}` has its {'old' if back else 'new'} definition, also for existing objects")
                    continue
                why = [reason for path, reason in reasons.items() if path.partition(".")[0] == name]
                kept = ["existing objects keep the old class"] if isinstance(statement, ast.ClassDef) else []
                why = [self._refused[name]] if name in self._refused else why
                parts.append(f"`{name}` was redefined" + "".join(f": {text}" for text in (*why[:1], *kept)))
        return parts

    def _execute(self) -> Exception | None:
        """Execute the definitions. A class that lives gets what its new definition has, and stays the same class."""
        there, text = self.place.names, self.after
        self._refused.clear()
        for statement in self._defining:
            living = there.get(statement.name) if isinstance(statement, ast.ClassDef) else None
            try:
                code = compile(ast.Module([statement], []), text.filename, "exec", text.flags, dont_inherit=True)
                exec(code, self.place.outer, there)
            except Exception as error:  # noqa: BLE001 - the user's code may raise whatever it likes
                return error
            if isinstance(statement, ast.ClassDef) and living is not None:
                self._renew(living, statement)
        return None

    def _renew(self, living: Any, statement: ast.ClassDef) -> None:
        there, name = self.place.names, statement.name
        kept = kept_methods(self.before.tree, self.after.tree, name, frozenset(self._swap.swapped))
        try:
            check(living, statement)
            renew(living, there[name], kept)
        except CannotRenew as reason:
            self._refused[name] = str(reason)
        else:
            there[name] = living
            self._renewed.add(name)


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
