"""Loading and unloading: every registration gives its undo, and unloading calls them all.

Loading must cost next to nothing, so only what has to be registered is imported; the rest comes at the first failure
(`assembly`).
"""

from __future__ import annotations

import contextlib
import functools
import operator
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from reflex_ipython.errors import BadInput
from reflex_ipython.ipython.acceptance import Acceptance, AcceptCommand, ResumeCommand, is_command
from reflex_ipython.ipython.cell_watch import CellWatch
from reflex_ipython.ipython.cells import CellLog, RanCell
from reflex_ipython.ipython.config import Reflex
from reflex_ipython.ipython.greeting import Greeting
from reflex_ipython.ipython.hooks import FailedCell, Hooks, InstallFailed
from reflex_ipython.ipython.interrupts import handing_on
from reflex_ipython.ipython.loading_cell import ran_unseen
from reflex_ipython.ipython.look_ahead import LookAhead, on_control_thread
from reflex_ipython.ipython.magic import NAME, install_magic
from reflex_ipython.ipython.page_comm import PageComm
from reflex_ipython.ipython.publish import let_out
from reflex_ipython.ipython.requests import as_ipython_takes_it
from reflex_ipython.ipython.traceback_once import TracebackOnce
from reflex_ipython.ipython.traced_cells import TracedCells, trace_options

if TYPE_CHECKING:
    from reflex_ipython.foreseen import ForeseenFailure
    from reflex_ipython.ipython.assembly import Assembly
    from reflex_ipython.ipython.last_calls import CallRecording
    from reflex_ipython.ipython.statements import UnderWay
    from reflex_ipython.ipython.what_runs import WhatRuns
    from reflex_ipython.models import Repair

ATTRIBUTE = "reflex_extension"
_OURS = "%reflex"
"""What every cell has that is meant for us."""


