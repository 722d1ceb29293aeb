"""Watching each cell as it runs: its statements are noted, and what it puts out is kept."""

from __future__ import annotations

import ast
import sys
import threading
from collections.abc import Callable
from functools import cached_property, partial
from types import CodeType
from typing import TYPE_CHECKING, Any

from reflex_ipython.errors import BadInput
from reflex_ipython.ipython.cell_context import CellContext
from reflex_ipython.ipython.cell_run import CellRun, open_figures, reopen
from reflex_ipython.ipython.failed_runs import FailedRuns
from reflex_ipython.ipython.interactivity import Interactivity
from reflex_ipython.ipython.journals import Journals
from reflex_ipython.ipython.kept_outputs import KeptOutputs
from reflex_ipython.ipython.kept_runs import KeptRuns
from reflex_ipython.ipython.last_error import last_shown
from reflex_ipython.ipython.left_out import LeavingOut
from reflex_ipython.ipython.loading_cell import NOBODY_SAW_IT, WHAT, Unseen
from reflex_ipython.ipython.mending import OVER, check, mend
from reflex_ipython.ipython.publish import let_out
from reflex_ipython.ipython.replay import show_again
from reflex_ipython.ipython.statements import Follows, Statements, UnderWay, after_all
from reflex_ipython.ipython.trees import tree_of
from reflex_ipython.settings import Settings
from reflex_ipython.state.effect import OutsideEffect

if TYPE_CHECKING:
    from reflex_ipython.ipython.cells import CellLog, RanCell
    from reflex_ipython.ipython.kernel_streams import KernelStreams
    from reflex_ipython.ipython.resumption import Resumption
    from reflex_ipython.state.plan import Plan


