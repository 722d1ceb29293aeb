"""Loading and unloading: every registration gives its undo, and unloading calls them all."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from typing import Any

from reflex_ipython import plugins
from reflex_ipython.capture import capture_failure, exception_info, redaction
from reflex_ipython.errors import BadInput
from reflex_ipython.ipython.acceptance import Acceptance, accepted_id
from reflex_ipython.ipython.cells import CellLog
from reflex_ipython.ipython.config import Reflex
from reflex_ipython.ipython.desk import Desk
from reflex_ipython.ipython.front_end import FrontEnd, NotebookFrontEnd, TerminalFrontEnd
from reflex_ipython.ipython.hooks import FailedCell, Hooks
from reflex_ipython.ipython.magics import install_magics
from reflex_ipython.models import CellSource, Repair
from reflex_ipython.protocols import Context
from reflex_ipython.remember.recorder import Recorder
from reflex_ipython.remember.resilient import open_store
from reflex_ipython.session import Session

ATTRIBUTE = "reflex_extension"
NO_MODEL = "No model was chosen: %reflex model shows what is there."


class Extension:
    """What is installed in one shell.

    Parameters
    ----------
    shell : InteractiveShell
    """

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.config = Reflex(parent=shell)
        self.cells = CellLog()
        self.desk: Desk | None = None
        self.front_end: FrontEnd
        self.last_failed: tuple[CellSource, Any, int] | None = None
        self._undo = contextlib.ExitStack()
        self._context = Context(lambda: self.session.settings)
        kernel_there = hasattr(shell, "kernel")
        self.front_end = (
            NotebookFrontEnd(shell, self._receive, self._model, self.warn) if kernel_there else TerminalFrontEnd()
        )
        self.session = Session(
            self.config.settings(),
            presenter=self.front_end.presenter,
            recorder=Recorder(lambda: open_store(self._context, self.warn)),
            redact=redaction,
            load=self._load_plugins,
        )

    def install(self) -> None:
        """Register everything. If one registration fails, those before it are undone."""
        with contextlib.ExitStack() as undo:
            undo.callback(self.session.close)
            if isinstance(self.front_end, NotebookFrontEnd):
                self.desk = Desk(self.session, self.config, self.front_end)
                undo.callback(self.front_end.install())
            undo.callback(self._install_config())
            undo.callback(self._install_acceptance())
            undo.callback(install_magics(self))
            hooks = Hooks(self.shell, self.cells, starts=self._starts, ended=self._ended, warn=self.warn)
            undo.callback(hooks.install())
            self._undo = undo.pop_all()

    def uninstall(self) -> None:
        """Undo it all, the last registration first."""
        self._undo.close()

    def warn(self, text: str) -> None:
        """One line on the user's stderr."""
        print(f"reflex: {text}", file=sys.stderr)

    # ------------------------------------------------------------------------------- cells

    def _starts(self, cell: CellSource) -> None:
        repair_id = accepted_id(cell.source)
        source = None if repair_id is None else self._fixed_source(repair_id)
        if source is None:
            self.session.starts(cell.cell, cell.source)
            return
        repair = self._to_accept(repair_id or "")
        self.session.accept(repair.id)
        self.shell.set_next_input(source, replace=True)
        self.cells.rename(cell, source)
        self.session.starts(cell.cell, source)

    def _ended(self, failed: FailedCell | None) -> None:
        self.session.ended(None if failed is None else exception_info(failed.error))
        if failed is None:
            return
        self.last_failed = (failed.cell, failed.stage, id(failed.error))
        if self.config.enabled:
            self._open(failed)

    def _open(self, failed: FailedCell) -> Repair:
        failure = capture_failure(
            failed.error,
            source=failed.cell.source,
            cell=failed.cell.cell,
            stage=failed.stage,
            namespace=self.shell.user_ns,
            cells=self.cells,
            settings=self.session.settings,
        )
        return self.session.failed(failure)

    def look_again(self) -> Repair:
        """Open a repair for the last error, if there is none yet.

        Raises
        ------
        BadInput
            If no cell has failed, or its exception is gone.
        """
        error = getattr(sys, "last_value", None)
        if self.last_failed is None or error is None or id(error) != self.last_failed[2]:
            raise BadInput("No cell has failed since Reflex was loaded.")
        cell, stage, _ = self.last_failed
        return self._open(FailedCell(cell, error, stage))

    # ------------------------------------------------------------------------------- acceptance in a cell of its own

    def _to_accept(self, repair_id: str) -> Repair:
        if repair_id:
            return self.session.repair(repair_id)
        latest = self.session.latest(None)
        if latest is None or not latest.fixes:
            raise BadInput("There is no fix to accept.")
        return latest

    def _fixed_source(self, repair_id: str) -> str | None:
        if self.front_end.can_rewrite():
            return None
        try:
            repair = self._to_accept(repair_id)
        except BadInput:
            return None  # the magic says it in words
        undecided = repair.decision is None or repair.decision.kind == "undone"
        return repair.fixes[0].edit.source if repair.fixes and undecided else None

    def _install_acceptance(self) -> Callable[[], None]:
        transformers = self.shell.input_transformers_cleanup
        acceptance = Acceptance(self._fixed_source)
        transformers.insert(0, acceptance)
        return lambda: transformers.remove(acceptance)

    # ------------------------------------------------------------------------------- settings and plugins

    def _install_config(self) -> Callable[[], None]:
        configurables = self.shell.configurables  # what %config knows
        configurables.append(self.config)
        self.config.observe(self._settings_changed)

        def undo() -> None:
            self.config.unobserve(self._settings_changed)
            configurables.remove(self.config)

        return undo

    def _settings_changed(self, change: Any) -> None:
        try:
            self.session.settings = self.config.settings()
        except ValueError as error:
            setattr(self.config, change.name, change.old)
            raise BadInput(str(error)) from None
        if change.name == "enabled" and self.desk is not None:
            self.desk.welcome()

    def _model(self) -> tuple[str, str]:
        name = self.session.settings.model
        return (name, "") if name else ("", NO_MODEL)

    def _load_plugins(self) -> tuple[list[Any], list[Any]]:
        providers = plugins.load(plugins.PROVIDERS, self._context, self.warn)
        return providers, plugins.load(plugins.CHECKERS, self._context, self.warn)

    def _receive(self, message: Any) -> None:
        if self.desk is not None:
            self.desk.receive(message)


def load(shell: Any) -> None:
    """Install into a shell; doing it twice is harmless."""
    if not hasattr(shell, ATTRIBUTE):
        extension = Extension(shell)
        extension.install()
        setattr(shell, ATTRIBUTE, extension)


def unload(shell: Any) -> None:
    """Take all of it out again."""
    extension = getattr(shell, ATTRIBUTE, None)
    if extension is not None:
        extension.uninstall()
        delattr(shell, ATTRIBUTE)