class Extension:
    """What is installed in one shell.

    Parameters
    ----------
    shell : InteractiveShell
    """

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.config = Reflex(parent=shell)
        self.settings = self.config.settings()  # a bad value in a configuration file is said now
        self.cells = CellLog()
        self.page = PageComm(self._receive, shell.kernel) if hasattr(shell, "kernel") else None
        self._greeting = Greeting(self.page) if self.page is not None else None
        self._hooks = Hooks(shell, self.cells, starts=self._starts, ended=self._ended, warn=self.warn)
        self._traceback = TracebackOnce(shell, self._hooks.depth)
        self._acceptance = Acceptance(self._fixed_source, self._can_resume)
        settings = functools.partial(operator.attrgetter("settings"), self)  # each cell asks a few times: no frame
        self.watch = CellWatch(shell, self.cells, settings, self._hooks.depth, self.warn, self._hooks.forget_error)
        self.last_failed: tuple[FailedCell, int] | None = None
        self._look_ahead = LookAhead(
            self.watch.under_way, lambda: self.shell.user_ns, self._foreseen, on_control_thread(shell)
        )
        self._assembling = threading.RLock()
        self.assembled: Assembly | None = None
        """The parts that work on repairs, if one was needed already."""
        self._what_runs: WhatRuns | None = None
        self._command_runs = False
        self._calls: CallRecording | None = None
        self.traced: TracedCells | None = None
        self._undo = contextlib.ExitStack()

    @property
    def assembly(self) -> Assembly:
        """The parts that work on repairs; put together when the first of them is needed."""
        if self.assembled is None:
            from reflex_ipython.ipython.assembly import Assembly
            from reflex_ipython.ipython.what_runs import WhatRuns

            with self._assembling:  # the thread that looks ahead may be the first
                if self.assembled is None:
                    session = self._greeting.session if self._greeting is not None else ""
                    self.assembled = Assembly(
                        *(self.shell, self.config, self.cells, self.watch, self.page, self.warn),
                        *(self._look_ahead, session),
                    )
                    self._what_runs = WhatRuns(
                        *(self.shell, self.cells, self.page, self.watch.leaving_out),
                        *(self._acceptance, self.assembled),
                    )
        return self.assembled

    def install(self) -> None:
        """Register everything. If one registration fails, those before it are undone."""
        with contextlib.ExitStack() as undo:
            if self.page is not None:
                undo.callback(self.page.open())
            undo.callback(self._close)
            undo.callback(self._install_config())
            undo.callback(self._install_acceptance())
            undo.callback(install_magic(self.shell, self._command))
            undo.callback(self.watch.install())
            undo.callback(self._look_ahead.close)
            undo.callback(self._traceback.install())
            undo.callback(self._hooks.install())
            self.cells.add_running(self.shell)
            if self.cells.loads_us is not None:
                self._hooks.joins(self.cells.loads_us)
                self._watch_from_here(self.cells.loads_us)
            if self.page is not None:
                undo.callback(self._warm_up_later())
            self._undo = undo.pop_all()

    def _watch_from_here(self, cell: RanCell) -> None:
        """Note what follows in the cell that loads us; without that it runs all the same, and so does Reflex."""
        try:
            self.watch.joins(cell, ran_unseen())
        except Exception as error:  # noqa: BLE001 - as with any cell, nothing of ours may break it
            self.warn(f"{type(error).__name__} inside Reflex itself; this cell can't be resumed: {error}")

    def uninstall(self) -> None:
        """Undo it all, the last registration first."""
        self._undo.close()

    def warn(self, text: str) -> None:
        """One line on the user's stderr."""
        print(f"reflex: {text}", file=sys.stderr)

    def look_again(self) -> Repair:
        """Open a repair for the last error, if there is none yet.

        Raises
        ------
        BadInput
            If no cell has failed, or its exception is gone.
        """
        error = getattr(sys, "last_value", None)
        if self.last_failed is None or error is None or id(error) != self.last_failed[1]:
            raise BadInput("No cell has failed since Reflex was loaded.")
        repair = self.assembly.new_repairs.of_failure(self.last_failed[0]._replace(error=error))
        assert repair is not None
        return repair

    def offer_name(self) -> None:
        """Let `reflex.last` be written in cells, unless the name is taken: it is hidden as IPython's own names are."""
        namespace, hidden = self.shell.user_ns, self.shell.user_ns_hidden
        if NAME not in namespace:
            package = sys.modules["reflex_ipython"]
            namespace[NAME] = hidden[NAME] = package

            def undo() -> None:
                if namespace.get(NAME) is package:
                    del namespace[NAME]
                hidden.pop(NAME, None)

            self._undo.callback(undo)

    # ------------------------------------------------------------------------------- cells

    def _starts(self, cell: RanCell) -> RanCell:
        cell = self._begins(cell)
        options = trace_options(cell.source) if _OURS in cell.source else None
        if options is not None:
            self.traced = self.traced or TracedCells(self.shell, self.warn)
            self.traced.starts(options)
        if self.settings.trace != "off":
            if self._calls is None:
                from reflex_ipython.ipython.last_calls import CallRecording

                self._calls = CallRecording()
            self._calls.start()  # last, so that it sees the cell alone
        return cell

    def _begins(self, cell: RanCell) -> RanCell:
        assembly = self.assembled
        resumed = None
        if self._what_runs is not None:  # else nothing has failed so far: this run can't be the outcome of anything
            prepared = self._what_runs.of(cell)
            if prepared is None:
                self._command_runs = True
                return cell
            cell, resumed = prepared
        self._command_runs = _OURS in cell.source and is_command(cell.source)
        if not self._command_runs:
            watched = self.watch.starts(cell, resumed, undoable=assembly is not None and assembly.runs.is_wanted)
            wanted = watched and self.settings.look_ahead and self.settings.enabled
            if wanted and self.page is not None and self.page.clients:
                self._look_ahead.begins(cell)
        return cell

    def _foreseen(self, cell: RanCell, found: ForeseenFailure, under_way: UnderWay) -> None:
        """A statement of the cell that runs will fail; told on the thread that looks ahead."""
        self.assembly.ahead.foreseen(cell, found, under_way)

    def _ended(self, failed: FailedCell | None) -> None:
        self._traceback.forget()
        runs = self.assembled.runs if self.assembled is not None else None
        if runs is not None and runs.is_accepted and self.page is not None:
            let_out()
        if not self.watch.is_elsewhere:
            self._look_ahead.over()
            if self.assembled is not None:
                failed = self.assembled.ahead.over(failed)
        if self._calls is not None:
            self._calls.stop(None if failed is None else failed.error)
            if self.settings.trace == "off":
                self._calls = None
        if self.traced is not None:
            self.traced.ended(None if failed is None else failed.error)
        self.watch.ended(failed=failed is not None, began=failed is None or failed.stage != "syntax")
        if self.assembled is not None and not self._command_runs:
            self.assembled.session.another_ran()
        if failed is None:
            if self.assembled is not None:
                self.assembled.runs.ended()
        elif failed.stage == "interrupted" or isinstance(failed.error, InstallFailed):
            if self.assembled is not None:
                self.assembled.new_repairs.of_failure(failed, quietly=True)
        else:
            from reflex_ipython.state.collector import without_collector

            # The exception itself is Python's to keep, in sys.last_value: holding it holds the user's objects.
            self.last_failed = (failed._replace(error=None), id(failed.error))
            with without_collector():  # trees are made and dropped, and no object of the user's with them
                self.assembly.new_repairs.of_failure(failed, quietly=not self.config.enabled)

    def _fixed_source(self, accepts: AcceptCommand) -> str | None:
        return None if self.assembled is None else self.assembled.accepting.fixed_source(accepts)

    def _can_resume(self, resumes: ResumeCommand) -> bool:
        return self.assembled is not None and self.assembled.mended.can_resume(resumes)

    def _receive(self, data: Any) -> None:
        greeting = self._greeting
        if self.assembled is not None or not greeting or not greeting.answered(data, self.settings):
            self.assembly.receive(data)

    def _command(self, line: str) -> None:
        from reflex_ipython.ipython.actions import Actions

        Actions(self).run(line)

    # ------------------------------------------------------------------------------- registrations

    def _warm_up_later(self) -> Callable[[], None]:
        """Prepare for the first cell once the reply to the one that loads us is out, while the kernel waits anyway."""
        from reflex_ipython.ipython.after_reply import AfterReply

        after_reply = AfterReply(self.shell)
        after_reply.call(self.watch.warm_up, ready=lambda: True)
        return after_reply.close

    def _install_acceptance(self) -> Callable[[], None]:
        transformers = self.shell.input_transformers_cleanup
        ours = handing_on(lambda lines: as_ipython_takes_it(self._acceptance(lines)), _OURS)
        transformers.insert(0, ours)
        return lambda: transformers.remove(ours)

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
            self.settings = self.config.settings()
        except ValueError as error:
            setattr(self.config, change.name, change.old)
            raise BadInput(str(error)) from None
        if self.assembled is not None:
            self.assembled.set(self.settings)
        elif self._greeting is not None:
            self._greeting.welcome(self.settings)

    def _close(self) -> None:
        if self.traced is not None:
            self.traced.close()
        if self._calls is not None:
            self._calls.stop()
        if self.assembled is not None:
            self.assembled.close()


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
