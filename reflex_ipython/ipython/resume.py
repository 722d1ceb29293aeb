"""Watching the statements of each cell, and going on in an accepted one where it failed."""

from __future__ import annotations

import ast
import dataclasses
import sys
import threading
from collections.abc import Callable
from functools import partial
from types import CodeType
from typing import TYPE_CHECKING, Any, NamedTuple

from reflex_ipython.errors import BadInput
from reflex_ipython.ipython.cell_run import CellRun, close_again, open_figures, reopen
from reflex_ipython.ipython.failed_runs import FailedRuns
from reflex_ipython.ipython.interrupts import held
from reflex_ipython.ipython.journals import Journals
from reflex_ipython.ipython.kept_outputs import keep_outputs
from reflex_ipython.ipython.kept_runs import KeptRuns
from reflex_ipython.ipython.last_error import last_shown
from reflex_ipython.ipython.left_out import LeavingOut
from reflex_ipython.ipython.mending import OVER, check, mend
from reflex_ipython.ipython.replay import show_again
from reflex_ipython.ipython.statements import Follows, Statements, UnderWay, after_all
from reflex_ipython.ipython.trees import tree_of
from reflex_ipython.settings import Settings

if TYPE_CHECKING:
    from reflex_ipython.ipython.cells import CellLog, RanCell
    from reflex_ipython.models import CellChanges, Edit
    from reflex_ipython.state.plan import Plan

_OTHER_CELL = "what the failed run did, since another cell ran in between"
TOO_MANY = "Only the last {} can be taken back: the setting `keep_cells` says how many are kept, `back_bytes` how much."
_UNSHOWN = "the last line's value is not shown: it was not run again"


def _nothing() -> None:
    """Where nothing is to end."""


@dataclasses.dataclass(frozen=True)
class Resumption:
    """How an accepted cell is run again.

    Parameters
    ----------
    run : CellRun
        The failed run of it.
    plan : Plan
    words : str
        What was put back for it.
    exact : bool
        Whether that was all.
    beyond : bool
        Whether the state is one from before an earlier fix of that cell was accepted.
    """

    run: CellRun
    plan: Plan
    words: str
    exact: bool
    beyond: bool


class TakenBack(NamedTuple):
    """A run that is undone: its cell, what came of it in words, whether it was that of an accepted fix."""

    cell: RanCell
    words: str
    was_accepted: bool


