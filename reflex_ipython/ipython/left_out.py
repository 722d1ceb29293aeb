"""Leaving statements out of an accepted cell that are done: those do not run again."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from reflex_ipython.ipython.trees import Tap

if TYPE_CHECKING:
    from reflex_ipython.state.plan import Plan


class LeavingOut:
    """Has the cell that is parsed next run what a plan says, and no more.

    Parameters
    ----------
    shell : InteractiveShell
    parsed : callable
        Is told the statements of a cell that was parsed, and the plan for it.
    is_the_cell : callable
        Says whether what is parsed just now is the accepted cell, not one that another thread runs.
    """

    def __init__(
        self, shell: Any, parsed: Callable[[list[ast.stmt], Plan], bool], is_the_cell: Callable[[], bool]
    ) -> None:
        self._shell = shell
        self._parsed = parsed
        self._is_the_cell = is_the_cell
        self._plan: Plan | None = None
        self._installs: tuple[str, ...] = ()
        self._interrupted = False
        self._tap = Tap(self._tapped)
        self.is_set = False
        """Whether the cell that is parsed next may run otherwise than as it is."""

    def set(self, plan: Plan | None) -> None:
        """Have the next cell run what that plan says; None: have it run as it is.

        The transformer is there only for such a cell: IPython walks once more through what a transformer has seen.
        """
        self._plan, self._installs, self._interrupted = plan, (), False
        self._tap_if(plan is not None)

    def run_nothing(self) -> None:
        """Have the cell that runs now run nothing: it was an acceptance, and the user has thought better of it."""
        from reflex_ipython.state.plan import Plan  # a cell that runs nothing is rare

        self.set(Plan())

    def interrupt(self) -> None:
        """Have the cell that runs now run nothing, and end as one that was interrupted."""
        self._interrupted = True
        self._tap_if(True)

    def install_first(self, requirements: tuple[str, ...]) -> None:
        """Have the next cell install these before it runs; to be said after `set`."""
        self._installs = requirements
        self._tap_if(self._plan is not None or bool(requirements))

    def _tap_if(self, wanted: bool) -> None:
        transformers = self._shell.ast_transformers
        if not wanted and self._tap in transformers:
            transformers.remove(self._tap)
        if wanted and self._tap not in transformers:
            transformers.append(self._tap)
        self.is_set = wanted

    def _tapped(self, tree: ast.Module) -> None:
        plan, statements = self._plan, list(tree.body)
        try:
            if self._interrupted and self._is_the_cell():
                self._interrupted = False
                raise KeyboardInterrupt
            if self._installs and self._is_the_cell():
                from reflex_ipython.ipython.installing import install

                installs, self._installs = self._installs, ()
                install(self._shell, installs)
            if plan is not None and self._parsed(statements, plan):
                self._plan = None
                tree.body = [*(statements[place] for place in plan.runs), *_ending(plan, statements)]
        except KeyboardInterrupt:  # it is the cell's, which runs nothing then; a traceback would show these lines
            self._plan = None
            tree.body = [_interrupt(statements)]


def _interrupt(statements: list[ast.stmt]) -> ast.stmt:
    """What a cell runs that was interrupted before it began."""
    raised = ast.Raise(ast.Name("KeyboardInterrupt", ast.Load()), None)
    return ast.fix_missing_locations(ast.copy_location(raised, statements[0]) if statements else raised)


def _ending(plan: Plan, statements: list[ast.stmt]) -> list[ast.stmt]:
    """What has to come last, where the last statement itself does not run: it decides what is displayed."""
    if len(statements) - 1 not in plan.done:
        return []
    last: ast.stmt = ast.Expr(ast.Name(plan.shows, ast.Load())) if plan.shows else ast.Pass()
    ast.copy_location(last, statements[-1])
    return [ast.fix_missing_locations(last)] if plan.shows or plan.runs else []