class CellWatch:
    """Watches one shell's cells, one at a time.

    Parameters
    ----------
    shell : InteractiveShell
    cells : CellLog
        Is told which code is the running cell's.
    settings : callable
        Gives the settings as they are now.
    depth : callable
        How many cells run inside each other just now: what a cell runs itself is not looked at.
    warn : callable
        Is told in one line when something of ours went wrong.
    forget_error : callable
        Has the error of an id forgotten, when the run that raised it is taken back: what only its functions had ends.
    """

    def __init__(
        self,
        shell: Any,
        cells: CellLog,
        settings: Callable[[], Settings],
        depth: Callable[[], int],
        warn: Callable[[str], None],
        forget_error: Callable[[int], None] = lambda known: None,
    ) -> None:
        self._shell = shell
        self._cells = cells
        self._settings = settings
        self._depth = depth
        self._warn = warn
        self._forget_error = forget_error
        self._running: CellRun | None = None
        self._outputs = KeptOutputs(shell, self._take)
        self._thread = 0
        """The thread that it runs on; a cell that a subshell runs meanwhile is not watched."""
        self.context: CellContext | None = None
        """Where cells run that do not await: what they set in context variables is there for the next ones."""
        self.any_runs = False
        """Whether a cell of the user's runs, watched or not; but for those of subshells."""
        self.leaving_out = LeavingOut(shell, self._parsed, lambda: not self.is_elsewhere)
        """Has an accepted cell leave out what is done."""
        self.failures = FailedRuns(shell, settings, warn)
        self._journals = Journals(shell, settings, lambda begun: self._streams.note(begun))
        self._interactivity = Interactivity(shell)
        self._statements: Statements | None = None
        self.kept = KeptRuns(settings, self._journals, self.failures)
        """Runs that ended well and can still be taken back."""

    @cached_property
    def _streams(self) -> KernelStreams:
        from reflex_ipython.ipython.kernel_streams import KernelStreams  # with the first cell

        return KernelStreams()

    # ------------------------------------------------------------------------------- around a cell

    def warm_up(self) -> None:
        """Do now what the first cell would have to wait for."""
        if self._settings().keep_state:
            self._journals.warm_up()

    def starts(self, cell: RanCell, resumed: Resumption | None, *, undoable: bool = False) -> bool:
        """A cell of the user's begins; gives whether it is watched, not one that runs on another thread.

        `resumed`: the accepted one, prepared; `undoable`: one that was wanted.
        """
        if self.is_elsewhere:
            return False
        self._thread = threading.get_ident()
        self.any_runs = True
        if self.context is None or self.context.has_ended:
            self.context = CellContext.now()
        self._streams.look()
        if resumed is not None and self._streams.are_any:
            self._streams.belong_to(self._shell.get_parent())
        self._outputs.begin()
        if resumed is not None and resumed.plan.done:  # it goes on in the same journal, as what failed before it did
            self.kept.goes_on()
            done = len(resumed.plan.done)
            self._running = resumed.run.since(done, cell)
            self._interactivity.set(self._running.interactivity)
            self._replay(resumed.run, done)
            return True
        self.kept.another_begins()
        begun = 0 if resumed is not None or undoable else None
        if self._settings().keep_state:
            now = self._interactivity.now
            self._running = CellRun(cell, self._journals.begin(), begun=begun, interactivity=now)
        else:
            self._running = None
        return True

    def joins(self, cell: RanCell, ran: list[Unseen]) -> None:
        """A cell runs that loads us; `ran`: what has run of it already. What follows is noted as of any other cell."""
        if not ran or not self._settings().keep_state or self._depth() != 1:
            return
        self._thread = threading.get_ident()
        self.warm_up()
        journal = self._journals.begin()
        for one in ran:
            missed = {WHAT: NOBODY_SAW_IT} if one.only_binds and not one.only_loads else {}
            journal.ran_before(one.node, missed, () if one.only_binds else [OutsideEffect("other", WHAT)])
        self._streams.look()
        self._outputs.begin()
        unkept = self._outputs.are_cleared and not all(one.only_binds for one in ran)
        self._running = CellRun(cell, journal, loads_us=True, unkept=unkept)
        self.any_runs = True

    def ended(self, *, failed: bool, began: bool = True) -> None:
        """It has ended; `began`: its last statement was compiled and began to run."""
        if self.is_elsewhere:
            return
        if failed and self._running is not None:
            self._streams.send()  # it is shown again if the cell is resumed
        self._interactivity.reset()
        running, self._running = self._running, None
        if failed and running is not None and self._payloads:
            running.note_payloads(self._payloads)
        self.any_runs = False
        if self._statements is not None:
            self._statements.cell_is_over()
        self._outputs.end()
        if self.leaving_out.is_set:
            self.leaving_out.set(None)
        if running is None:
            return
        if failed:
            if running.nodes is None:
                running.nodes = self._nodes(running, began=began)
            running.fail(began=began)
            running.end = partial(self._forget_error, id(last_shown()))
            self.failures.add(running)
        else:
            self.failures.last = None
            if running.loads_us:  # there is no way back to where it began
                self._journals.end(running.journal)
            else:
                self.kept.add(running)
        if running.loads_us:
            self._journals.loaded()

    @property
    def is_running(self) -> bool:
        """Whether a cell runs that is watched."""
        return self._running is not None

    @property
    def is_elsewhere(self) -> bool:
        """Whether the cell that is watched runs on another thread than this one: this one has a subshell's."""
        if self._running is None or self._thread == threading.get_ident():
            return False
        return any(thread.ident == self._thread for thread in threading.enumerate())

    def under_way(self) -> UnderWay | None:
        """The statements of the cell that runs, asked on any thread; None if they can't be changed.

        A cell that goes on where it failed has the order of its statements already.
        """
        running, statements = self._running, self._statements
        if running is None or statements is None or running.order is not None:
            return None
        return statements.under_way()

    def check_mending(self, source: str) -> None:
        """Refuse what `mend` would refuse."""
        under_way = self.under_way()
        if under_way is None:
            raise BadInput(OVER)
        check(self._shell, under_way, source)

    def mend(self, source: str) -> RanCell:
        """Have the cell that runs go on with another text, asked on any thread; gives the cell as it is now.

        Raises
        ------
        BadInput
            If that can't be done.
        """
        under_way = self.under_way()
        running = self._running
        if running is None or under_way is None:
            raise BadInput(OVER)
        mended = mend(self._shell, under_way, source)
        running.nodes, running.order = mended.nodes, mended.order
        running.cell = self._cells.rename(running.cell, source)
        return running.cell

    def close(self) -> None:
        """Let go of everything."""
        self._outputs.end()
        self._interactivity.reset()
        self.leaving_out.set(None)
        self.kept.close()
        self.failures.close()
        if self._running is not None:
            self._running.journal.clear()
            self._running = None

    # ------------------------------------------------------------------------------- registrations

    def install(self) -> Callable[[], None]:
        """Begin to watch; gives the function that ends it."""
        callbacks = self._shell.events.callbacks["post_execute"]
        statements = self._statements = Statements(self._before, self._broken)
        callbacks.insert(0, self._executed)  # in front of the inline backend, which closes figures

        def uninstall() -> None:
            callbacks.remove(self._executed)
            statements.close()
            self.close()
            effects = sys.modules.get("reflex_ipython.state.effects")
            if effects is not None:
                effects.unlisten()

        return uninstall

    # ------------------------------------------------------------------------------- inside

    def _before(self, code: CodeType, node: ast.stmt | None) -> Follows | None:
        """A statement is about to run; gives what the next ones of its cell are for, if that is watched."""
        if self._cells.unnamed is not None:
            self._cells.runs(code)
        running = self._running
        if running is None or self._thread != threading.get_ident() or self._depth() != 1:
            return None
        self._interactivity.reset()
        if running.is_under_way:
            running.journal.after()
            self._streams.note(len(running.journal))
        running.note_figures()
        if self._payloads:
            running.note_payloads(self._payloads)
        if node is not None:
            self._journals.defines(code, node)
        running.journal.before(code, node)
        return running.journal.next if running.journal.is_short or running.journal.prints else after_all

    def _broken(self, error: BaseException) -> None:
        """Something of ours was interrupted, or went wrong."""
        if self._running is not None:
            self._give_up(self._running)
        if isinstance(error, Exception):
            self._warn(f"{type(error).__name__} inside Reflex itself; this cell can't be resumed: {error}")

    def _give_up(self, running: CellRun) -> None:
        self._running = None
        running.journal.clear()

    def _take(self, kind: str, content: dict[str, Any]) -> None:
        """An output was sent."""
        running = self._running
        if running is None:
            return
        try:
            begun = len(running.journal)
            for part, before in self._streams.parts(content, begun) if kind == "stream" else [(content, begun)]:
                running.add(kind, part, before)
        except Exception:  # noqa: BLE001 - it is sent all the same; the cell is not resumed without it
            running.unkept = True

    def _executed(self) -> None:
        """IPython's event: the last statement is over; of a cell, or of what a front end runs in silence."""
        try:
            running, depth = self._running, self._depth()
            if not depth:
                self.kept.let_go()
            elif running is not None and depth == 1:
                if running.begun is not None:  # somebody has clicked, and waits for it
                    let_out()
                running.figures = open_figures()
                journal = running.journal
                if not journal.is_short and running.is_under_way and self._shell.last_execution_succeeded:
                    journal.after()
        except (KeyboardInterrupt, Exception) as error:  # noqa: BLE001 - nothing of ours may break a cell, which was over
            self._broken(error)

    @property
    def _payloads(self) -> list[dict[str, Any]]:
        """What the reply has for the front end to do; a terminal does it at once."""
        if not hasattr(self._shell, "kernel"):
            return []
        return self._shell.payload_manager.read_payload()  # type: ignore[no-any-return]  # IPython's

    def _replay(self, before: CellRun, done: int) -> None:
        """Show again what the statements that do not run again had shown: so many, the first that ran."""
        running, self._running = self._running, None  # what is replayed was kept already
        show_again(self._shell, before.shown_before(done))
        for payload in before.payloads_before(done):
            self._shell.payload_manager.write_payload(payload)
        self._running = running
        reopen(before.figures_of(done))

    def _nodes(self, running: CellRun, *, began: bool) -> list[ast.stmt] | None:
        """The statements of a cell that failed, as far as it came; with the one that did not compile."""
        ran = running.journal.aftermath.nodes()
        if began and ran:
            return ran
        tree = tree_of(self._shell, running.cell.source)
        return list(tree.body) if tree is not None else None

    def _parsed(self, statements: list[ast.stmt], plan: Plan) -> bool:
        """An accepted cell was parsed; gives whether it is that one, so that what is done is left out."""
        if self.is_elsewhere:
            return False
        if self._running is not None and self._depth() == 1:
            self._running.nodes = statements
            self._running.order = [*plan.done, *plan.runs]
        return True
