"""A journal for each cell, within the settings as they are by then, and within one credit for all cells."""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import CodeType
from typing import TYPE_CHECKING, Any

from reflex_ipython.ipython.cache_dirs import cache_dirs
from reflex_ipython.ipython.cell_run import ShellsOwn, results
from reflex_ipython.settings import Settings

if TYPE_CHECKING:
    from reflex_ipython.state.analysis.foreseen import Functions
    from reflex_ipython.state.analysis.shapes import Shapes
    from reflex_ipython.state.credit import Credit
    from reflex_ipython.state.held import Ledger
    from reflex_ipython.state.journal import Journal

_DEFINING = (ast.FunctionDef, ast.ClassDef)


class Journals:
    """Those of one shell.

    Parameters
    ----------
    shell : InteractiveShell
    settings : callable
        Gives the settings as they are now.
    printed : callable
        As a `Journal` takes it.
    """

    def __init__(self, shell: Any, settings: Callable[[], Settings], printed: Callable[[int], None]) -> None:
        self._shell = shell
        self._settings = settings
        self._printed = printed
        self._credit: Credit | None = None
        """How much time checkpoints may take, over all cells."""
        self._functions: Functions | None = None
        """Where the source of the user's functions is found."""
        self._shapes: Shapes | None = None
        """Those of the short statements that were met."""
        self._ledger: Ledger | None = None
        """What those that are kept hold together."""
        self._empty: Journal | None = None
        """That of a cell that succeeded, for the next one: most cells do, and pay for no new one."""
        self._made_for: tuple[Any, Any] = (None, None)

    def warm_up(self) -> None:
        """Have the journal of the first cell ready: it takes some 50 ms to import all that belongs to it."""
        if self._empty is None and self._credit is None:
            self._empty, self._made_for = self._new(), (self._settings(), self._shell.user_ns)
            from reflex_ipython.state.kinds.interpreter_hooks import look_for_codecs

            look_for_codecs()

    def begin(self) -> Journal:
        """The journal of a cell that begins."""
        settings, namespace = made_for = (self._settings(), self._shell.user_ns)
        journal, self._empty = self._empty, None
        for_settings, for_namespace = self._made_for
        if journal is None or settings is not for_settings or namespace is not for_namespace:
            journal, self._made_for = self._new(), made_for
        assert self._credit is not None
        self._credit.begin()
        return journal

    def loaded(self) -> None:
        """The cell that loads us is over: what noting takes at its first use is not for the next cells to pay."""
        if self._credit is not None:
            self._credit.advance()

    def end(self, journal: Journal) -> None:
        """The cell has succeeded: nothing that it did is ever put back."""
        journal.clear()
        self._empty = journal

    def _new(self) -> Journal:
        from reflex_ipython.state.analysis.foreseen import Functions  # with the first cell, not with %load_ext
        from reflex_ipython.state.analysis.shapes import Shapes
        from reflex_ipython.state.bounds import Bounds
        from reflex_ipython.state.credit import Credit
        from reflex_ipython.state.held import Ledger
        from reflex_ipython.state.journal import Journal

        settings = self._settings()
        self._credit = self._credit or Credit()
        self._credit.share = settings.undo_share
        self._functions = self._functions or Functions()
        self._shapes = self._shapes or Shapes()
        self._ledger = self._ledger or Ledger()
        return Journal(
            self._shell.user_ns,
            Bounds(settings.undo_nodes, settings.undo_bytes, settings.undo_time * 1000),
            ShellsOwn(),
            results=lambda name: results(self._shell.user_ns, name),
            own_folders=lambda: cache_dirs(self._shell),
            credit=self._credit,
            functions=self._functions,
            shapes=self._shapes,
            ledger=self._ledger,
            printed=self._printed,
        )

    def defines(self, code: CodeType, node: ast.stmt) -> None:
        """A statement is about to run: if it defines a function, its source is known from now on."""
        if type(node) in _DEFINING and self._functions is not None:
            self._functions.add([node], code.co_filename)