class CellResumer:
    """One shell's cells, one at a time, and the last one that failed.

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
        self._unhook: Callable[[], None] = lambda: None
        """Ends the keeping of outputs."""
        self._thread = 0
        """The thread that it runs on; a cell that a subshell runs meanwhile is not watched."""
        self._leaving_out = LeavingOut(shell, self._parsed, lambda: not self._elsewhere())
        self.failures = FailedRuns(shell, settings, warn)
        self._journals = Journals(shell, settings)
        self._statements: Statements | None = None
        self.kept = KeptRuns(settings, self._journals)
        """Runs that ended well and can still be taken back."""

    # ------------------------------------------------------------------------------- around a cell

    def warm_up(self) -> None:
        """Do now what the first cell would have to wait for."""
        if self._settings().keep_state:
            self._journals.warm_up()

    def starts(self, cell: RanCell, resumed: Resumption | None, *, undoable: bool = False) -> None:
        """A cell of the user's begins. `resumed`: the accepted one, prepared; `undoable`: one that was wanted."""
        if self._elsewhere():
            return
        self._thread = threading.get_ident()
        self._unhook()
        self._unhook = keep_outputs(self._shell, self._take)
        if resumed is not None and resumed.plan.done:  # it goes on in the same journal, as what failed before it did
            self.kept.goes_on()
            done = len(resumed.plan.done)
            self._running = resumed.run.since(done, cell)
            self._replay(resumed.run, done)
            return
        kept = self.kept.another_begins(self._failed)
        self.failures.outdate()
        if kept is not None:
            self.kept.keep(kept)
        begun = 0 if resumed is not None or undoable else None
        self._running = CellRun(cell, self._journals.begin(), begun=begun) if self._settings().keep_state else None

    def ended(self, *, failed: bool, began: bool = True) -> None:
        """It has ended; `began`: its last statement was compiled and began to run."""
        if self._elsewhere():
            return
        running, self._running = self._running, None
        if self._statements is not None:
            self._statements.cell_is_over()
        self._unhook()
        self._leaving_out.set(None)
        if running is None:
            return
        if failed:
            if running.nodes is None:
                running.nodes = self._nodes(running, began=began)
            running.fail(began=began)
            running.error = id(last_shown())
            self.failures.add(running)
            return
        self.failures.last = None
        self.kept.add(running)

    @property
    def is_elsewhere(self) -> bool:
        """Whether the cell that is watched runs on another thread than this one: this one has a subshell's."""
        return self._elsewhere()

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
        self._unhook()
        self._leaving_out.set(None)
        self.kept.close()
        self.failures.close()
        if self._running is not None:
            self._running.journal.clear()
            self._running = None

    # ------------------------------------------------------------------------------- an accepted cell

    def rewind(self, changes: CellChanges) -> None:
        """In a copy of the kernel: put the state back to where the accepted run would start."""
        failed = self.failures.find(changes.failing)
        resumed = self._prepare(changes.failing, earlier=changes.swapped, end=_nothing)  # what ends may write files
        if failed is not None and resumed is not None and resumed.plan.done:
            reopen(failed.figures_of(len(resumed.plan.done)))

    def prepare(self, edit: Edit, *, whole: bool = False, earlier: tuple[Edit, ...] = ()) -> Resumption | None:
        """Put the state back to where the accepted run starts, and have what is done left out.

        `earlier`: the edits of other cells whose functions get their new code in place.
        """
        failed = self.failures.find(edit)
        with held():  # interrupted half way, it would be told of as done
            return self._prepare(
                edit, whole=whole, earlier=earlier, end=_nothing if failed is None else self._ending(failed)
            )

    def _prepare(
        self, edit: Edit, *, whole: bool = False, earlier: tuple[Edit, ...] = (), end: Callable[[], None]
    ) -> Resumption | None:
        failed, found = self.failures.find(edit), self.failures.plan(edit, whole=whole, earlier=earlier)
        if failed is None or found is None:
            return None
        if found.rollback is not None and found.rollback < len(failed.journal):
            stay = self._stay_imported(failed, found.rollback, edit.source)
            restored = failed.journal.rollback(found.rollback, end)
            restored = dataclasses.replace(restored, not_undone=(*restored.not_undone, *stay))
        else:  # what failed had not begun to run; or nobody knows the way back any more
            from reflex_ipython.state.restoration import Restoration

            restored = Restoration(not_undone=(_OTHER_CELL,) if failed.other_cell_ran else ())
        self._leaving_out.set(found if found.done else None)
        words = ", ".join(filter(None, (found.words, restored.words)))
        words += f"; {_UNSHOWN}" if found.unshown else ""
        beyond = found.rollback is not None and found.rollback < (failed.begun or 0)
        return Resumption(failed, found, words, restored.exact, beyond)

    def install_first(self, requirements: tuple[str, ...]) -> None:
        """Have the accepted cell, which is prepared, install these before it runs."""
        self._leaving_out.install_first(requirements)

    def run_nothing(self) -> None:
        """The cell that runs now was an acceptance, and the user has thought better of it."""
        from reflex_ipython.state.plan import Plan

        self._leaving_out.set(Plan())

    @property
    def held(self) -> int:
        """Bytes that are held to put the state back."""
        failed = self._failed
        return self.kept.held + (failed.journal.held if failed is not None else 0)

    @property
    def is_running(self) -> bool:
        """Whether a cell runs that is watched."""
        return self._running is not None

    @property
    def last_run(self) -> CellRun | None:
        """The latest run, if it is over and the state from before it can be put back."""
        return next(iter(self.kept.all(self._failed)), None)

    def undo(self) -> str:
        """Put the state back to where the last cell began, if that was the run of an accepted fix.

        Returns
        -------
        str
            What came of it, in words; empty if it was none, or if nothing of it is held any more.
        """
        run = self.kept.last or self._failed
        return "" if run is None or run.begun is None else self._take_back(run, run.begun)

    def back(self, count: int = 1) -> list[TakenBack]:
        """Put the state back to before the last cells, however they ended; to before all of one that was resumed.

        Parameters
        ----------
        count : int
            How many cells.

        Returns
        -------
        list of TakenBack
            The latest first.

        Raises
        ------
        BadInput
            If that can't be done, with the reason. Nothing is put back then.
        """
        runs = self.kept.all(self._failed)
        if not runs:
            raise BadInput(self.kept.why_not)
        if len(runs) < count:
            raise BadInput(TOO_MANY.format(f"{len(runs)} cells" if len(runs) > 1 else "cell"))
        return [TakenBack(run.cell, self._take_back(run, 0), run.begun is not None) for run in runs[:count]]

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

    def _take_back(self, run: CellRun, start: int) -> str:
        """Put the state back to before the statement of that index of a run; gives what came of it, in words."""
        figures = open_figures()
        if start < len(run.journal):
            words = run.journal.rollback(start, self._ending(run)).words
        else:  # no statement was left to run
            from reflex_ipython.state.restoration import Restoration

            words = Restoration().words
        close_again(figures)
        if run is self.failures.last:
            self.failures.remove(run)
        self.kept.forget(run)  # not its journal: it is needed, if the same fix is accepted again
        return words

    def _ending(self, run: CellRun) -> Callable[[], None]:
        """What ends that only the functions had which were running as a run failed: now, not while another one runs."""
        return partial(self._forget_error, run.error)

    @property
    def _failed(self) -> CellRun | None:
        """That of the last cell, if it has failed."""
        run = self.failures.last
        return None if run is None or run.other_cell_ran else run

    def _elsewhere(self) -> bool:
        """Whether a cell runs on another thread than this one."""
        if self._running is None or self._thread == threading.get_ident():
            return False
        return any(thread.ident == self._thread for thread in threading.enumerate())

    def _before(self, code: CodeType, node: ast.stmt | None) -> Follows | None:
        """A statement is about to run; gives what the next ones of its cell are for, if that is watched."""
        if self._cells.unnamed is not None:
            self._cells.runs(code)
        running = self._running
        if running is None or self._thread != threading.get_ident() or self._depth() != 1:
            return None
        if running.is_under_way:
            running.journal.after()
            for stream in (sys.stdout, sys.stderr):
                if getattr(stream, "_flush_pending", False):
                    stream.flush()  # what was printed must be on its side of the boundary; waits for another thread
        running.note_figures()
        if node is not None:
            self._journals.defines(code, node)
        running.journal.before(code, node)
        return running.journal.next if running.journal.is_short else after_all

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
        if self._running is not None:
            self._running.add(kind, content)

    def _executed(self) -> None:
        """IPython's event: the last statement is over; of a cell, or of what a front end runs in silence."""
        try:
            running = self._running
            if not self._depth():
                self.kept.let_go()
            if running is not None and self._depth() == 1:
                running.figures = open_figures()
                if running.is_under_way and self._shell.last_execution_succeeded:
                    running.journal.after()
        except KeyboardInterrupt:  # the cell was over
            if self._running is not None:
                self._give_up(self._running)

    def _replay(self, before: CellRun, done: int) -> None:
        """Show again what the statements that do not run again had shown: so many, the first that ran."""
        running, self._running = self._running, None  # what is replayed was kept already
        show_again(self._shell, before.shown_before(done))
        self._running = running
        reopen(before.figures_of(done))

    def _stay_imported(self, failed: CellRun, start: int, source: str) -> list[str]:
        """In words, the libraries that the failed run was the first to import, and that the accepted one does not."""
        checkpoints = failed.journal.aftermath.checkpoints[start:]
        effects = [effect for checkpoint in checkpoints for effect in checkpoint.effects]
        new = [effect.text.partition(" ")[2] for effect in effects if effect.kind == "import" and not effect.loaded]
        if not new:
            return []
        before, after = (_imports(tree_of(self._shell, text)) for text in (failed.cell.source, source))
        return [f"{name} stays imported" for name in dict.fromkeys(new) if name in before - after and _is_there(name)]

    def _nodes(self, running: CellRun, *, began: bool) -> list[ast.stmt] | None:
        """The statements of a cell that failed, as far as it came; with the one that did not compile."""
        ran = running.journal.aftermath.nodes()
        if began and ran:
            return ran
        tree = tree_of(self._shell, running.cell.source)
        return list(tree.body) if tree is not None else None

    def _parsed(self, statements: list[ast.stmt], plan: Plan) -> bool:
        """An accepted cell was parsed; gives whether it is that one, so that what is done is left out."""
        if self._elsewhere():
            return False
        if self._running is not None and self._depth() == 1:
            self._running.nodes = statements
            self._running.order = [*plan.done, *plan.runs]
        return True


def _imports(tree: ast.Module | None) -> set[str]:
    """The packages that a cell's text imports."""
    nodes = list(ast.walk(tree)) if tree is not None else []
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    return {name.partition(".")[0] for name in names}


def _is_there(module: str) -> bool:
    from reflex_ipython.state.user_code import owned_module

    return module in sys.modules and not owned_module(module)
